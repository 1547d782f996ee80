package org.avm4j.app;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.avm4j.lab.Generator;
import org.avm4j.lab.LinearSgd;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code avm demo}: shows online kernel learning in a few seconds. */
@Command(
    name = "demo",
    description = {
      "Watch AVM and a linear model learn a stream that is not linearly separable.",
      "The stream is a noisy checkerboard. 5%% of its labels are wrong, so no model can make"
          + " fewer than 5%% mistakes."
    },
    footer = {
      "",
      "Examples:",
      "  avm demo",
      "  avm demo --instances 1000000",
      "  avm demo --serve"
    })
final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--instances",
      paramLabel = "N",
      defaultValue = "50000",
      description = "Number of instances in the stream. Default: ${DEFAULT-VALUE}.")
  long instances;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Random seed of the stream. Default: ${DEFAULT-VALUE}.")
  long seed;

  @Option(
      names = "--serve",
      description =
          "Start a local service instead, send it a stream with drift, and show it on the"
              + " service's page.")
  boolean serve;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8080",
      description = "Port for --serve; 0 picks a free one. Default: ${DEFAULT-VALUE}.")
  int port;

  private final LinearSgd linear = new LinearSgd(1e-3);
  private final Avm sgd = new Avm(options(Update.sgd()));
  private final Avm newton = new Avm(options(Update.newton()));
  private final long[] mistakes = new long[3];
  private long t;

  private static AvmOptions options(Update update) {
    return AvmOptions.binary()
        .kernel(Kernel.gaussian(20))
        .coverage(Coverage.sphere(0.25))
        .regularization(1e-4)
        .update(update)
        .build();
  }

  @Override
  public Integer call() throws IOException {
    if (serve) {
      return new ServedDemo(seed).run(port);
    }
    if (instances < 1) {
      throw Failure.usage("--instances must be at least 1: " + instances);
    }
    Generator.Stream stream = Generator.CHECKERBOARD.stream(seed);
    System.out.println(
        "A noisy 4 x 4 checkerboard. Each instance is predicted before it is learned.");
    System.out.println("Mistakes so far:");
    System.out.printf(
        "%12s %14s %16s %20s %8s%n",
        "instances", "linear model", "avm, paper's SGD", "avm, second order", "cells");
    long start = System.nanoTime();
    while (t < instances) {
      step(stream.next());
      if (Long.bitCount(t) == 1 && t >= 64 || t == instances) {
        line();
      }
    }
    print((System.nanoTime() - start) / 1e9);
    return 0;
  }

  private void step(Instance instance) {
    t++;
    Features x = instance.features();
    double y = instance.label();
    mistakes[0] += linear.score(x) * y < 0 ? 1 : 0;
    mistakes[1] += sgd.predict(x) == y ? 0 : 1;
    mistakes[2] += newton.predict(x) == y ? 0 : 1;
    linear.learn(x, y);
    sgd.learn(x, y);
    newton.learn(x, y);
  }

  private void line() {
    System.out.printf(
        Locale.ROOT,
        "%12d %12.2f %% %14.2f %% %18.2f %% %8d%n",
        t,
        100.0 * mistakes[0] / t,
        100.0 * mistakes[1] / t,
        100.0 * mistakes[2] / t,
        newton.cells());
  }

  private void print(double seconds) {
    System.out.printf(
        Locale.ROOT,
        "%nThe model has %d vectors and hardly grows, however long the stream.%n%.1f s for all"
            + " three learners, %.1f microseconds per instance.%nNext: avm online YOUR-FILE  "
            + " (avm --help lists all commands)%n",
        newton.size(),
        seconds,
        1e6 * seconds / instances);
  }
}
