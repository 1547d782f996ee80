package org.avm4j.flink;

import org.apache.flink.util.OutputTag;

/** Receives what a function emits in addition to answers. */
@FunctionalInterface
interface SideOutput {
  <T> void send(OutputTag<T> tag, T value);
}
