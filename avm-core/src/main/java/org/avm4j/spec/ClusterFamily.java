package org.avm4j.spec;

import java.util.List;
import java.util.Optional;
import org.avm4j.Forgetting;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.cluster.ClusterOptions;

final class ClusterFamily implements LearnerFamily {
  static final String NAME = LearnerFamilies.CLUSTER;

  private static final String FORGET = "forget";

  private static final List<SpecOption> OPTIONS =
      List.of(AvmWords.forget(), SpecOption.whole(AvmFamily.MAX_SIZE));

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<SpecOption> options() {
    return OPTIONS;
  }

  @Override
  public Optional<Task> task() {
    return Optional.of(Task.clustering());
  }

  @Override
  public OnlineLearner create(LearnerSpec spec, DataContext data) {
    Forgetting forgetting = AvmWords.forgetting(spec);
    if (forgetting.watchesErrors()) {
      throw new SpecException(
          "{task} cluster has no errors to watch: {forget} must be none or a number of instances",
          FORGET,
          LearnerSpec.TASK);
    }
    int size = spec.size(AvmFamily.MAX_SIZE, 0);
    return new ClusterLearner(
        new ClusterOptions(
            size == 0 ? ClusterOptions.DEFAULT.maxSize() : size,
            forgetting.forgets() ? (long) forgetting.horizon() : 0));
  }

  @Override
  public SpecException refusal(String option) {
    return new SpecException("{task} cluster has no {" + option + "}", option, LearnerSpec.TASK);
  }
}
