package org.avm4j.app;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Kernel;
import org.avm4j.data.Instance;
import org.avm4j.lab.Generator;
import org.avm4j.lab.LinearSgd;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code avm demo}: what this is about, in a few seconds. */
@Command(
    name = "demo",
    description = {
      "Learn a stream that needs a nonlinear model, beside a linear learner, and watch.",
      "The stream is a noisy checkerboard: 5%% of the labels are wrong, so 5%% is the best there is."
    },
    footer = {"", "Examples:", "  avm demo", "  avm demo --instances 1000000"})
final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--instances",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Length of the stream. Default: ${DEFAULT-VALUE}.")
  long instances;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Default: ${DEFAULT-VALUE}.")
  long seed;

  private long mistakes;
  private long linearMistakes;
  private long t;

  @Override
  public Integer call() {
    if (instances < 1) {
      throw new Failure(Failure.USAGE, "--instances must be at least 1: " + instances);
    }
    Avm avm =
        new Avm(
            AvmOptions.binary()
                .kernel(new Kernel.Gaussian(20))
                .coverage(new Coverage.Sphere(0.25))
                .regularization(1.0 / instances)
                .build());
    LinearSgd linear = new LinearSgd(1e-3);
    Generator.Stream stream = Generator.CHECKERBOARD.stream(seed);
    System.out.println(
        "A noisy 4 x 4 checkerboard, one instance at a time, answered before learned.");
    System.out.printf("%12s %12s %14s %8s%n", "instances", "mistakes", "linear model", "cells");
    long start = System.nanoTime();
    while (t < instances) {
      step(avm, linear, stream.next());
      if (Long.bitCount(t) == 1 && t >= 64 || t == instances) {
        line(avm);
      }
    }
    print(avm, (System.nanoTime() - start) / 1e9);
    return 0;
  }

  private void step(Avm avm, LinearSgd linear, Instance instance) {
    t++;
    mistakes += avm.predict(instance.features()) == instance.label() ? 0 : 1;
    avm.learn(instance.features(), instance.label());
    linearMistakes += linear.score(instance.features()) * instance.label() < 0 ? 1 : 0;
    linear.learn(instance.features(), instance.label());
  }

  private void line(Avm avm) {
    System.out.printf(
        Locale.ROOT,
        "%12d %10.2f %% %12.2f %% %8d%n",
        t,
        100.0 * mistakes / t,
        100.0 * linearMistakes / t,
        avm.cells());
  }

  private void print(Avm avm, double seconds) {
    System.out.printf(
        Locale.ROOT,
        "%nThe model has %d vectors and would have no more after a billion instances.%n"
            + "%.2f s, %.1f microseconds an instance for both learners together.%n"
            + "Next: avm online YOUR-FILE   (avm --help lists all commands)%n",
        avm.size(),
        seconds,
        1e6 * seconds / instances);
  }
}
