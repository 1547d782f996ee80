package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;

/**
 * How the cost of a step and the memory of a learner grow with the number of core points S, of
 * features d and of classes. Rows are dense and uniform in a cube, and cells so small that every
 * row becomes a core point until there are S of them.
 */
final class Growth {
  private static final int ROUNDS = 5;
  private static final long WARM_UP = 300_000_000;

  private final String axis;
  private final PeerTable table;
  private final int rows;

  /** What is measured at one point of a plot. */
  record Point(int size, int features, int classes) {}

  private Growth(String axis, PeerTable table, int rows) {
    this.axis = axis;
    this.table = table;
    this.rows = rows;
  }

  static void main(String[] words) throws IOException {
    Arguments arguments = new Arguments(words, List.of("rows", "out"));
    Path folder = Path.of(arguments.text("out", "avm-bench/target/growth"));
    int rows = arguments.number("rows", 4000);
    PeerTable table = table();
    Files.createDirectories(folder);
    new Growth("size", table, rows)
        .measure(folder, s -> new Point(s, 54, 2), 32, 64, 128, 256, 512, 1024, 2048);
    new Growth("features", table, rows)
        .measure(folder, d -> new Point(500, d, 2), 4, 8, 16, 32, 64, 128, 256, 512);
    new Growth("classes", table, rows)
        .measure(folder, c -> new Point(500, 54, c), 2, 4, 8, 16, 32, 64);
    table.publish(folder, "growth");
  }

  static PeerTable table() {
    return new PeerTable(
        "axis, update, size, features, classes, nanos, nanosLeast, nanosMost, bytesPerVector");
  }

  private void measure(Path folder, IntFunction<Point> point, int... values) throws IOException {
    List<Drawing.Point> points = new ArrayList<>();
    for (int x : values) {
      measure(point.apply(x)).forEach((name, y) -> points.add(new Drawing.Point(name, x, y, true)));
    }
    String picture = Drawing.chart(axis, "microseconds of a step", points);
    Files.writeString(folder.resolve(axis + ".svg"), picture);
  }

  /** The microseconds of a step by its name. */
  private Map<String, Double> measure(Point point) {
    double sgd = measure(point, "sgd", Update.sgd());
    return point.size > 1024
        ? Map.of("sgd", sgd)
        : Map.of("sgd", sgd, "newton", measure(point, "newton", Update.newton()));
  }

  static PeerTable measure(String axis, Point point, int rows) {
    PeerTable table = table();
    new Growth(axis, table, rows).measure(point);
    return table;
  }

  private double measure(Point point, String name, Update update) {
    Instance[] stream = stream(point, point.size + ROUNDS * rows);
    long before = Cpu.used();
    Avm avm = new Avm(options(point, update));
    int at = learn(avm, stream, 0, point.size);
    double bytes = (double) (Cpu.used() - before) / avm.size();
    for (long begin = Cpu.nanos(); Cpu.nanos() - begin < WARM_UP; ) {
      learn(avm, stream, at, rows);
    }
    double[] nanos = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      long start = Cpu.nanos();
      at = learn(avm, stream, at, rows);
      nanos[round] = (double) (Cpu.nanos() - start) / rows;
    }
    Sample sample = new Sample(nanos);
    table.add(axis, name, avm.size(), point.features, point.classes, sample, bytes);
    System.err.printf(Locale.ROOT, "%s %s: %.0f ns%n", name, point, sample.median());
    return sample.median() / 1000;
  }

  private static int learn(Avm avm, Instance[] stream, int from, int count) {
    for (int t = from; t < from + count; t++) {
      avm.learn(stream[t].features(), stream[t].label());
    }
    return from + count;
  }

  private static AvmOptions options(Point point, Update update) {
    return (point.classes == 2 ? AvmOptions.binary() : AvmOptions.multiclass())
        .kernel(Kernel.gaussian(1.0 / point.features))
        .coverage(Coverage.sphere(1e-9))
        .update(update)
        .maxSize(point.size, Limit.APPROXIMATE)
        .build();
  }

  private static Instance[] stream(Point point, int count) {
    SplitMix random = new SplitMix(1);
    Instance[] rows = new Instance[count];
    for (int t = 0; t < count; t++) {
      double[] x = new double[point.features];
      Arrays.setAll(x, i -> random.getAsDouble());
      int label = (int) (point.classes * (0.7 * x[0] + 0.3 * random.getAsDouble()));
      rows[t] = new Instance(Features.dense(x), point.classes == 2 ? 2 * label - 1 : label);
    }
    return rows;
  }
}
