package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.avm4j.Certainty.Interval;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Intervals and sets of labels come out of ONNX and JSON as they come out of the model. */
@Tag("slow")
class CertaintyExportTest {
  private static final int BATCH = 512;

  /** The difference of scores between floats and doubles, over the range of the answers. */
  private static final double PRECISION = 1e-4;

  private static PreparedModel learned(List<Instance> rows, Map<String, Object> words) {
    Map<String, Object> all = new HashMap<>(words);
    all.put("interval", 90);
    Pipeline learner = new DefaultRules(LearnerSpec.of(all)).pipeline();
    return Streams.learned(learner, rows).snapshot();
  }

  private static Map<String, Object> machine(String task) {
    return Map.of("task", task, "gamma", 2, "delta", 0.1, "max-size", 60);
  }

  private static JsonNode json(PreparedModel model) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JsonExport.write(model, bytes);
    return new ObjectMapper().readTree(bytes.toByteArray());
  }

  /** The half width by the rule of docs/exports.md. */
  private static double halfWidth(JsonNode interval, double answer) {
    JsonNode at = interval.get("answers");
    JsonNode widths = interval.get("halfWidths");
    int i = 0;
    while (i < at.size() && at.get(i).asDouble() <= answer) {
      i++;
    }
    if (i == 0 || i == at.size()) {
      return widths.get(i == 0 ? 0 : i - 1).asDouble();
    }
    double part =
        (answer - at.get(i - 1).asDouble()) / (at.get(i).asDouble() - at.get(i - 1).asDouble());
    double from = Math.log(widths.get(i - 1).asDouble());
    return Math.exp(from + part * (Math.log(widths.get(i).asDouble()) - from));
  }

  private static void assertIntervals(PreparedModel frozen, List<Instance> rows) throws Exception {
    PreparedModel model = frozen.detached();
    JsonNode interval = json(frozen).get("interval");
    assertThat(interval.get("level").asDouble()).isEqualTo(0.9);
    double range = range(rows);
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(frozen))) {
      for (int from = 0; from < rows.size(); from += BATCH) {
        List<Instance> batch = rows.subList(from, Math.min(rows.size(), from + BATCH));
        Map<String, Object> found = runtime.run(features(batch));
        assertThat(found).containsOnlyKeys("prediction", "lower", "upper");
        for (int r = 0; r < batch.size(); r++) {
          Prediction answer = model.answer(batch.get(r).features());
          Interval ours = answer.interval(0.9);
          double half = halfWidth(interval, answer.label());
          assertThat(half).isCloseTo(ours.width() / 2, within(1e-9 * (1 + ours.width())));
          double near = PRECISION * range;
          assertThat(((double[]) found.get("lower"))[r]).isCloseTo(ours.low(), within(near));
          assertThat(((double[]) found.get("upper"))[r]).isCloseTo(ours.high(), within(near));
        }
      }
    }
  }

  private static double range(List<Instance> rows) {
    double[] labels = rows.stream().mapToDouble(Instance::label).sorted().toArray();
    return labels[labels.length - 1] - labels[0];
  }

  /** A label is in one set and not in the other only where it is at the threshold. */
  private static void assertSets(PreparedModel frozen, List<Instance> rows) throws Exception {
    PreparedModel model = frozen.detached();
    double threshold = json(frozen).get("labelSet").get("threshold").asDouble();
    Set<Integer> sizes = new HashSet<>();
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(frozen))) {
      for (int from = 0; from < rows.size(); from += BATCH) {
        List<Instance> batch = rows.subList(from, Math.min(rows.size(), from + BATCH));
        Map<String, Object> found = runtime.run(features(batch));
        assertThat(found).containsOnlyKeys("label", "scores", "probabilities", "label_set");
        for (int r = 0; r < batch.size(); r++) {
          Prediction answer = model.answer(batch.get(r).features());
          boolean[] theirs = ((boolean[][]) found.get("label_set"))[r];
          double[] set = answer.labels(0.9);
          sizes.add(set.length);
          for (int c = 0; c < theirs.length; c++) {
            boolean isIn = Arrays.binarySearch(set, answer.classes()[c]) >= 0;
            double strangeness = 1 - answer.probabilities()[c];
            assertThat(strangeness <= threshold).isEqualTo(isIn);
            if (theirs[c] != isIn) {
              assertThat(strangeness).isCloseTo(threshold, within(PRECISION));
            }
          }
        }
      }
    }
    assertThat(sizes).hasSizeGreaterThan(1);
  }

  private static List<Features> features(List<Instance> rows) {
    return rows.stream().map(Instance::features).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void numbersHaveIntervals(boolean isDetached) throws Exception {
    PreparedModel model = learned(Streams.waves(1500, 4), machine("regression"));
    assertIntervals(isDetached ? model.detached() : model, Streams.waves(500, 5));
  }

  @Test
  void classesHaveSets() throws Exception {
    assertSets(learned(Streams.signs(1000, 4), machine("binary")), Streams.signs(500, 5));
    List<Instance> rows = Streams.spirals(1000, 3, 4);
    assertSets(learned(rows, machine("multiclass")), Streams.spirals(500, 3, 5));
  }

  @Test
  void whatIsNotAskedForIsNotThere() throws Exception {
    Pipeline numbers = new DefaultRules(LearnerSpec.of(machine("regression"))).pipeline();
    PreparedModel model = Streams.learned(numbers, Streams.waves(300, 4)).snapshot();
    assertThat(json(model).has("interval")).isFalse();
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      assertThat(runtime.session().getOutputNames()).containsExactly("prediction");
    }
  }

  /** Automatic mode, whose snapshots are mixtures that the exporters detach. */
  @ParameterizedTest
  @CsvSource({"cal_housing, true", "casp, true", "letter.scale, false", "ijcnn1, false"})
  void realDataHaveTheSameIntervalsAndSets(String name, boolean areNumbers) throws Exception {
    List<Instance> rows = Streams.data(name, 0, 8000);
    PreparedModel model = learned(rows.subList(0, 2100), Map.of());
    List<Instance> asked = rows.subList(2100, rows.size());
    if (areNumbers) {
      assertIntervals(model, asked);
    } else {
      assertSets(model, asked);
    }
  }
}
