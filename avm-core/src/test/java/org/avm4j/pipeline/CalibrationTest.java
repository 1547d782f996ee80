package org.avm4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationTest {
  private static final double NEVER = 1e15;

  @TempDir Path folder;

  /** Scores and outcomes with P(yes | s) = σ(2 s - 1). */
  private static double[][] pairs(int n, long seed) {
    Random random = new Random(seed);
    double[][] pairs = new double[n][];
    for (int i = 0; i < n; i++) {
      double s = 1.5 * random.nextGaussian();
      pairs[i] = new double[] {s, random.nextDouble() < sigma(2 * s - 1) ? 1 : 0};
    }
    return pairs;
  }

  private static double probability(Platt fit, double score) {
    return Platt.probability(fit.slope(), fit.offset(), score);
  }

  private static double sigma(double u) {
    return 1 / (1 + Math.exp(-u));
  }

  /**
   * a and b that minimise Σ i log(1 + exp(-y_i (a s_i + b))), by Newton's method until it rests.
   */
  private static double[] batch(double[][] pairs) {
    double a = 0;
    double b = 0;
    for (int round = 0; round < 50; round++) {
      double[] g = new double[2];
      double[] h = new double[3];
      for (int i = 0; i < pairs.length; i++) {
        double s = pairs[i][0];
        double p = sigma(a * s + b);
        double residual = (i + 1) * (pairs[i][1] - p);
        double curvature = (i + 1) * p * (1 - p);
        g[0] += residual * s;
        g[1] += residual;
        h[0] += curvature * s * s;
        h[1] += curvature * s;
        h[2] += curvature;
      }
      double determinant = h[0] * h[2] - h[1] * h[1];
      a += (h[2] * g[0] - h[1] * g[1]) / determinant;
      b += (h[0] * g[1] - h[1] * g[0]) / determinant;
    }
    return new double[] {a, b};
  }

  @Test
  void aSoftmaxHasOneFactorAndIsKept() throws ModelFileException {
    double[] classes = {1, 2, 5};
    Calibration softmax = Calibration.softmax(classes, 2);
    double[] found = softmax.probabilities(new double[] {0.5, 0, -1}, classes);
    double sum = Math.exp(1) + 1 + Math.exp(-2);
    assertThat(found)
        .containsExactly(
            new double[] {Math.exp(1) / sum, 1 / sum, Math.exp(-2) / sum}, within(1e-12));
    Encoder out = new Encoder();
    softmax.encode(out);
    Calibration read = Calibration.decode(new Decoder(out.toBytes()));
    assertThat(read.isSoftmax()).isTrue();
    assertThat(read.probabilities(new double[] {0.5, 0, -1}, classes)).isEqualTo(found);
  }

  /** The second score of an automatic stream was 1e-34 once. */
  @Test
  void tinyFirstScoresAreSoonForgotten() {
    Platt platt = new Platt(Calibrator.HORIZON);
    platt.learn(0, true);
    platt.learn(-1.7e-34, true);
    for (int t = 0; t < 300; t++) {
      platt.learn(t % 2 == 0 ? 1 : -1, t % 2 == 0 == (t % 10 != 3 && t % 10 != 4));
    }
    assertThat(probability(platt, 1)).isBetween(0.7, 0.95);
    assertThat(probability(platt, -1)).isBetween(0.05, 0.3);
  }

  @Test
  void oneStepAPairEndsWhereTheBatchFitDoes() {
    for (long seed = 1; seed <= 5; seed++) {
      double[][] pairs = pairs(20_000, seed);
      Platt platt = new Platt(NEVER);
      Arrays.stream(pairs).forEach(pair -> platt.learn(pair[0], pair[1] == 1));
      double[] expected = batch(pairs);
      assertThat(platt.slope()).isCloseTo(expected[0], within(0.02));
      assertThat(platt.offset()).isCloseTo(expected[1], within(0.02));
    }
  }

  @Test
  void theScaleOfScoresDoesNotMatter() {
    Platt plain = new Platt(1000);
    Platt large = new Platt(1000);
    for (double[] pair : pairs(500, 1)) {
      plain.learn(pair[0], pair[1] == 1);
      large.learn(1024 * pair[0], pair[1] == 1);
    }
    assertThat(probability(large, 1024 * 0.7)).isCloseTo(probability(plain, 0.7), within(1e-12));
  }

  @Test
  void aFitFollowsTheLearnerWithinItsHorizon() {
    Platt platt = new Platt(Calibrator.HORIZON);
    for (double[] pair : pairs(20_000, 1)) {
      platt.learn(pair[0], pair[1] == 1);
    }
    for (double[] pair : pairs(6_000, 2)) {
      platt.learn(10 * pair[0], pair[1] == 1);
    }
    assertThat(platt.slope()).isBetween(0.1, 0.35);
    assertThat(probability(platt, 10)).isCloseTo(sigma(1), within(0.1));
  }

  @Test
  void awkwardScoresStayFinite() {
    for (double size : new double[] {0, 1e-200, 1, 1e90, Double.POSITIVE_INFINITY}) {
      Platt same = new Platt(Calibrator.HORIZON);
      Platt apart = new Platt(Calibrator.HORIZON);
      for (int t = 0; t < 5000; t++) {
        same.learn(size, t % 4 == 0);
        apart.learn(t % 2 == 0 ? size : -size, t % 2 == 0);
      }
      assertThat(probability(same, size)).isCloseTo(0.25, within(0.02));
      assertThat(probability(apart, size)).isBetween(0.4, 1.0);
      assertThat(apart.slope()).isFinite();
      assertThat(apart.offset()).isFinite();
    }
  }

  @Test
  void probabilitiesAddUpWhateverClassesCome() {
    Calibrator calibrator = new Calibrator();
    double[] classes = {};
    Random random = new Random(1);
    for (int t = 0; t < 3000; t++) {
      double label = new double[] {5, -2, 3.5}[random.nextInt(t < 50 ? 2 : 3)];
      double[] scores = new double[classes.length];
      for (int c = 0; c < scores.length; c++) {
        scores[c] = random.nextGaussian() + (classes[c] == label ? 1 : -1);
      }
      double[] all = calibrator.snapshot().probabilities(scores, classes);
      assertThat(Arrays.stream(all).sum()).isCloseTo(classes.length == 0 ? 0 : 1, within(1e-12));
      calibrator.learn(scores, classes, label);
      if (Arrays.binarySearch(classes, label) < 0) {
        classes = Arrays.copyOf(classes, classes.length + 1);
        classes[classes.length - 1] = label;
        Arrays.sort(classes);
      }
    }
    Calibration calibration = calibrator.snapshot();
    assertThat(calibration.labels()).containsExactly(-2, 3.5, 5);
    assertThat(calibration.slope(5)).isCloseTo(2, within(0.6));
    double[] clear = calibration.probabilities(new double[] {-2, 3, -2}, classes);
    assertThat(clear[1]).isGreaterThan(0.9);
  }

  @Test
  void beforeAnythingIsLearnedAllClassesAreAlike() {
    Calibration fresh = new Calibrator().snapshot();
    assertThat(fresh.probabilities(new double[] {3}, new double[] {-1, 1})).containsExactly(.5, .5);
    double[] four = fresh.probabilities(new double[4], new double[] {1, 2, 3, 4});
    assertThat(four).containsOnly(0.25);
    double[] uncalibrated =
        Calibration.uncalibrated(new double[] {0, Math.log(3)}, new double[] {1, 2});
    assertThat(uncalibrated[1]).isCloseTo(0.75, within(1e-12));
    assertThat(Calibration.uncalibrated(new double[] {-1}, new double[] {-1, 1})[1])
        .isCloseTo(sigma(-1), within(1e-12));
  }

  private static Pipeline pipeline(Task task) {
    AvmOptions options = AvmOptions.binary().task(task).regularization(0.001).build();
    return new Pipeline(Preparation.none(), new Avm(options), new Calibrator(), ClassPrior.none());
  }

  @Test
  void whatIsSavedGoesOnBitForBit() throws IOException {
    for (Task task : List.of(Task.binary(), Task.multiclass())) {
      Path file = folder.resolve("pipeline.avm");
      Pipeline uninterrupted = pipeline(task);
      Pipeline resumed = pipeline(task);
      int t = 0;
      for (Instance row : Streams.of(task, 400, 3, 7)) {
        if (t++ % 97 == 50) {
          resumed.save(file);
          resumed = Pipeline.load(file);
        }
        assertThat(resumed.answer(row.features()).probabilities())
            .isEqualTo(uninterrupted.answer(row.features()).probabilities());
        uninterrupted.learn(row.features(), row.label());
        resumed.learn(row.features(), row.label());
      }
      uninterrupted.save(file);
      Features probe = Features.dense(0.1, 0.2, 0.3);
      assertThat(PreparedModel.load(file).answer(probe).probabilities())
          .isEqualTo(uninterrupted.answer(probe).probabilities());
    }
  }

  @Test
  void aSnapshotStandsStill() {
    Pipeline pipeline = pipeline(Task.binary());
    List<Instance> rows = Streams.binary(600, 3, 1);
    rows.subList(0, 300).forEach(row -> pipeline.learn(row.features(), row.label()));
    PreparedModel snapshot = pipeline.snapshot();
    Features probe = Features.dense(0.5, 0.5, 0.5);
    double[] then = snapshot.answer(probe).probabilities();
    assertThat(then).isEqualTo(pipeline.answer(probe).probabilities());
    rows.subList(300, 600).forEach(row -> pipeline.learn(row.features(), row.label()));
    assertThat(snapshot.answer(probe).probabilities()).isEqualTo(then);
    assertThat(pipeline.answer(probe).probabilities()).isNotEqualTo(then);
  }

  @Test
  void learningIsTheSameWithProbabilitiesAndWithout() {
    Pipeline with = pipeline(Task.binary());
    AvmOptions options = AvmOptions.binary().regularization(0.001).build();
    Pipeline without = new Pipeline(Preparation.none(), new Avm(options));
    for (Instance row : Streams.binary(300, 3, 2)) {
      with.learn(row.features(), row.label());
      without.learn(row.features(), row.label());
      assertThat(with.score(row.features())).isEqualTo(without.score(row.features()));
    }
    assertThat(without.snapshot().calibration()).isEmpty();
    assertThat(without.answer(Features.dense(1)).isCalibrated()).isFalse();
    assertThatThrownBy(() -> without.answer(Features.dense(1)).probabilityOf(1))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void damagedFitsAreRefusedOrUsable() {
    Calibrator calibrator = new Calibrator();
    for (double[] pair : pairs(100, 1)) {
      calibrator.learn(new double[] {pair[0], 1}, new double[] {3, 4}, 3 + pair[1]);
    }
    Encoder learning = new Encoder();
    calibrator.encode(learning);
    Encoder frozen = new Encoder();
    calibrator.snapshot().encode(frozen);
    Random random = new Random(1);
    for (int i = 0; i < 3000; i++) {
      byte[] bytes = mutated(learning, random);
      assertThatCode(() -> learnIfReadable(bytes)).doesNotThrowAnyException();
      byte[] others = mutated(frozen, random);
      assertThatCode(() -> useIfReadable(others)).doesNotThrowAnyException();
    }
  }

  private static byte[] mutated(Encoder good, Random random) {
    byte[] bytes = good.toBytes();
    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    return bytes;
  }

  private static void learnIfReadable(byte[] bytes) {
    try {
      Calibrator read = Calibrator.decode(new Decoder(bytes));
      read.learn(new double[] {1, 2}, new double[] {3, 4}, 3);
      read.snapshot().probabilities(new double[] {1, 2}, new double[] {3, 4});
    } catch (ModelFileException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  private static void useIfReadable(byte[] bytes) {
    try {
      Calibration read = Calibration.decode(new Decoder(bytes));
      read.probabilities(new double[] {1, 2}, new double[] {3, 4});
    } catch (ModelFileException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }
}
