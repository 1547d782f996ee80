package org.avm4j.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.data.Schema;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.GridSearch;
import org.avm4j.spec.LearnerFamilies;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.SpecException;
import org.avm4j.spec.Survey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The baselines are learners like those of the core: by name, by words, with a grid. */
class BaselineFamilyTest {
  static List<BaselineOptions> options() {
    List<BaselineOptions> all = new ArrayList<>();
    for (Method method : Method.values()) {
      for (Task task : List.of(Task.binary(), Task.multiclass(), Task.regression())) {
        if (method.supports(task)) {
          BaselineOptions options = BaselineOptions.of(method, task).build();
          all.add(options);
          changes().forEach(change -> all.add(changed(options, change)));
        }
      }
    }
    return all;
  }

  private static BaselineOptions changed(
      BaselineOptions options, Consumer<BaselineOptions.Builder> change) {
    BaselineOptions.Builder builder = Changes.of(options);
    change.accept(builder);
    return builder.build();
  }

  private static List<Consumer<BaselineOptions.Builder>> changes() {
    return List.of(
        b -> b.gamma(0.3),
        b -> b.budget(37),
        b -> b.eta(0.05),
        b -> b.linearEta(0.07),
        b -> b.lambda(0.011),
        b -> b.features(77),
        b -> b.rank(5),
        b -> b.aggressiveness(3),
        b -> b.epsilon(0.2),
        b -> b.threshold(0.4),
        b -> b.clip(5),
        b -> b.toolbox(true),
        b -> b.seed(9));
  }

  @ParameterizedTest
  @MethodSource("options")
  void whatABaselineSaysOfItselfMakesItAgain(BaselineOptions options) {
    OnlineLearner learner = Baselines.create(options);
    LearnerSpec spec = LearnerSpec.of(learner.status().settings());
    OnlineLearner again = new DefaultRules(spec).learner();
    assertThat(again.status()).isEqualTo(learner.status());
    assertThat(((BaselineLearner) again).options()).isEqualTo(options);
  }

  @Test
  void allAreInstalled() {
    assertThat(LearnerFamilies.installed().names())
        .startsWith("avm")
        .containsAll(Arrays.stream(Method.values()).map(Method::id).toList());
  }

  @ParameterizedTest
  @EnumSource(Method.class)
  void whatIsNotGivenIsAsInThePaperAndTheWidthIsThatOfTheData(Method method) {
    DefaultRules rules = rules(Map.of("learner", method.id()));
    BaselineOptions options = ((BaselineLearner) rules.learner()).options();
    double gamma = rules.data().gamma(options.kernel());
    assertThat(options).isEqualTo(BaselineOptions.of(method, Task.binary()).gamma(gamma).build());
  }

  @Test
  void gridsAreThePapers() {
    assertThat(axes("perceptron")).containsExactly("gamma");
    assertThat(axes("ogd")).containsExactly("gamma", "eta");
    assertThat(axes("bsgd-r")).containsExactly("gamma", "lambda");
    assertThat(axes("bpas")).containsExactly("gamma", "aggressiveness");
    List<GridSearch.Axis> given = rules(Map.of("learner", "fogd", "eta", 3)).grid();
    assertThat(given.get(1).values()).containsExactly(3.0);
  }

  private static List<String> axes(String learner) {
    return rules(Map.of("learner", learner)).grid().stream().map(GridSearch.Axis::option).toList();
  }

  private static DefaultRules rules(Map<String, ?> words) {
    LearnerSpec spec = LearnerSpec.of(words);
    Survey survey = new Survey(spec.scaling());
    for (int i = 0; i < 20; i++) {
      survey.add(Features.dense(i, i % 3), i % 2 == 0 ? 1 : -1);
    }
    return new DefaultRules(spec, survey, new Schema(), 20);
  }

  @Test
  void whatABaselineDoesNotHaveIsRefused() {
    assertThatThrownBy(() -> LearnerSpec.of(Map.of("learner", "fogd", "forget", 5)))
        .isInstanceOf(SpecException.class)
        .hasMessage("forget and class-weight are for avm, not for fogd");
    assertThatThrownBy(() -> LearnerSpec.of(Map.of("learner", "fogd", "delta", 5)))
        .hasMessage("delta is not an option of fogd");
    assertThatThrownBy(() -> LearnerSpec.of(Map.of("budget", 5)))
        .hasMessage("budget is not an option of avm");
    assertThatThrownBy(() -> LearnerSpec.of(Map.of("learner", "fogd", "task", "anomaly")))
        .hasMessageStartingWith("task anomaly has no learner, ");
    LearnerSpec regression = LearnerSpec.of(Map.of("learner", "bpas", "task", "regression"));
    assertThatThrownBy(() -> new DefaultRules(regression).learner())
        .hasMessage("bpas is defined for binary, not for regression");
  }
}
