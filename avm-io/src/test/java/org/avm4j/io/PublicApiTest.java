package org.avm4j.io;

import org.avm4j.PublicApiContract;

class PublicApiTest extends PublicApiContract {
  PublicApiTest() {
    super(DataReader.class);
  }
}
