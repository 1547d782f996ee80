package org.avm4j.export;

import org.avm4j.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(OnnxExport.class);
  }
}
