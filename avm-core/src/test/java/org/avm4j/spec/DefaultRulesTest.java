package org.avm4j.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Limit;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefaultRulesTest {
  private static final int ROWS = 200;

  /** Two classes, 3 and 8, that lie apart. */
  static List<Instance> rows(int count) {
    SplitMix random = new SplitMix(1);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean isHigh = random.nextInt(2) == 0;
      double x = random.getAsDouble() + (isHigh ? 10 : 0);
      rows.add(new Instance(Features.dense(x, random.getAsDouble()), isHigh ? 8 : 3));
    }
    return rows;
  }

  private static DefaultRules rules(Map<String, ?> words) {
    return rules(words, row -> row.label());
  }

  private static DefaultRules rules(
      Map<String, ?> words, java.util.function.ToDoubleFunction<Instance> label) {
    LearnerSpec spec = LearnerSpec.of(words);
    Survey survey = new Survey(spec.scaling());
    rows(ROWS).forEach(row -> survey.add(row.features(), label.applyAsDouble(row)));
    return new DefaultRules(spec, survey, new Schema(), ROWS);
  }

  private static DefaultRules numbers(Map<String, ?> words) {
    return rules(words, row -> 100 + row.features().value(0) / 3);
  }

  @Test
  void automaticModeNeedsNoLook() {
    Pipeline pipeline = new DefaultRules(LearnerSpec.automatic()).pipeline();
    for (Instance row : rows(ROWS)) {
      pipeline.learn(row.features(), row.label());
    }
    assertThat(pipeline.task()).isEqualTo(Task.binary());
    assertThat(pipeline.classes()).containsExactly(3, 8);
    Status status = pipeline.status();
    assertThat(status.instances()).isEqualTo(ROWS);
    assertThat(status.automatic().orElseThrow().free())
        .containsExactly(
            "change", "kernel", "linear", "loss", "metric", "prior", "scaling", "task", "tree",
            "width");
    long mistakes =
        rows(ROWS).stream().filter(row -> pipeline.predict(row.features()) != row.label()).count();
    assertThat(mistakes).isZero();
  }

  @Test
  void whatIsGivenIsNotRacedFor() {
    LearnerSpec spec =
        LearnerSpec.of(Map.of("kernel", "matern32", "scale", "standard", "loss", "l1"));
    Status.Automatic mode = new DefaultRules(spec).pipeline().status().automatic().orElseThrow();
    assertThat(mode.free())
        .containsExactly("change", "linear", "metric", "prior", "task", "tree", "width");
    assertThat(rules(Map.of()).pipeline().status().automatic().orElseThrow().free())
        .containsExactly(
            "change", "kernel", "linear", "metric", "prior", "scaling", "tree", "width");
    assertThat(rules(Map.of("change", "none")).pipeline().status().automatic().orElseThrow().free())
        .doesNotContain("change");
    assertThat(rules(Map.of("metric", "none")).pipeline().status().automatic().orElseThrow().free())
        .doesNotContain("metric");
    assertThat(rules(Map.of("max-size", 9)).pipeline().status().automatic().orElseThrow().free())
        .doesNotContain("tree", "change", "metric");
    assertThat(rules(Map.of("delta", 1)).pipeline().status().automatic().orElseThrow().free())
        .doesNotContain("scaling");
  }

  @ParameterizedTest
  @CsvSource({"task", "gamma", "delta"})
  void whatOnlyDataTellsMustBeGivenWithoutALook(String option) {
    Map<String, Object> words = new java.util.HashMap<>();
    words.putAll(Map.of("task", "binary", "gamma", 1, "delta", 1, "update", "sgd"));
    assertThat(new DefaultRules(LearnerSpec.of(words)).learner().task()).isEqualTo(Task.binary());
    words.remove(option);
    assertThatThrownBy(() -> new DefaultRules(LearnerSpec.of(words)).learner())
        .isInstanceOf(SpecException.class)
        .hasMessage(option + " must be given, because no data was read beforehand");
  }

  @Test
  void scalingNeedsALookUnlessItIsRaced() {
    LearnerSpec spec = LearnerSpec.of(Map.of("scale", "unit", "gamma", 1, "task", "binary"));
    assertThatThrownBy(() -> new DefaultRules(spec).pipeline())
        .hasMessage("scale needs data that is read beforehand, except in automatic mode");
    DefaultRules rules = rules(Map.of("scale", "unit", "gamma", 1));
    assertThat(rules.preparation().scaler().scaling()).isEqualTo(Scaling.UNIT);
  }

  @ParameterizedTest
  @CsvSource({
    "gamma,1,newton",
    "prior,1,newton",
    "lambda,1,sgd",
    "c,1,sgd",
    "y-max,1,sgd",
    "y-max,0,newton",
    "output,average,sgd",
    "output,last,newton",
    "coverage,none,sgd",
    "coverage,rectangle,newton"
  })
  void optionsThatOnlySgdHasImplyIt(String option, String value, String update) {
    LearnerSpec spec = LearnerSpec.of(Map.of(option, value)).with("gamma", 1);
    assertThat(rules(spec.words()).avmOptions().update().word()).isEqualTo(update);
  }

  @Test
  void theStepThatIsGivenIsTaken() {
    assertThat(rules(Map.of("update", "newton", "lambda", 1)).avmOptions().update().word())
        .isEqualTo("newton");
    assertThat(rules(Map.of("update", "sgd")).isAutomatic()).isFalse();
  }

  @Test
  void widthAndDiameterComeFromTheDistances() {
    DefaultRules rules = rules(Map.of("update", "sgd"));
    AvmOptions options = rules.avmOptions();
    Survey survey = rules.data().survey().orElseThrow();
    assertThat(options.kernel().gamma()).isEqualTo(survey.gamma(options.kernel()));
    assertThat(options.coverage().diameter()).isEqualTo(survey.diameter());
    assertThat(options.maxSize()).isZero();
    assertThat(options.limit()).isEqualTo(Limit.APPROXIMATE);
  }

  @Test
  void lambdaComesFromTheRows() {
    assertThat(rules(Map.of("update", "sgd")).regularization()).isEqualTo(1.0 / ROWS);
    assertThat(rules(Map.of("update", "sgd", "forget", 50)).regularization()).isEqualTo(1.0 / 50);
    assertThat(rules(Map.of("update", "sgd", "forget", 500)).regularization())
        .isEqualTo(1.0 / ROWS);
    assertThat(rules(Map.of("c", 4)).regularization()).isEqualTo(1.0 / (4 * ROWS));
    assertThat(rules(Map.of("lambda", 0.3)).regularization()).isEqualTo(0.3);
    assertThat(new DefaultRules(LearnerSpec.automatic()).regularization()).isEqualTo(1e-5);
    assertThatThrownBy(() -> rules(Map.of("c", 1, "lambda", 1)).regularization())
        .hasMessage("c and lambda set the same parameter, give one of them");
    assertThatThrownBy(() -> new DefaultRules(LearnerSpec.of(Map.of("c", 1))).regularization())
        .hasMessageStartingWith("c needs the number of rows");
  }

  @Test
  void labelsAreCentredForTheSecondOrderStepAlone() {
    assertThat(numbers(Map.of("gamma", 1)).preparation().labels())
        .isInstanceOf(Labels.Standard.class);
    assertThat(numbers(Map.of("update", "sgd")).preparation().labels())
        .isEqualTo(new Labels.Plain());
    assertThat(numbers(Map.of()).preparation().labels()).isEqualTo(new Labels.Plain());
    assertThat(rules(Map.of()).preparation().labels()).isEqualTo(new Labels.Pair(3, 8));
  }

  @Test
  void probabilitiesNeedClasses() {
    assertThat(rules(Map.of("probability", true)).pipeline().isCalibrated()).isTrue();
    assertThat(rules(Map.of()).pipeline().isCalibrated()).isFalse();
    assertThatThrownBy(() -> numbers(Map.of("probability", true)).pipeline())
        .hasMessage("probability needs classes to be predicted, the task is regression");
  }

  @Test
  void aSingleMachineStandsForTheRace() {
    DefaultRules rules = rules(Map.of("kernel", "laplacian"));
    assertThat(rules.isAutomatic()).isTrue();
    assertThat(rules.single().isAutomatic()).isFalse();
    assertThat(rules.single().avmOptions().kernel().word()).isEqualTo("laplacian");
    AvmOptions sized = rules.ofSize(40).avmOptions();
    assertThat(sized.maxSize()).isEqualTo(40);
    assertThat(sized.limit()).isEqualTo(Limit.MERGE);
    assertThat(sized.coverage().diameter()).isLessThan(1e-6);
    assertThat(rules(Map.of("gamma", 1)).ofSize(40).avmOptions().limit())
        .isEqualTo(Limit.APPROXIMATE);
    assertThatThrownBy(() -> rules(Map.of("task", "anomaly")).avmOptions())
        .hasMessage("learner must be avm here, not anomaly");
  }

  @Test
  void theGridIsThePapers() {
    assertThat(rules(Map.of()).grid())
        .extracting(GridSearch.Axis::option)
        .containsExactly("gamma", "delta", "prior");
    List<GridSearch.Axis> axes = rules(Map.of("update", "sgd", "delta", 2)).grid();
    assertThat(axes)
        .extracting(GridSearch.Axis::option)
        .containsExactly("gamma", "delta", "lambda");
    assertThat(axes.get(0).values()).hasSize(7).startsWith(1.0 / 256).endsWith(256.0);
    assertThat(axes.get(1).values()).containsExactly(2.0);
    assertThat(axes.get(2).values()).hasSize(11);
    assertThat(axes.get(2).values().get(2)).isCloseTo(1.0 / ROWS, within(1e-15));
    assertThat(rules(Map.of("c", 2)).grid().get(2).values()).containsExactly(1.0 / (2 * ROWS));
  }

  @Test
  void classWeightsNameClassesOfTheData() {
    AvmOptions options = rules(Map.of("gamma", 1, "class-weight", "3=2,8=5")).avmOptions();
    assertThat(options.classWeights().given()).containsEntry(-1.0, 2.0).containsEntry(1.0, 5.0);
    assertThatThrownBy(() -> rules(Map.of("gamma", 1, "class-weight", "x=2")).avmOptions())
        .hasMessage("there is no class 'x', the labels so far are numbers");
    assertThatThrownBy(() -> rules(Map.of("gamma", 1, "class-weight", "3=2,3=5")).avmOptions())
        .hasMessage("class-weight must be balanced, or CLASS=X for different classes: '3=5'");
  }
}
