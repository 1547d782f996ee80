package org.avm4j.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.avm4j.math.Vectors;

/** Tables whose columns matter by a formula. */
enum GeneratedTable {
  /** Friedman's first function of five columns in [0, 1] (1991), with noise of deviation 1. */
  FRIEDMAN(20_000) {
    @Override
    Instance next(SplitMix random) {
      return friedman(random, 5);
    }
  },
  /** The same with 45 columns that do not matter. */
  FRIEDMAN_NOISE(20_000) {
    @Override
    Instance next(SplitMix random) {
      return friedman(random, 50);
    }
  },
  /**
   * Like counts of each hour of two years: season, year, month, hour, holiday, weekday, working
   * day, weather, temperature, felt temperature, humidity, wind.
   */
  HOURLY(17_379) {
    @Override
    Instance next(SplitMix random) {
      return hourly(random);
    }
  },
  /** 48 columns of several scales, most of them correlated, of which 7 matter. */
  WIDE(15_000) {
    @Override
    Instance next(SplitMix random) {
      return wide(random);
    }
  },
  /** Twenty columns, all of which matter by what they say of three directions. */
  DIRECTIONS(20_000) {
    @Override
    Instance next(SplitMix random) {
      return directions(random);
    }
  };

  private static final double[][] ALONG = unitVectors(3, 20);

  private final int count;

  GeneratedTable(int count) {
    this.count = count;
  }

  abstract Instance next(SplitMix random);

  /** What they are called on the command line. */
  static List<String> names() {
    return Stream.of(values()).map(GeneratedTable::word).toList();
  }

  /** The table called so. */
  static GeneratedTable named(String word) {
    return Stream.of(values()).filter(table -> table.word().equals(word)).findFirst().orElseThrow();
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All rows, the same ones each time. */
  List<Instance> rows() {
    SplitMix random = new SplitMix(1 + ordinal());
    return Stream.generate(() -> next(random)).limit(count).toList();
  }

  private static Instance friedman(SplitMix random, int columns) {
    double[] x = new double[columns];
    Arrays.setAll(x, i -> random.getAsDouble());
    double centred = x[2] - 0.5;
    double mean =
        10 * Math.sin(Math.PI * x[0] * x[1]) + 20 * centred * centred + 10 * x[3] + 5 * x[4];
    return new Instance(Features.dense(x), mean + Likeness.normal(random));
  }

  private static Instance hourly(SplitMix random) {
    int day = random.nextInt(731);
    int year = day / 366;
    int month = 1 + (day % 365) * 12 / 365;
    int hour = random.nextInt(24);
    int weekday = day % 7;
    int holiday = day % 37 == 5 ? 1 : 0;
    int working = weekday == 0 || weekday == 6 || holiday == 1 ? 0 : 1;
    double warmth = 0.5 - 0.3 * Math.cos(2 * Math.PI * (day % 365 - 20) / 365);
    double temperature = clamp(warmth + wave(hour, 14, 0.08) + 0.07 * Likeness.normal(random));
    double felt = clamp(0.95 * temperature + 0.02 + 0.03 * Likeness.normal(random));
    double humidity = clamp(0.62 - 0.4 * (temperature - warmth) + 0.17 * Likeness.normal(random));
    double wind = clamp(Math.abs(0.19 + 0.12 * Likeness.normal(random)));
    double bad = humidity + 0.25 * Likeness.normal(random);
    int weather = bad > 1.05 ? 3 : bad > 0.8 ? 2 : 1;
    int season = 1 + (month % 12) / 3;
    double demand =
        (working == 1 ? workingDay(hour) : dayOff(hour))
            * (0.35 + 1.1 * temperature - 0.9 * Math.max(0, temperature - 0.75))
            * (1 + 0.6 * year)
            * (weather == 3 ? 0.45 : weather == 2 ? 0.88 : 1)
            * (1.1 - 0.35 * humidity)
            * (weekday == 5 && hour > 16 ? 1.1 : 1);
    double counted = Math.max(1, Math.rint(demand * (1 + 0.12 * Likeness.normal(random))));
    return new Instance(
        Features.dense(
            season,
            year,
            month,
            hour,
            holiday,
            weekday,
            working,
            weather,
            temperature,
            felt,
            humidity,
            wind),
        counted);
  }

  /** Two peaks, on the way to work and back. */
  private static double workingDay(int hour) {
    return 12 + 420 * peak(hour, 8, 1.1) + 480 * peak(hour, 17.5, 1.6) + 200 * peak(hour, 13, 3.5);
  }

  /** One wide peak in the afternoon, and a night that begins late. */
  private static double dayOff(int hour) {
    return 25 + 390 * peak(hour, 14.5, 3.4) + 90 * peak(hour, 0, 1.8);
  }

  private static double peak(double hour, double centre, double width) {
    double away = Math.abs(hour - centre);
    double distance = Math.min(away, 24 - away) / width;
    return Math.exp(-distance * distance / 2);
  }

  private static double wave(int hour, int top, double height) {
    return height * Math.cos(2 * Math.PI * (hour - top) / 24);
  }

  private static double clamp(double value) {
    return Math.max(0, Math.min(1, value));
  }

  /** Five numbers and two categories decide; the others are noise, correlated or not. */
  private static Instance wide(SplitMix random) {
    double[] x = new double[48];
    Arrays.setAll(x, i -> Likeness.normal(random));
    double shared = Likeness.normal(random);
    for (int i = 8; i < 24; i++) {
      x[i] = (0.7 * shared + 0.7 * x[i]) * Math.pow(10, i % 4);
    }
    for (int i = 24; i < 32; i++) {
      x[i] = random.nextInt(2 + i % 5);
    }
    double mean =
        8 * Math.tanh(2 * x[0] * x[1])
            + 6 * Math.max(0, x[2])
            + 5 * Math.sin(2 * x[3])
            + (x[25] > 0 ? 7 * x[4] : -3 * x[4])
            + 2 * x[26];
    return new Instance(Features.dense(x), mean + 1.5 * Likeness.normal(random));
  }

  private static Instance directions(SplitMix random) {
    double[] x = new double[20];
    Arrays.setAll(x, i -> Likeness.normal(random));
    double[] u = Arrays.stream(ALONG).mapToDouble(a -> Vectors.dot(a, x, x.length)).toArray();
    double mean = Math.sin(2 * u[0]) + u[1] * u[1] + Math.tanh(3 * u[2]) * u[0];
    return new Instance(Features.dense(x), mean + 0.1 * Likeness.normal(random));
  }

  private static double[][] unitVectors(int count, int columns) {
    SplitMix random = new SplitMix(7);
    double[][] all = new double[count][columns];
    for (double[] vector : all) {
      Arrays.setAll(vector, i -> Likeness.normal(random));
      double norm = Math.sqrt(Vectors.dot(vector, vector, columns));
      Arrays.setAll(vector, i -> vector[i] / norm);
    }
    return all;
  }
}
