package org.avm4j.app;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Prequential;
import org.avm4j.lab.Generator;
import org.avm4j.math.SplitMix;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code avm soak}: runs the second-order step for very long, to check its stability. */
@Command(
    name = "soak",
    description = {
      "Run the second-order step for a long time and check its numerical stability.",
      "There are three streams, one of which makes the kernel matrix singular. After each tenth"
          + " of a stream, all scores must be finite, the matrix must be positive definite, and"
          + " the error must be no worse than in the first tenth."
    },
    footer = {"", "Examples:", "  avm soak --instances 3000", "  avm soak --instances 10000000"})
final class SoakCommand implements Callable<Integer> {
  private static final double NOISE = 1.05;

  @Option(
      names = "--instances",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Number of instances per stream. Default: ${DEFAULT-VALUE}.")
  long instances;

  private boolean isSound = true;

  private record Case(String name, AvmOptions.Builder options, LongFunction<Instance> stream) {}

  @Override
  public Integer call() {
    if (instances < 10) {
      throw Failure.usage("--instances must be at least 10: " + instances);
    }
    System.out.printf(
        "%-14s %12s %12s %8s %10s%n", "stream", "instances", "error", "size", "matrix");
    cases().forEach(this::run);
    if (!isSound) {
      throw new Failure(Failure.BUG, "a check failed, see the lines marked !");
    }
    return 0;
  }

  private static List<Case> cases() {
    Generator.Stream board = Generator.CHECKERBOARD.stream(1);
    Generator.Stream surface = Generator.SURFACE.stream(1);
    SplitMix random = new SplitMix(1);
    return List.of(
        new Case("near doubles", options(AvmOptions.binary(), 1, 1e-12), t -> shaken(random)),
        new Case("checkerboard", options(AvmOptions.binary(), 20, 0.4), t -> board.next()),
        new Case("surface", options(AvmOptions.regression(), 1, 0.6), t -> surface.next()));
  }

  private static AvmOptions.Builder options(
      AvmOptions.Builder builder, double gamma, double delta) {
    return builder
        .kernel(Kernel.gaussian(gamma))
        .coverage(Coverage.sphere(delta))
        .update(Update.newton())
        .maxSize(80, Limit.APPROXIMATE);
  }

  /**
   * One of six points with a random offset of up to 1e-7, so that all instances nearly coincide.
   */
  private static Instance shaken(SplitMix random) {
    int a = random.nextInt(3);
    int b = random.nextInt(2);
    double x = a + 1e-7 * random.getAsDouble();
    return new Instance(Features.dense(x, b), (a + b) % 2 == 0 ? 1 : -1);
  }

  private void run(Case soaked) {
    Avm avm = new Avm(soaked.options.build());
    double first = Double.NaN;
    for (int tenth = 0; tenth < 10; tenth++) {
      Prequential part = new Prequential(avm, Metrics.of(avm, false));
      boolean isFinite = true;
      for (long t = 0; t < instances / 10; t++) {
        Instance instance = soaked.stream.apply(t);
        part.step(instance.features(), instance.label());
        isFinite &= Double.isFinite(part.scores()[0]);
      }
      double error = part.metrics().value();
      first = tenth == 0 ? error : first;
      line(soaked.name, avm, error, isFinite && error <= NOISE * first + 0.1);
    }
  }

  private void line(String name, Avm avm, double error, boolean isGood) {
    boolean isDefinite = avm.isPositiveDefinite();
    isSound &= isGood && isDefinite;
    System.out.printf(
        Locale.ROOT,
        "%-14s %12d %12.5f %8d %10s %s%n",
        name,
        avm.instances(),
        error,
        avm.size(),
        isDefinite ? "definite" : "broken",
        isGood && isDefinite ? "" : "!");
  }
}
