package org.avm4j.export;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.auto.AutoAvm;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.Boosting;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmReader;
import org.avm4j.models.MeanModel;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.junit.jupiter.api.Assumptions;

/** Rows to learn from and to be asked about. */
final class Streams {
  /** A map of three features that is not symmetric. */
  static final double[][] MIXING = {{1, 0.5, 0}, {-0.3, 1, 0.2}, {0, 0, 0.7}};

  private static PreparedModel automatic;

  private Streams() {}

  /** What automatic mode makes of {@link #signs}; learned once for all tests. */
  static synchronized PreparedModel automatic() {
    if (automatic == null) {
      AutoAvm learner = learned(new AutoAvm(), signs(2600, 12));
      automatic = new PreparedModel(Preparation.none(), learner.snapshot().detached());
    }
    return automatic;
  }

  /** The mean of what automatic mode makes of two orders of the same rows. */
  static PreparedModel mean(List<Instance> rows) {
    List<Instance> other = new ArrayList<>(rows);
    Collections.reverse(other);
    Model one = learned(new AutoAvm(), rows).snapshot().detached();
    Model two = learned(new AutoAvm(), other).snapshot().detached();
    return new PreparedModel(Preparation.none(), new MeanModel(List.of(one, two)));
  }

  /** Boosted trees beside a machine, with weights. */
  static PreparedModel besideTrees(List<Instance> rows, OnlineLearner machine) {
    Model one = learned(machine, rows).snapshot();
    BoostOptions options = BoostOptions.DEFAULT.withRounds(15).withTrees(4, 0.3);
    Boosting boosting = new Boosting(one.task(), one.classes(), rows, List.of(), options);
    boolean hasMore = true;
    while (hasMore) {
      hasMore = boosting.round();
    }
    List<Model> both = List.of(one, boosting.model(boosting.rounds()));
    return new PreparedModel(Preparation.none(), new MeanModel(both, new double[] {0.4, 0.7}));
  }

  /**
   * Spirals around the origin, a label of 0 to classes - 1 for each; the third feature is noise.
   */
  static List<Instance> spirals(int rows, int classes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Instance> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      int label = random.nextInt(classes);
      double r = random.nextDouble();
      double angle = 5 * r + 2 * Math.PI * label / classes;
      all.add(
          new Instance(
              Features.dense(r * Math.cos(angle), r * Math.sin(angle), random.nextDouble() - 0.5),
              label));
    }
    return all;
  }

  /** The same with labels -1 and +1. */
  static List<Instance> signs(int rows, long seed) {
    return spirals(rows, 2, seed).stream()
        .map(row -> new Instance(row.features(), 2 * row.label() - 1))
        .toList();
  }

  /** A smooth function of two features. */
  static List<Instance> waves(int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Instance> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      double a = 2 * random.nextDouble() - 1;
      double b = 2 * random.nextDouble() - 1;
      all.add(new Instance(Features.dense(a, b), 40 + 10 * Math.sin(3 * a) + 5 * a * b));
    }
    return all;
  }

  static <L extends OnlineLearner> L learned(L learner, List<Instance> rows) {
    rows.forEach(row -> learner.learn(row.features(), row.label()));
    return learner;
  }

  /** Rows of a data set, from one place on; skips the test where there are no data. */
  static List<Instance> data(String name, int from, int count) throws IOException {
    String folder = System.getenv("AVM_DATA");
    Assumptions.assumeTrue(folder != null, "AVM_DATA names no folder with data");
    Path file = Path.of(folder, name + ".libsvm.gz");
    Assumptions.assumeTrue(Files.exists(file), file + " does not exist");
    List<Instance> rows = new ArrayList<>();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file), 1 << 16);
        LibsvmReader reader = new LibsvmReader(name, in, LibsvmReader.Options.DEFAULT)) {
      for (int i = 0; rows.size() < count && reader.next(); i++) {
        if (i >= from) {
          rows.add(new Instance(reader.features().copy(), reader.label()));
        }
      }
    }
    return rows;
  }
}
