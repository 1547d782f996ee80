package org.avm4j.flink;

import org.avm4j.PublicApiContract;

class PublicApiTest extends PublicApiContract {
  PublicApiTest() {
    super(AvmStreams.class);
  }
}
