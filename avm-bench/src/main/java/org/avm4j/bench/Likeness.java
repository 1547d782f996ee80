package org.avm4j.bench;

import java.util.Arrays;
import java.util.Locale;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;

/**
 * Generated rows with the shape of a public data set: the same number of features, non-zeros and
 * classes, so that benchmarks take about as long where the data set itself is absent.
 */
enum Likeness {
  /**
   * 122 features in 14 groups, one of each group is 1, and one that is 0: labels -1 and +1, a
   * quarter of them +1.
   */
  A9A {
    @Override
    Instance next(SplitMix random) {
      Features.Buffer row = new Features.Buffer();
      double sum = 0;
      for (int group = 0; group < 14; group++) {
        int first = group * 122 / 14;
        int width = (group + 1) * 122 / 14 - first;
        double skewed = Math.pow(random.getAsDouble(), 9);
        int index = first + (int) (skewed * width);
        row.add(index, 1);
        sum += Math.sin(37.0 * index);
      }
      row.add(122, 0);
      return new Instance(row.features(), sum > 9 + 0.7 * normal(random) ? 1 : -1);
    }
  },
  /** One of 10 phases and 12 numbers in [-1, 1]: labels -1 and +1, a tenth of them +1. */
  IJCNN1 {
    @Override
    Instance next(SplitMix random) {
      double[] x = new double[22];
      int phase = random.nextInt(10);
      x[phase] = 1;
      double level = 0.5 * normal(random);
      for (int i = 10; i < 22; i++) {
        level = 0.8 * level + 0.2 * normal(random);
        x[i] = Math.max(-1, Math.min(1, level));
      }
      double score = x[10] * x[21] - 0.3 * x[15] + 0.05 * (phase - 5);
      return new Instance(Features.dense(x), score > 0.35 ? 1 : -1);
    }
  },
  /** 10 numbers in [0, 1], one of 4 and one of 40: classes 1 to 7, two of them common. */
  COVTYPE {
    @Override
    Instance next(SplitMix random) {
      double[] x = new double[54];
      double height = random.getAsDouble();
      x[0] = height;
      for (int i = 1; i < 10; i++) {
        x[i] = Math.max(0, Math.min(1, 0.5 + 0.15 * normal(random)));
      }
      int area = random.nextInt(4);
      x[10 + area] = 1;
      x[14 + Math.min(39, 9 * area + (int) (14 * height))] = 1;
      double zone = height + 0.1 * normal(random);
      int label = zone < 0.5 ? 1 : zone < 0.85 ? 2 : 3 + random.nextInt(5);
      return new Instance(Features.dense(x), label);
    }
  };

  static final String LIKE = "-like";

  abstract Instance next(SplitMix random);

  /** The likeness called so: "a9a-like". */
  static Likeness named(String name) {
    return valueOf(name.substring(0, name.length() - LIKE.length()).toUpperCase(Locale.ROOT));
  }

  /** The first rows, the same each time. */
  Instance[] rows(int count) {
    SplitMix random = new SplitMix(1 + ordinal());
    Instance[] rows = new Instance[count];
    Arrays.setAll(rows, t -> next(random));
    return rows;
  }

  static double normal(SplitMix random) {
    double radius = Math.sqrt(-2 * Math.log(1 - random.getAsDouble()));
    return radius * Math.cos(2 * Math.PI * random.getAsDouble());
  }
}
