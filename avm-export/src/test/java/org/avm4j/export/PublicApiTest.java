package org.avm4j.export;

import org.avm4j.PublicApiContract;

class PublicApiTest extends PublicApiContract {
  PublicApiTest() {
    super(OnnxExport.class);
  }
}
