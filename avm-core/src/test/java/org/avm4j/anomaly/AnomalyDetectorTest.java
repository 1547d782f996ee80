package org.avm4j.anomaly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Streams;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmReader;
import org.avm4j.math.SplitMix;
import org.avm4j.points.RunningScale;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnomalyDetectorTest {
  private static final Random RANDOM = new Random(3);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 13, 31, 207, 1021})
  void theLeastSumIsThatOfTheSortedValues(int n) {
    for (int round = 0; round < 50; round++) {
      int distinct = 1 + RANDOM.nextInt(2 * n);
      double[] values = RANDOM.ints(n, 0, distinct).asDoubleStream().toArray();
      double[] weights = RANDOM.ints(n, 1, 9).asDoubleStream().toArray();
      double mass = RANDOM.nextDouble() * Arrays.stream(weights).sum();
      double expected = sortedSum(values, weights, mass);
      assertThat(org.avm4j.internal.Selection.leastSum(values, weights, n, mass))
          .isCloseTo(expected, within(1e-9 * n));
    }
  }

  private static double sortedSum(double[] values, double[] weights, double mass) {
    List<Integer> order = IntStream.range(0, values.length).boxed().toList();
    double sum = 0;
    double left = mass;
    for (int j : order.stream().sorted(Comparator.comparingDouble(i -> values[i])).toList()) {
      double part = Math.min(left, weights[j]);
      sum += part * values[j];
      left -= part;
    }
    return sum;
  }

  /** While no cell holds two, the score is that of the definition over all rows. */
  @Test
  void theScoreIsTheDistanceToTheNearestTenth() {
    AnomalyDetector detector = new AnomalyDetector(AnomalyOptions.DEFAULT);
    double[][] rows = new double[448][2];
    for (double[] row : rows) {
      row[0] = 100 * RANDOM.nextGaussian();
      row[1] = 1e6 + RANDOM.nextGaussian();
      detector.learn(Features.dense(row));
    }
    assertThat(detector.size()).isEqualTo(448);
    double[] probe = {150, 1e6 - 2};
    double[] scales = {scale(rows, 0), scale(rows, 1)};
    double[] squares = new double[rows.length];
    for (int t = 0; t < rows.length; t++) {
      squares[t] = square((probe[0] - rows[t][0]) / scales[0]);
      squares[t] += square((probe[1] - rows[t][1]) / scales[1]);
    }
    Arrays.sort(squares);
    double sum = Arrays.stream(squares, 0, 44).sum() + 0.8 * squares[44];
    assertThat(detector.score(Features.dense(probe))[0])
        .isCloseTo(Math.sqrt(sum / 44.8), within(1e-4));
  }

  private static double square(double value) {
    return value * value;
  }

  /** √(π/2) times the mean of |x - mean before| √(n/(n+1)). */
  private static double scale(double[][] rows, int i) {
    double sum = 0;
    double absolute = 0;
    for (int n = 0; n < rows.length; n++) {
      double mean = n == 0 ? rows[n][i] : sum / n;
      absolute += Math.abs(rows[n][i] - mean) * Math.sqrt(n / (n + 1.0));
      sum += rows[n][i];
    }
    return Math.sqrt(Math.PI / 2) * absolute / rows.length;
  }

  @Test
  void theScaleOfGaussianNumbersIsTheirDeviation() {
    RunningScale scale = new RunningScale();
    for (int t = 0; t < 20_000; t++) {
      scale.observe(Features.dense(7 + 3 * RANDOM.nextGaussian(), t % 4 == 0 ? 1 : 0));
    }
    scale.renew();
    Features one = scale.apply(Features.dense(10, 1), new Features.Buffer()).copy();
    Features other = scale.apply(Features.dense(7, 0), new Features.Buffer());
    assertThat(one.get(0) - other.get(0)).isCloseTo(1, within(0.02));
    double deviation = Math.sqrt(Math.PI / 2) * 2 * 0.25 * 0.75;
    assertThat(one.get(1) - other.get(1)).isCloseTo(1 / deviation, within(0.02));
  }

  @Test
  void constantFeaturesCountForNothingUntilTheyChange() {
    AnomalyDetector plain = new AnomalyDetector(AnomalyOptions.DEFAULT);
    AnomalyDetector padded = new AnomalyDetector(AnomalyOptions.DEFAULT);
    for (int t = 0; t < 3000; t++) {
      double x = RANDOM.nextGaussian();
      plain.learn(Features.dense(x));
      padded.learn(Features.dense(x, 0.1, 1e9));
    }
    double usual = plain.score(Features.dense(0.3))[0];
    assertThat(padded.score(Features.dense(0.3, 0.1, 1e9))[0]).isEqualTo(usual);
    assertThat(padded.score(Features.dense(0.3, 0.1 + 1e-6, 1e9))[0]).isGreaterThan(500);
    assertThat(padded.score(Features.dense(0.3, 0, 1e9))[0]).isGreaterThan(500);
    assertThat(padded.score(Features.dense(0.3, 0.1, 1e9, 1))[0]).isGreaterThan(500);
  }

  @Test
  void equalInstancesShareACellThoughTheScaleChanges() {
    AnomalyDetector detector = new AnomalyDetector(AnomalyOptions.DEFAULT);
    for (int t = 0; t < 3000; t++) {
      detector.learn(Features.dense(t % 7, 0.1 * (t % 5), t < 1000 ? 1 : t % 3));
    }
    assertThat(detector.size()).isEqualTo(7 * 5 * 3);
  }

  @Test
  void anomaliesThatAreAlikeDoNotSupportEachOther() {
    AnomalyDetector detector = new AnomalyDetector(AnomalyOptions.DEFAULT);
    for (int t = 0; t < 10_000; t++) {
      boolean isOdd = t % 20 == 7;
      double x = isOdd ? 8 : RANDOM.nextGaussian();
      detector.learn(Features.dense(x, isOdd ? 8 : RANDOM.nextGaussian()));
    }
    double odd = detector.score(Features.dense(8, 8))[0];
    assertThat(odd).isGreaterThan(3 * detector.score(Features.dense(1.5, 1.5))[0]);
  }

  @Test
  void theRateOfAlertsIsTheOneThatWasAsked() {
    for (double rate : new double[] {0.002, 0.01, 0.1}) {
      AnomalyDetector detector = new AnomalyDetector(new AnomalyOptions(0.1, rate, 100, 0));
      int called = 0;
      for (int t = 0; t < 20_000; t++) {
        Features x = Features.dense(RANDOM.nextGaussian(), RANDOM.nextGaussian());
        called += detector.predict(x) > 0 ? 1 : 0;
        detector.learn(x);
      }
      assertThat(called / 20_000.0).isBetween(0.7 * rate, 1.5 * rate);
    }
  }

  @Test
  void everyOptionMatters() {
    List<Double> scores = new ArrayList<>();
    for (AnomalyOptions options :
        List.of(
            AnomalyOptions.DEFAULT,
            new AnomalyOptions(0.3, 0.01, 500, 0),
            AnomalyOptions.DEFAULT.withMaxSize(50),
            new AnomalyOptions(0.1, 0.01, 500, 1))) {
      AnomalyDetector detector = new AnomalyDetector(options);
      Streams.binary(2000, 3, 1).forEach(row -> detector.learn(row.features()));
      scores.add(detector.score(Features.dense(1, 2, 3))[0]);
    }
    assertThat(scores).doesNotHaveDuplicates();
    assertThatThrownBy(() -> new AnomalyOptions(1, 0.1, 10, 0)).hasMessageContaining("1.0");
    assertThatThrownBy(() -> new AnomalyOptions(0.1, 0, 10, 0)).hasMessageContaining("0.0");
    assertThatThrownBy(() -> AnomalyOptions.DEFAULT.withMaxSize(1)).hasMessageContaining("2");
    assertThatThrownBy(() -> new AnomalyOptions(0.1, 0.1, 10, -1)).hasMessageContaining("delta");
  }

  @Test
  void mergedDetectorsScoreLikeOneThatSawAll() {
    AnomalyDetector all = new AnomalyDetector(AnomalyOptions.DEFAULT);
    AnomalyDetector odd = new AnomalyDetector(AnomalyOptions.DEFAULT);
    AnomalyDetector even = new AnomalyDetector(AnomalyOptions.DEFAULT);
    for (int t = 0; t < 8000; t++) {
      Features x = Features.dense(1e5 + 10 * RANDOM.nextGaussian(), RANDOM.nextGaussian());
      all.learn(x);
      (t % 2 == 0 ? even : odd).learn(x);
    }
    even.merge(odd);
    assertThat(even.instances()).isEqualTo(8000);
    assertThat(even.size()).isLessThanOrEqualTo(500);
    for (Instance probe : Streams.binary(100, 2, 5)) {
      Features x = Features.dense(1e5 + 40 * probe.features().get(0), 4 * probe.features().get(1));
      assertThat(even.score(x)[0]).isCloseTo(all.score(x)[0], within(0.15));
    }
    assertThat(even.threshold()).isCloseTo(all.threshold(), within(0.2));
    assertThatThrownBy(() -> even.merge(even)).isInstanceOf(IllegalArgumentException.class);
    AnomalyDetector small = new AnomalyDetector(AnomalyOptions.DEFAULT.withMaxSize(9));
    assertThatThrownBy(() -> even.merge(small)).hasMessageContaining("equal options");
  }

  @Test
  void mutationsBehindAValidChecksumAreRefusedOrUsable() {
    AnomalyDetector detector = new AnomalyDetector(AnomalyOptions.DEFAULT.withMaxSize(30));
    Streams.binary(300, 3, 1).forEach(row -> detector.learn(row.features()));
    Encoder out = new Encoder();
    detector.encode(out);
    byte[] good = out.toBytes();
    SplitMix random = new SplitMix(23);
    for (int i = 0; i < 5_000; i++) {
      byte[] bad = good.clone();
      bad[random.nextInt(random.nextInt(2) == 0 ? 200 : bad.length)] = (byte) random.nextLong();
      byte[] whole = random.nextInt(3) == 0 ? Arrays.copyOf(bad, random.nextInt(9999)) : bad;
      assertThatCode(() -> useIfReadable(whole)).doesNotThrowAnyException();
    }
  }

  private static void useIfReadable(byte[] content) {
    try {
      AnomalyDetector detector =
          ModelFile.parse(ModelFile.frame(AnomalyDetector.KIND, content))
              .read(Map.of(AnomalyDetector.KIND, AnomalyDetector::decode));
      detector.score(Features.dense(0.1, 0.2, 0.3));
      detector.snapshot().predict(Features.dense(0.1, 0.2, 0.3));
    } catch (ModelFileException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  @ParameterizedTest
  @CsvSource({"ad_thyroid, 0.9", "ad_shuttle, 0.97", "ad_smtp, 0.85"})
  void publicAnomaliesAreFound(String name, double expected) throws IOException {
    List<Instance> rows = rows(name);
    Collections.shuffle(rows, new Random(1));
    AnomalyDetector detector = new AnomalyDetector(AnomalyOptions.DEFAULT);
    double[] scores = new double[rows.size()];
    for (int t = 0; t < scores.length; t++) {
      scores[t] = detector.score(rows.get(t).features())[0];
      detector.learn(rows.get(t).features());
    }
    assertThat(area(scores, rows)).isGreaterThan(expected);
  }

  private static List<Instance> rows(String name) throws IOException {
    String folder = System.getenv("AVM_DATA");
    Assumptions.assumeTrue(folder != null, "AVM_DATA does not name a folder with public data sets");
    Path file = Path.of(folder, name + ".libsvm.gz");
    Assumptions.assumeTrue(Files.exists(file), file + " is not there");
    List<Instance> rows = new ArrayList<>();
    try (LibsvmReader reader = LibsvmReader.open(file)) {
      while (reader.next()) {
        rows.add(new Instance(reader.features().copy(), reader.label()));
      }
    }
    return rows;
  }

  /** The share of pairs in order. */
  private static double area(double[] scores, List<Instance> rows) {
    double[] normal =
        IntStream.range(0, scores.length)
            .filter(t -> rows.get(t).label() < 0)
            .mapToDouble(t -> scores[t])
            .sorted()
            .toArray();
    double sum = 0;
    int anomalies = 0;
    for (int t = 0; t < scores.length; t++) {
      if (rows.get(t).label() > 0) {
        int at = Arrays.binarySearch(normal, scores[t]);
        sum += at < 0 ? -at - 1 : at;
        anomalies++;
      }
    }
    return sum / anomalies / normal.length;
  }
}
