package org.avm4j.flink;

import org.avm4j.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(AvmStreams.class);
  }

  @Override
  protected String[] printers() {
    return new String[] {"org.avm4j.flink.job"};
  }
}
