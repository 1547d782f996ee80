package org.avm4j.bench;

import org.avm4j.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(BenchMain.class);
  }

  /** The arena leaves out parts of automatic mode. */
  @Override
  protected String[] insidersOfTheCore() {
    return new String[] {"org.avm4j.bench"};
  }

  @Override
  protected String[] printers() {
    return new String[] {"org.avm4j.bench.."};
  }
}
