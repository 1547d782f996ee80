package org.avm4j.flink;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Keeps a learner for each key; answers a row, then learns it. Refused rows go to {@link
 * AvmStreams#DEAD_LETTERS}; they never fail the job.
 */
public final class AvmFunction extends KeyedProcessFunction<String, AvmRow, AvmAnswer> {
  private static final long serialVersionUID = 1L;

  private final LearnOptions options;
  private transient KeyedLearning learning;

  /** A function with these options. */
  public AvmFunction(LearnOptions options) {
    this.options = options;
  }

  @Override
  public void open(OpenContext context) {
    learning = new KeyedLearning(options, getRuntimeContext());
  }

  @Override
  public void processElement(AvmRow row, Context context, Collector<AvmAnswer> out)
      throws Exception {
    learning.take(row, out, context::output);
  }
}
