package org.avm4j.lab.baseline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.avm4j.LearnerContract;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every baseline, for every task it is defined for, under the contract of all learners. */
@ParameterizedClass
@MethodSource("forms")
@Tag("slow")
class BaselineContractTest extends LearnerContract {
  private static final int BUDGET = 60;
  private static final int FEATURES = 80;

  private final BaselineOptions options;

  BaselineContractTest(BaselineOptions options) {
    this.options = options;
  }

  static Stream<BaselineOptions> forms() {
    List<Task> tasks = List.of(Task.binary(), Task.multiclass(), Task.regression());
    return Stream.of(Method.values())
        .flatMap(method -> tasks.stream().filter(method::supports).map(task -> form(method, task)))
        .flatMap(form -> Stream.of(form, Changes.of(form).toolbox(true).build()))
        .filter(form -> !form.toolbox() || hasVariant(form));
  }

  private static boolean hasVariant(BaselineOptions form) {
    return switch (form.method()) {
      case FORGETRON, PROJECTRON, PROJECTRON_PLUS_PLUS, NOGD -> true;
      case BOGD -> form.task().kind() == Task.Kind.BINARY;
      default -> false;
    };
  }

  private static BaselineOptions form(Method method, Task task) {
    return BaselineOptions.of(method, task)
        .gamma(2)
        .budget(BUDGET)
        .features(FEATURES)
        .rank(30)
        .lambda(0.01)
        .build();
  }

  @Override
  protected OnlineLearner make() {
    return Baselines.create(options);
  }

  @Override
  protected OnlineLearner load(Path file) throws IOException {
    return OnlineLearner.load(file);
  }

  @Override
  protected Task task() {
    return options.task();
  }

  @Override
  protected int bound() {
    return switch (options.method()) {
      case PERCEPTRON, OGD -> 0;
      case FOGD -> FEATURES;
      default -> BUDGET;
    };
  }
}
