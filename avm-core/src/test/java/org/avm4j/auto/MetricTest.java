package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Model;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.AutoOptions.Choice;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.Boosting;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;
import org.avm4j.math.SplitMix;
import org.avm4j.math.Vectors;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class MetricTest {
  private static final int NOISE = 20;

  /** Friedman 1 (1991): five columns matter, one of them as a square only; the others do not. */
  private static List<Instance> friedman(int rows, int noise) {
    SplitMix random = new SplitMix(3);
    List<Instance> all = new ArrayList<>();
    for (int t = 0; t < rows; t++) {
      double[] x = IntStream.range(0, 5).mapToDouble(i -> random.getAsDouble()).toArray();
      double y =
          10 * Math.sin(Math.PI * x[0] * x[1])
              + 20 * (x[2] - 0.5) * (x[2] - 0.5)
              + 10 * x[3]
              + 5 * x[4]
              + IntStream.range(0, 12).mapToDouble(i -> random.getAsDouble() - 0.5).sum();
      double[] wide = new double[5 + noise];
      System.arraycopy(x, 0, wide, 0, 5);
      for (int i = 5; i < wide.length; i++) {
        wide[i] = random.getAsDouble();
      }
      all.add(new Instance(Features.dense(wide), y));
    }
    return all;
  }

  @Test
  void aFileThatEndsEarlyIsSettledWithWhatThereIs() {
    List<Instance> rows = friedman(1400, NOISE);
    AutoAvm auto = new AutoAvm(options(true));
    rows.subList(0, 900).forEach(row -> auto.learn(row.features(), row.label()));
    byte[] before = auto.toBytes();
    List<Instance> others = rows.subList(900, 1400);
    double settled = rmse(auto.settled(), others);
    assertThat(settled).isLessThan(1.02 * rmse(auto.snapshot(), others)).isLessThan(1.3);
    assertThat(auto.toBytes()).isEqualTo(before);
  }

  private static double rmse(Model model, List<Instance> rows) {
    return Math.sqrt(
        rows.stream()
            .mapToDouble(row -> model.predict(row.features()) - row.label())
            .map(error -> error * error)
            .average()
            .orElse(0));
  }

  private static AutoOptions options(boolean metric) {
    EnumSet<Choice> free = EnumSet.allOf(Choice.class);
    free.removeAll(List.of(Choice.TASK, Choice.CHANGE));
    if (!metric) {
      free.remove(Choice.METRIC);
    }
    AvmOptions base =
        AutoOptions.all()
            .base()
            .change()
            .task(Task.regression())
            .loss(Task.regression().defaultLoss())
            .build();
    return new AutoOptions(base, Scaling.NONE, free);
  }

  /** The root of the mean squared error over the last rows. */
  private static double lateError(AutoAvm auto, List<Instance> rows, int from) {
    double sum = 0;
    for (int t = 0; t < rows.size(); t++) {
      Instance row = rows.get(t);
      double error = auto.predict(row.features()) - row.label();
      sum += t < from ? 0 : error * error;
      auto.learn(row.features(), row.label());
    }
    return Math.sqrt(sum / (rows.size() - from));
  }

  @Test
  void columnsOfNoiseCostLittle() {
    double without = lateError(new AutoAvm(options(true)), friedman(5000, 0), 3000);
    AutoAvm auto = new AutoAvm(options(true));
    double with = lateError(auto, friedman(5000, NOISE), 3000);
    double alike = lateError(new AutoAvm(options(false)), friedman(5000, NOISE), 3000);
    assertThat(with).isLessThan(1.1 * without).isLessThan(0.7 * alike);
    Metric metric = ((PreparedModel) auto.snapshot()).preparation().scaler().metric();
    double least = IntStream.range(0, 5).mapToDouble(metric::weight).min().orElseThrow();
    double noise = IntStream.range(5, 5 + NOISE).mapToDouble(metric::weight).max().orElseThrow();
    assertThat(noise).isLessThan(0.5 * least);
  }

  @Test
  void treesGainFromColumnsThatMatter() {
    List<Instance> rows = new ArrayList<>();
    SplitMix random = new SplitMix(4);
    for (int t = 0; t < 2000; t++) {
      double[] x = IntStream.range(0, 6).mapToDouble(i -> 2 * random.getAsDouble() - 1).toArray();
      rows.add(new Instance(Features.dense(x), x[1] * x[1] + 2 * x[3] * x[4]));
    }
    BoostOptions options = BoostOptions.DEFAULT.withRounds(20).withTrees(6, 0.3);
    Boosting trees = new Boosting(Task.regression(), new double[0], rows, List.of(), options);
    while (trees.grow()) {
      assertThat(trees.trees()).isLessThan(20);
    }
    double[] gains = trees.gains(6);
    double noise = Math.max(gains[0], Math.max(gains[2], gains[5]));
    assertThat(List.of(gains[1], gains[3], gains[4]))
        .allSatisfy(found -> assertThat(found).isGreaterThan(3 * noise).isPositive());
  }

  @Test
  void aColumnThatIsConstantNeverMatters() {
    SplitMix random = new SplitMix(6);
    List<Instance> rows = new ArrayList<>();
    for (int t = 0; t < 1024; t++) {
      double a = random.getAsDouble();
      double b = random.getAsDouble();
      rows.add(new Instance(Features.dense(a, 0.1, b), Math.sin(5 * (a + b))));
    }
    TrialRows trialRows = new TrialRows(Task.Kind.REGRESSION, new Labels.Plain(), rows);
    double[][] map = {{1, 0, 0.9}, {0, 0.001, 0}, {0.9, 0, 1}};
    for (Metric metric : List.of(Metric.NONE, Metric.of(map))) {
      Kernel kernel = Kernel.gaussian(1);
      Candidate candidate =
          new Candidate(Scaling.NONE, kernel, 0, 0.1, 32, Update.NO_LINEAR_PART, metric);
      Scaler scaler = Scaler.none().weighted(metric);
      RidgeTrial trial = new RidgeTrial(candidate, scaler, kernel, trialRows, false);
      while (!trial.isOver()) {
        assertThat(trial.step()).isPositive();
      }
      RidgeTrial.GradientProducts sums = trial.gradientProducts(3);
      while (!sums.isOver()) {
        assertThat(sums.step()).isPositive();
      }
      double[][] found = sums.products();
      assertThat(found[1][1]).isLessThan(0.01 * Math.min(found[0][0], found[2][2]));
    }
  }

  /** A wave along one direction of eight features, and a square along another. */
  private static List<Instance> directions(int rows) {
    SplitMix random = new SplitMix(5);
    double[] a = IntStream.range(0, 8).mapToDouble(i -> random.getAsDouble() - 0.5).toArray();
    double[] b = IntStream.range(0, 8).mapToDouble(i -> random.getAsDouble() - 0.5).toArray();
    List<Instance> all = new ArrayList<>();
    for (int t = 0; t < rows; t++) {
      double[] x = IntStream.range(0, 8).mapToDouble(i -> 2 * random.getAsDouble() - 1).toArray();
      double u = Vectors.dot(a, x, 8);
      double v = Vectors.dot(b, x, 8);
      all.add(new Instance(Features.dense(x), Math.sin(3 * u) + v * v));
    }
    return all;
  }

  @Test
  void directionsThatMatterAreFound() {
    List<Instance> rows = directions(5000);
    double alike = lateError(new AutoAvm(options(false)), rows, 3000);
    AutoAvm auto = new AutoAvm(options(true));
    assertThat(lateError(auto, rows, 3000)).isLessThan(0.5 * alike);
    PreparedModel model = (PreparedModel) auto.snapshot();
    assertThat(model.preparation().scaler().metric().isMatrix()).isTrue();
    assertThat(model.columnWeights()).hasSize(8).containsValue(1.0);
    Features x = rows.get(0).features();
    Features near = model.nearest(x, 1).get(0).point().x();
    assertThat(model.predict(near)).isCloseTo(model.predict(x), within(0.5));
  }

  @Test
  void resumesBitForBitThroughAMatrix() {
    resumesBitForBit(directions(9000), 600, 2100, 4000, 4150, 8100, 8200);
  }

  @Test
  void resumesBitForBitThroughTheMetric() {
    resumesBitForBit(friedman(4200, 3), 600, 2100, 4000, 4150);
  }

  /** Columns of different ranges, of which others matter from row 2,500 on. */
  private static List<Instance> turning(int rows) {
    SplitMix random = new SplitMix(8);
    List<Instance> all = new ArrayList<>();
    for (int t = 0; t < rows; t++) {
      double[] x = IntStream.range(0, 10).mapToDouble(i -> random.getAsDouble()).toArray();
      int first = t < 2500 ? 0 : 4;
      double y = Math.sin(9 * x[first]) + Math.cos(7 * x[first + 1]);
      x[4] *= 100;
      x[9] *= 1000;
      all.add(new Instance(Features.dense(x), y));
    }
    return all;
  }

  @Test
  void aRivalWithAnotherMetricResumesBitForBitAndTakesOver() {
    List<Instance> rows = turning(9500);
    AutoAvm through = new AutoAvm(options(true));
    rows.subList(0, 8190).forEach(row -> through.learn(row.features(), row.label()));
    AutoAvm resumed = through.copy();
    int mostRunning = 0;
    for (Instance row : rows.subList(8190, rows.size())) {
      through.learn(row.features(), row.label());
      resumed.learn(row.features(), row.label());
      if (through.instances() == 8400 || through.running() > mostRunning) {
        resumed = resumed.copy();
      }
      mostRunning = Math.max(mostRunning, through.running());
    }
    assertThat(mostRunning).isEqualTo(2);
    assertThat(through.running()).isEqualTo(1);
    assertThat(bytes(resumed)).isEqualTo(bytes(through));
    Metric metric = ((PreparedModel) through.snapshot()).preparation().scaler().metric();
    assertThat(metric.weight(4)).isGreaterThan(1.5 * metric.weight(9));
  }

  /** The label depends on two of eight features first, and on two others from row 2,600 on. */
  @Test
  void aMetricOfTheFirstRowsGivesWayWhereOtherFeaturesMatterLater() {
    SplitMix random = new SplitMix(3);
    AutoAvm auto = new AutoAvm(AutoOptions.of(Task.binary()));
    AutoAvm resumed = auto.copy();
    boolean hadMetric = false;
    for (int t = 0; t < 6000; t++) {
      double[] x = new double[8];
      Arrays.setAll(x, i -> random.getAsDouble());
      int from = t < 2600 ? 0 : 4;
      boolean isInside = Math.hypot(x[from] - 0.5, x[from + 1] - 0.5) < 0.4;
      auto.learn(Features.dense(x), isInside ? 1 : -1);
      resumed.learn(Features.dense(x), isInside ? 1 : -1);
      if (t == 2100 || t == 2500 || t == 5500) {
        resumed = resumed.copy();
      }
      hadMetric |= auto.running() == 2 && weight(auto, 0) > 3 * weight(auto, 4);
    }
    assertThat(hadMetric).isTrue();
    assertThat(weight(auto, 4)).isGreaterThan(0.5 * weight(auto, 0));
    assertThat(bytes(resumed)).isEqualTo(bytes(auto));
  }

  /** How far two rows are apart that differ by 1 in one feature. */
  private static double weight(AutoAvm auto, int feature) {
    double[] x = new double[8];
    Features zero = auto.inTree(Features.dense(x)).copy();
    x[feature] = 1;
    Features one = auto.inTree(Features.dense(x));
    return Math.sqrt(
        IntStream.range(0, 8)
            .mapToDouble(i -> (one.get(i) - zero.get(i)) * (one.get(i) - zero.get(i)))
            .sum());
  }

  private static void resumesBitForBit(List<Instance> rows, Integer... at) {
    List<Integer> stops = List.of(at);
    AutoAvm through = new AutoAvm(options(true));
    AutoAvm resumed = new AutoAvm(options(true));
    for (int t = 0; t < rows.size(); t++) {
      through.learn(rows.get(t).features(), rows.get(t).label());
      resumed.learn(rows.get(t).features(), rows.get(t).label());
      if (stops.contains(t)) {
        resumed = resumed.copy();
      }
    }
    assertThat(bytes(resumed)).isEqualTo(bytes(through));
  }

  private static byte[] bytes(AutoAvm auto) {
    Encoder out = new Encoder();
    auto.encode(out);
    return out.toBytes();
  }

  @Test
  void aWeightedScalerScalesAndWeighs() {
    Metric metric = Metric.of(2, 1, 0);
    Scaler unit = Scaler.of(Scaling.UNIT, new double[] {0.5, 2, 1}, new double[] {0, 1, -1});
    Features x = Features.dense(4, 3, 2);
    Features z = unit.weighted(metric).apply(x);
    assertThat(List.of(z.get(0), z.get(1), z.get(2))).containsExactly(2.0, 3.5, 0.0);
    Features bare = Scaler.none().weighted(metric).apply(x);
    assertThat(List.of(bare.get(0), bare.get(1), bare.get(2))).containsExactly(4.0, 1.5, 0.0);
    assertThat(Scaler.none().weighted(Metric.NONE).isIdentity()).isTrue();
    assertThat(unit.weighted(metric).inverse(z).get(1)).isCloseTo(3, within(1e-12));
  }

  @Test
  void aModelRemembersItsMetric() {
    AutoAvm auto = new AutoAvm(options(true));
    friedman(2100, 10).forEach(row -> auto.learn(row.features(), row.label()));
    Model copy = ModelFile.copy(auto.snapshot(), in -> PreparedModel.decode(in));
    Metric metric = ((PreparedModel) auto.snapshot()).preparation().scaler().metric();
    assertThat(metric.isNone()).isFalse();
    assertThat(((PreparedModel) copy).preparation().scaler().metric()).isEqualTo(metric);
  }
}
