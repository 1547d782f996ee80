package org.avm4j.serve;

import org.avm4j.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(AvmServer.class);
  }
}
