package org.avm4j.lab;

import org.avm4j.PublicApiContract;

class PublicApiTest extends PublicApiContract {
  PublicApiTest() {
    super(Generator.class);
  }
}
