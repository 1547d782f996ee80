package org.avm4j.app;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The flag for the number of threads that a command may use. */
final class Threads {
  private static final String COMMON = "java.util.concurrent.ForkJoinPool.common.parallelism";

  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  private int most = Runtime.getRuntime().availableProcessors();

  /** Sets the number of threads; the common pool gets one less, since the caller works too. */
  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Maximum number of threads. The results do not depend on it. Default: one per core.")
  void use(int threads) {
    if (threads < 1) {
      throw new ParameterException(
          command.commandLine(), "--threads must be at least 1: " + threads);
    }
    most = threads;
    System.setProperty(COMMON, Integer.toString(threads - 1));
  }

  /** An executor for a number of tasks, within the limit of threads. */
  WorkerPool cores(int tasks) {
    return new WorkerPool(Math.min(tasks, most));
  }
}
