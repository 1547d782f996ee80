package org.avm4j.bench;

import java.util.Arrays;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** The commands of the script {@code run}. */
public final class BenchMain {
  private BenchMain() {}

  /** Runs the command that the first argument names. */
  public static void main(String[] args) throws Exception {
    String command = args.length == 0 ? "" : args[0];
    String[] rest = Arrays.copyOfRange(args, Math.min(1, args.length), args.length);
    try {
      run(command, rest);
    } catch (IllegalArgumentException refused) {
      System.err.println("run: " + refused.getMessage());
      System.exit(2);
    }
  }

  private static void run(String command, String[] rest) throws Exception {
    switch (command) {
      case "jmh" -> benchmarks(rest);
      case "pieces" -> Pieces.main(rest);
      case "long" -> LongRun.main(rest);
      case "growth" -> Growth.main(rest);
      case "roofline" -> Roofline.main(rest);
      case "arena" -> Arena.main(rest);
      case "promises" -> Promises.main(rest);
      default ->
          throw new IllegalArgumentException(
              "expected arena, jmh, pieces, long, growth, roofline or promises: '" + command + "'");
    }
  }

  /** JMH with its own options, and the bytes allocated an operation. */
  private static void benchmarks(String[] args) throws Exception {
    CommandLineOptions given = new CommandLineOptions(args);
    new Runner(
            new OptionsBuilder()
                .parent(given)
                .addProfiler(GCProfiler.class)
                .forks(given.getForkCount().orElse(1))
                .warmupIterations(given.getWarmupIterations().orElse(3))
                .warmupTime(given.getWarmupTime().orElse(TimeValue.seconds(1)))
                .measurementIterations(given.getMeasurementIterations().orElse(5))
                .measurementTime(given.getMeasurementTime().orElse(TimeValue.seconds(1)))
                .build())
        .run();
  }
}
