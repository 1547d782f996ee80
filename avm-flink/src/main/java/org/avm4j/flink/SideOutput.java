package org.avm4j.flink;

import org.apache.flink.util.OutputTag;

/** Where a function sends what is no answer. */
@FunctionalInterface
interface SideOutput {
  <T> void send(OutputTag<T> tag, T value);
}
