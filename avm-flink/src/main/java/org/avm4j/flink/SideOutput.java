package org.avm4j.flink;

import org.apache.flink.util.OutputTag;

/** Receives what a function emits beside answers. */
@FunctionalInterface
interface SideOutput {
  <T> void send(OutputTag<T> tag, T value);
}
