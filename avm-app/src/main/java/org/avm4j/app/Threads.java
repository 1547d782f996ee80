package org.avm4j.app;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How many threads a command may use. */
final class Threads {
  private static final String COMMON = "java.util.concurrent.ForkJoinPool.common.parallelism";

  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  private int most = Runtime.getRuntime().availableProcessors();

  /** The library works in the common pool and in the thread that asks. */
  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Threads to learn with at most; digits do not depend on it. Default: one a core.")
  void use(int threads) {
    if (threads < 1) {
      throw new ParameterException(
          command.commandLine(), "--threads must be at least 1: " + threads);
    }
    most = threads;
    System.setProperty(COMMON, Integer.toString(threads - 1));
  }

  /** Threads for a given number of tasks. */
  Cores cores(int tasks) {
    return new Cores(Math.min(tasks, most));
  }
}
