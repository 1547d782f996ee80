package org.avm4j.lab;

import java.util.Arrays;
import java.util.Locale;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;

/** Endless synthetic streams, reproducible by their seed. */
public enum Generator {
  /** A 4 × 4 checkerboard in [-1, 1]² with labels -1 and +1, 5 % of them wrong. */
  CHECKERBOARD {
    @Override
    Instance next(long t, SplitMix random) {
      double[] x = {uniform(random), uniform(random)};
      boolean dark = (Math.floor(2 * x[0]) + Math.floor(2 * x[1])) % 2 == 0;
      boolean wrong = random.getAsDouble() < 0.05;
      return new Instance(Features.dense(x), dark != wrong ? 1 : -1);
    }
  },
  /** Two interleaved spirals with labels -1 and +1. */
  SPIRALS {
    @Override
    Instance next(long t, SplitMix random) {
      double turn = 3 * Math.PI * Math.sqrt(random.getAsDouble());
      int side = random.nextInt(2) == 0 ? -1 : 1;
      double radius = side * turn / (3 * Math.PI);
      double[] x = {radius * StrictMath.cos(turn), radius * StrictMath.sin(turn)};
      Arrays.setAll(x, i -> x[i] + 0.03 * normal(random));
      return new Instance(Features.dense(x), side);
    }
  },
  /** A hyperplane in 10 dimensions that turns once in 100,000 instances; labels -1 and +1. */
  HYPERPLANE {
    @Override
    Instance next(long t, SplitMix random) {
      double[] x = new double[10];
      Arrays.setAll(x, i -> uniform(random));
      double angle = 2 * Math.PI * t / 100_000;
      double side =
          StrictMath.cos(angle) * x[0] + StrictMath.sin(angle) * x[1] + 0.3 * (x[2] + x[3]);
      boolean wrong = random.getAsDouble() < 0.05;
      return new Instance(Features.dense(x), side >= 0 != wrong ? 1 : -1);
    }
  },
  /**
   * The Voronoi regions of nine points in [-1, 1]² with labels -1 and +1, 5 % of them wrong. The
   * points and their labels change every 50,000 instances.
   */
  ABRUPT {
    @Override
    Instance next(long t, SplitMix random) {
      double[] x = {uniform(random), uniform(random)};
      SplitMix place = new SplitMix(31 * (1 + t / 50_000));
      double nearest = Double.POSITIVE_INFINITY;
      int side = 0;
      for (int region = 0; region < 9; region++) {
        double distance = StrictMath.hypot(x[0] - uniform(place), x[1] - uniform(place));
        int its = place.nextInt(2) == 0 ? -1 : 1;
        side = distance < nearest ? its : side;
        nearest = Math.min(nearest, distance);
      }
      boolean wrong = random.getAsDouble() < 0.05;
      return new Instance(Features.dense(x), wrong ? -side : side);
    }
  },
  /** Five classes, 0 to 4, each a mixture of two Gaussians in five dimensions. */
  MIXTURE {
    @Override
    Instance next(long t, SplitMix random) {
      int bell = random.nextInt(10);
      SplitMix place = new SplitMix(1000 + bell);
      double[] x = new double[5];
      Arrays.setAll(x, i -> uniform(place) + 0.25 * normal(random));
      return new Instance(Features.dense(x), bell % 5);
    }
  },
  /** Regression: sin(3 x1) + x2² - x1 x3 over [-1, 1]³, with Gaussian noise of deviation 0.1. */
  SURFACE {
    @Override
    Instance next(long t, SplitMix random) {
      double[] x = {uniform(random), uniform(random), uniform(random)};
      double y = StrictMath.sin(3 * x[0]) + x[1] * x[1] - x[0] * x[2] + 0.1 * normal(random);
      return new Instance(Features.dense(x), y);
    }
  };

  abstract Instance next(long t, SplitMix random);

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The stream of a seed. */
  public Stream stream(long seed) {
    return new Stream(this, new SplitMix(seed));
  }

  /** An endless sequence of instances. */
  public static final class Stream {
    private final Generator generator;
    private final SplitMix random;
    private long t;

    private Stream(Generator generator, SplitMix random) {
      this.generator = generator;
      this.random = random;
    }

    /** The next instance. */
    public Instance next() {
      return generator.next(t++, random);
    }
  }

  private static double uniform(SplitMix random) {
    return 2 * random.getAsDouble() - 1;
  }

  /** A standard normal number by the Box-Muller method. */
  private static double normal(SplitMix random) {
    double radius = Math.sqrt(-2 * StrictMath.log(1 - random.getAsDouble()));
    return radius * StrictMath.cos(2 * Math.PI * random.getAsDouble());
  }
}
