package org.avm4j.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.avm4j.eval.Metrics;
import org.avm4j.math.SplitMix;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.Test;

class CrossValidationTest {
  private static final LearnerSpec SPEC =
      LearnerSpec.of(Map.of("gamma", 8.0, "delta", 0.2, "scale", "standard"));

  /** A product of two numbers decides; with noise, nothing does. */
  private static List<Instance> rows(int count, boolean isNoise) {
    SplitMix random = new SplitMix(4);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double a = random.getAsDouble() - 0.5;
      double b = random.getAsDouble() - 0.5;
      boolean isUp = isNoise ? random.nextInt(3) == 0 : a * b > 0.05;
      rows.add(new Instance(Features.dense(a, b), isUp ? 1 : -1));
    }
    return rows;
  }

  private static CrossValidation.Result run(List<Instance> rows, int folds) {
    return new CrossValidation(SPEC, new Schema()).run(rows, folds, Runnable::run);
  }

  @Test
  void everyRowIsAnsweredOnceByAModelThatIsGood() {
    List<Instance> rows = rows(603, false);
    CrossValidation.Result result = run(rows, 5);
    assertThat(result.total().instances()).isEqualTo(603);
    assertThat(result.folds()).hasSize(5);
    assertThat(result.folds()).allMatch(fold -> Math.abs(fold.instances() - 120.6) < 1);
    double weighted =
        result.folds().stream().mapToDouble(fold -> fold.value() * fold.instances()).sum() / 603;
    assertThat(result.total().value()).isCloseTo(weighted, within(1e-9)).isLessThan(20);
  }

  /** A model that had seen its rows would do better than chance on noise. */
  @Test
  void nothingLeaks() {
    double mistakes = run(rows(900, true), 3).total().value();
    assertThat(mistakes).isGreaterThan(28);
  }

  @Test
  void classesAreSpreadEvenly() {
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      rows.add(new Instance(Features.dense(i, 1), i < 8 ? 1 : -1));
    }
    for (Metrics fold : run(rows, 4).folds()) {
      Map<?, ?> matrix = (Map<?, ?>) fold.all(Double::toString).get("confusion");
      List<?> positives = (List<?>) ((List<?>) matrix.get("counts")).get(1);
      assertThat((Long) positives.get(0) + (Long) positives.get(1)).isEqualTo(2);
    }
  }

  @Test
  void theNumberOfThreadsChangesNothing() {
    ExecutorService two = Executors.newFixedThreadPool(2);
    try {
      List<Instance> rows = rows(300, false);
      CrossValidation.Result other = new CrossValidation(SPEC, new Schema()).run(rows, 3, two);
      assertThat(other.total().all(Double::toString))
          .isEqualTo(run(rows, 3).total().all(Double::toString));
    } finally {
      two.shutdown();
    }
  }

  @Test
  void thereMustBeARowForEachFold() {
    assertThatThrownBy(() -> run(rows(3, false), 4))
        .hasMessage("folds must be from 2 to the 3 rows: 4");
  }
}
