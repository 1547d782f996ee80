package org.avm4j.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.avm4j.Features;
import org.avm4j.data.Instance;

/** Stationary streams that are generated: two moons, digits drawn from strokes, and a function. */
final class ShapedStreams {
  static final List<String> NAMES = List.of("moons", "digits", "fried");

  /** Each digit as a line over a grid of three by five points, given as column and row. */
  private static final String[] STROKES = {
    "00 20 24 04 00", "01 10 14", "00 20 22 02 04 24", "00 20 22 02 22 24 04", "00 02 22 20 24",
    "20 00 02 22 24 04", "20 00 04 24 22 02", "00 20 04", "00 20 24 04 00 02 22",
        "22 02 00 20 24 04"
  };

  private static final int PIXELS = 8;

  private ShapedStreams() {}

  /** The first rows of a stream, of at most 100,000. */
  static List<Instance> rows(String name, int most) {
    Random random = new Random(7);
    List<Instance> rows = new ArrayList<>();
    for (int t = 0; t < Math.min(most, 100_000); t++) {
      rows.add(
          name.equals("moons")
              ? moon(random)
              : name.equals("digits") ? digit(random) : fried(random));
    }
    return rows;
  }

  /** Two half circles that reach into each other, with noise of 0.15. */
  private static Instance moon(Random random) {
    boolean isUpper = random.nextBoolean();
    double angle = Math.PI * random.nextDouble();
    double x = isUpper ? Math.cos(angle) : 1 - Math.cos(angle);
    double y = isUpper ? Math.sin(angle) : 0.5 - Math.sin(angle);
    double[] noise = {0.15 * random.nextGaussian(), 0.15 * random.nextGaussian()};
    return new Instance(Features.dense(x + noise[0], y + noise[1]), isUpper ? 1 : 0);
  }

  /** A digit of 8 × 8 grey pixels: turned, moved, its corners displaced, with noise. */
  private static Instance digit(Random random) {
    int digit = random.nextInt(STROKES.length);
    double turn = 0.15 * random.nextGaussian();
    double right = 3.5 + 0.4 * random.nextGaussian();
    double down = 3.5 + 0.4 * random.nextGaussian();
    List<double[]> corners = new ArrayList<>();
    for (String point : STROKES[digit].split(" ")) {
      double x = 2 * (point.charAt(0) - '1') + 0.35 * random.nextGaussian();
      double y = 1.4 * (point.charAt(1) - '2') + 0.35 * random.nextGaussian();
      double[] corner = {
        x * Math.cos(turn) - y * Math.sin(turn) + right,
        x * Math.sin(turn) + y * Math.cos(turn) + down
      };
      corners.add(corner);
    }
    double[] pixels = new double[PIXELS * PIXELS];
    for (int i = 0; i < pixels.length; i++) {
      double distance = Double.POSITIVE_INFINITY;
      for (int c = 1; c < corners.size(); c++) {
        double[] pixel = {i % PIXELS, i / PIXELS};
        distance = Math.min(distance, squared(pixel, corners.get(c - 1), corners.get(c)));
      }
      pixels[i] = Math.exp(-distance / 0.5) + 0.1 * random.nextGaussian();
    }
    return new Instance(Features.dense(pixels), digit);
  }

  /** The squared distance of a point from a segment. */
  private static double squared(double[] p, double[] a, double[] b) {
    double x = b[0] - a[0];
    double y = b[1] - a[1];
    double part = ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / Math.max(1e-9, x * x + y * y);
    double at = Math.max(0, Math.min(1, part));
    double dx = p[0] - a[0] - at * x;
    double dy = p[1] - a[1] - at * y;
    return dx * dx + dy * dy;
  }

  /** Friedman's function of five of ten features, with noise of 1 (Friedman 1991). */
  private static Instance fried(Random random) {
    double[] x = random.doubles(10).toArray();
    double y =
        10 * Math.sin(Math.PI * x[0] * x[1])
            + 20 * (x[2] - 0.5) * (x[2] - 0.5)
            + 10 * x[3]
            + 5 * x[4];
    return new Instance(Features.dense(x), y + random.nextGaussian());
  }
}
