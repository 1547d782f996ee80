package org.avm4j.bench;

import org.avm4j.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(BenchMain.class);
  }

  @Override
  protected String[] printers() {
    return new String[] {"org.avm4j.bench.."};
  }
}
