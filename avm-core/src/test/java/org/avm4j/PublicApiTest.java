package org.avm4j;

class PublicApiTest extends PublicApiContract {
  PublicApiTest() {
    super(Avm.class);
  }
}
