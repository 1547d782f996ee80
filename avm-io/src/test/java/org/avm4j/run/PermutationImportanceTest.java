package org.avm4j.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.Predictor;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.Test;

class PermutationImportanceTest {
  /** The label is the sign of the second of three features. */
  private static List<Instance> rows() {
    SplitMix random = new SplitMix(8);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      double x = random.getAsDouble() - 0.5;
      rows.add(
          new Instance(
              Features.dense(random.getAsDouble(), x, random.getAsDouble()), x > 0 ? 1 : -1));
    }
    return rows;
  }

  private static Predictor model(List<Instance> rows) {
    Pipeline pipeline =
        new DefaultRules(LearnerSpec.of(Map.of("task", "binary", "gamma", 1.0, "delta", 0.3)))
            .pipeline();
    rows.forEach(row -> pipeline.learn(row.features(), row.label()));
    return pipeline.snapshot();
  }

  @Test
  void theFeatureThatDecidesCostsNearlyHalfOfTheAnswers() {
    List<Instance> rows = rows();
    Map<String, Double> rises =
        new PermutationImportance(model(rows), rows, new Schema()).rises(10, 1);
    assertThat(rises.keySet().iterator().next()).isEqualTo("x2");
    assertThat(rises.get("x2")).isBetween(35.0, 55.0);
    assertThat(rises.get("x1")).isCloseTo(0, within(8.0));
    assertThat(rises.get("x3")).isCloseTo(0, within(8.0));
  }

  @Test
  void onlySoManyColumnsAreLookedAt() {
    List<Instance> rows = rows();
    PermutationImportance importance = new PermutationImportance(model(rows), rows, new Schema());
    assertThat(importance.rises(2, 1)).hasSize(2);
    assertThat(importance.rises(3, 1)).isEqualTo(importance.rises(3, 1));
  }
}
