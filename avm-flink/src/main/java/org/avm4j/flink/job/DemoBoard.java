package org.avm4j.flink.job;

import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.flink.core.execution.JobClient;
import org.avm4j.flink.AvmAnswer;

/** Counts the answers of the demo, whose subtasks are all in this process. */
final class DemoBoard {
  private static final int STEP = 10_000;
  private static final AtomicLong ANSWERS = new AtomicLong();
  private static final AtomicLong MISTAKES = new AtomicLong();

  private DemoBoard() {}

  static void reset() {
    ANSWERS.set(0);
    MISTAKES.set(0);
  }

  static long count(AvmAnswer answer) {
    if (!answer.truth().equals(answer.label())) {
      MISTAKES.incrementAndGet();
    }
    return ANSWERS.incrementAndGet();
  }

  /** Prints a line for every 10,000 answers until the job ends. */
  static void watch(JobClient job, Consumer<String> lines) throws Exception {
    long printed = 0;
    long mistakes = 0;
    boolean isDone = false;
    while (!isDone) {
      isDone = isDone(job);
      long now = ANSWERS.get();
      if (now - printed >= STEP || isDone && now > printed) {
        long wrong = MISTAKES.get();
        double part = 100.0 * (wrong - mistakes) / (now - printed);
        lines.accept(String.format(Locale.ROOT, "%,9d   %5.1f %%", now, part));
        printed = now;
        mistakes = wrong;
      }
    }
  }

  private static boolean isDone(JobClient job) throws Exception {
    try {
      job.getJobExecutionResult().get(200, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException stillRunning) {
      return false;
    } catch (ExecutionException failed) {
      throw new IllegalStateException(failed.getCause());
    }
  }
}
