package org.avm4j.serve;

import org.avm4j.PublicApiContract;

class PublicApiTest extends PublicApiContract {
  PublicApiTest() {
    super(AvmServer.class);
  }
}
