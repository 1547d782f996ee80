package org.avm4j.app;

import org.avm4j.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(Main.class);
  }

  @Override
  protected String[] printers() {
    return new String[] {"org.avm4j.app.."};
  }
}
