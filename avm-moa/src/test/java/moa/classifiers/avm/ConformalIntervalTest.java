package moa.classifiers.avm;

import static org.assertj.core.api.Assertions.assertThat;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import moa.classifiers.predictioninterval.PredictionIntervalLearner;
import moa.core.AutoClassDiscovery;
import moa.evaluation.preview.LearningCurve;
import moa.options.ClassOption;
import moa.tasks.MainTask;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MOA's own task measures the intervals. */
class ConformalIntervalTest {
  @TempDir Path folder;

  private static double last(LearningCurve curve, String name) {
    for (int i = 0; i < curve.getMeasurementNameCount(); i++) {
      if (curve.getMeasurementName(i).equals(name)) {
        return curve.getMeasurement(curve.numEntries() - 1, i);
      }
    }
    throw new AssertionError("no measurement " + name);
  }

  private static LearningCurve run(Path arff, int rows, String options) throws Exception {
    String task =
        "EvaluatePrequentialPredictionIntervals -f %d -s (ArffFileStream -f %s) -p (%s %s)"
            .formatted(rows, arff, ConformalInterval.class.getName(), options);
    MainTask parsed = (MainTask) ClassOption.cliStringToObject(task, MainTask.class, null);
    parsed.prepareForUse();
    return (LearningCurve) parsed.doTask();
  }

  private Path arff(List<String> rows, int columns) throws IOException {
    List<String> lines = new ArrayList<>(List.of("@relation rows"));
    for (int c = 0; c < columns; c++) {
      lines.add("@attribute a" + c + " numeric");
    }
    lines.add("@data");
    lines.addAll(rows);
    return Files.write(folder.resolve("rows.arff"), lines);
  }

  /** Numbers whose noise grows with the first column, and doubles in the middle of the stream. */
  private static List<double[]> numbers(int n) {
    SplittableRandom random = new SplittableRandom(7);
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double a = random.nextDouble();
      double b = random.nextDouble();
      double noise = (i < n / 2 ? 1 : 2) * (0.1 + a) * (random.nextDouble() - 0.5);
      rows.add(new double[] {a, b, 5 + 3 * Math.sin(4 * a) + b + noise});
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.8, 0.95})
  void coverageIsWhatWasAskedFor(double level) throws Exception {
    List<String> lines = numbers(4000).stream().map(r -> r[0] + "," + r[1] + "," + r[2]).toList();
    Path rows = arff(lines, 3);
    LearningCurve curve = run(rows, 4000, "-l (avm.AvmRegressor -s 40) -c " + level);
    assertThat(last(curve, "coverage")).isBetween(100 * level - 0.5, 100 * level + 0.5);
    LearningCurve other = run(rows, 4000, "-l (trees.FIMTDD) -c " + level);
    assertThat(last(other, "coverage")).isBetween(100 * level - 0.5, 100 * level + 0.5);
    assertThat(last(curve, "average length"))
        .isPositive()
        .isLessThan(last(other, "average length"));
  }

  @Test
  void coverageHoldsOnRealData() throws Exception {
    String data = System.getenv("AVM_DATA");
    Assumptions.assumeTrue(data != null, "AVM_DATA names no folder with data");
    List<String> rows = new ArrayList<>();
    try (InputStream in = Files.newInputStream(Path.of(data, "cal_housing.libsvm.gz"));
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        rows.add(dense(line));
      }
    }
    LearningCurve curve = run(arff(rows, 9), rows.size(), "-l (avm.AvmRegressor -s 60) -c 0.9");
    assertThat(last(curve, "classified instances")).isGreaterThan(20_000);
    assertThat(last(curve, "coverage")).isBetween(89.5, 90.5);
  }

  /** A line of LIBSVM with eight features as one of ARFF. */
  private static String dense(String line) {
    String[] words = line.trim().split(" ");
    String[] values = {"0", "0", "0", "0", "0", "0", "0", "0", words[0]};
    for (int w = 1; w < words.length; w++) {
      String[] pair = words[w].split(":");
      values[Integer.parseInt(pair[0]) - 1] = pair[1];
    }
    return String.join(",", values);
  }

  private static InstancesHeader header() {
    List<Attribute> attributes = new ArrayList<>();
    for (String name : List.of("a", "b", "y")) {
      attributes.add(new Attribute(name));
    }
    InstancesHeader header = new InstancesHeader(new Instances("test", attributes, 0));
    header.setClassIndex(2);
    return header;
  }

  @Test
  void aCopyGoesOnAloneAndResetForgets() {
    ConformalInterval intervals = new ConformalInterval();
    intervals.getOptions().setViaCLIString("-l (avm.AvmRegressor -s 30) -c 0.9");
    intervals.prepareForUse();
    InstancesHeader header = header();
    Instance asked = null;
    for (double[] values : numbers(300)) {
      asked = new DenseInstance(1, values);
      asked.setDataset(header);
      intervals.trainOnInstance(asked);
    }
    double[] before = intervals.getVotesForInstance(asked);
    assertThat(before).hasSize(3).isSorted().doesNotHaveDuplicates();
    ConformalInterval copy = (ConformalInterval) intervals.copy();
    assertThat(copy.getVotesForInstance(asked)).isEqualTo(before);
    copy.trainOnInstance(asked);
    assertThat(copy.getVotesForInstance(asked)).isNotEqualTo(before);
    assertThat(intervals.getVotesForInstance(asked)).isEqualTo(before);
    intervals.resetLearning();
    assertThat(intervals.getVotesForInstance(asked)).containsExactly(0, 0, 0);
  }

  @Test
  void theListOfTheGuiHasIt() {
    String name = ConformalInterval.class.getName();
    assertThat(AutoClassDiscovery.findClassNames("moa")).contains(name);
    assertThat(
            AutoClassDiscovery.isPublicConcreteClassOfType(name, PredictionIntervalLearner.class))
        .isTrue();
  }
}
