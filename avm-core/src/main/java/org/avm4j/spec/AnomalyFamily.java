package org.avm4j.spec;

import java.util.List;
import java.util.Optional;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;

final class AnomalyFamily implements LearnerFamily {
  static final String NAME = LearnerFamilies.ANOMALY;

  private static final String[] REFUSED = {
    "learner", "loss", "gamma", "update", "prior", "lambda", "c", "forget", "class-weight"
  };

  private static final List<SpecOption> OPTIONS =
      List.of(
          SpecOption.number("support"),
          SpecOption.number("anomaly-rate"),
          SpecOption.number(AvmFamily.DELTA),
          SpecOption.whole(AvmFamily.MAX_SIZE));

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
    return Optional.of(Task.anomaly());
  }

  @Override
  public OnlineLearner create(LearnerSpec spec, DataContext data) {
    AnomalyOptions standard = AnomalyOptions.DEFAULT;
    int size = spec.size(AvmFamily.MAX_SIZE, 0);
    return new AnomalyDetector(
        new AnomalyOptions(
            spec.number("support", standard.support()),
            spec.number("anomaly-rate", standard.rate()),
            size == 0 ? standard.maxSize() : size,
            spec.number(AvmFamily.DELTA, standard.diameter())));
  }

  @Override
  public SpecException refusal(String option) {
    return List.of(REFUSED).contains(option)
        ? new SpecException(
            "{task} anomaly has no {learner}, {loss}, {gamma}, {update}, {prior}, {lambda}, {c},"
                + " {forget} or {class-weight}",
            named(option))
        : new SpecException("{task} anomaly has no {" + option + "}", option, LearnerSpec.TASK);
  }

  /** All options that the sentence names, this one first. */
  private static String[] named(String option) {
    String[] all = new String[REFUSED.length + 2];
    all[0] = option;
    all[1] = LearnerSpec.TASK;
    System.arraycopy(REFUSED, 0, all, 2, REFUSED.length);
    return all;
  }
}
