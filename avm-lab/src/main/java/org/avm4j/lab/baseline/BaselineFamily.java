package org.avm4j.lab.baseline;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Kernel;
import org.avm4j.OnlineLearner;
import org.avm4j.spec.DataContext;
import org.avm4j.spec.GridSearch.Axis;
import org.avm4j.spec.LearnerFamily;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.PaperGrids;
import org.avm4j.spec.SpecException;
import org.avm4j.spec.SpecOption;

/**
 * A baseline as a learner family. Defaults are those of its paper, except for γ, which is derived
 * from the distances between rows.
 *
 * @param method the baseline
 */
record BaselineFamily(Method method) implements LearnerFamily {
  private static final String GAMMA = "gamma";
  private static final String ETA = "eta";
  private static final String LAMBDA = "lambda";
  private static final String AGGRESSIVENESS = "aggressiveness";

  private static final List<SpecOption> OPTIONS =
      List.of(
          SpecOption.number(GAMMA),
          SpecOption.whole("budget"),
          SpecOption.number(ETA),
          SpecOption.number("linear-eta"),
          SpecOption.number(LAMBDA),
          SpecOption.whole("features"),
          SpecOption.whole("rank"),
          SpecOption.number(AGGRESSIVENESS),
          SpecOption.number("epsilon"),
          SpecOption.number("threshold"),
          SpecOption.number("clip"),
          SpecOption.flag("toolbox"));

  @Override
  public String name() {
    return method.id();
  }

  @Override
  public List<SpecOption> options() {
    return OPTIONS;
  }

  @Override
  public OnlineLearner create(LearnerSpec spec, DataContext data) {
    return Baselines.create(baselineOptions(spec, data));
  }

  private BaselineOptions baselineOptions(LearnerSpec spec, DataContext data) {
    BaselineOptions.Builder builder = BaselineOptions.of(method, data.task());
    BaselineOptions standard = builder.build();
    return builder
        .gamma(spec.has(GAMMA) ? spec.number(GAMMA, 1) : data.gamma(Kernel.gaussian(1)))
        .budget(spec.size("budget", standard.budget()))
        .eta(spec.number(ETA, standard.eta()))
        .linearEta(spec.number("linear-eta", 0))
        .lambda(spec.number(LAMBDA, standard.lambda()))
        .features(spec.size("features", standard.features()))
        .rank(spec.size("rank", 0))
        .aggressiveness(spec.number(AGGRESSIVENESS, standard.aggressiveness()))
        .epsilon(spec.number("epsilon", standard.epsilon()))
        .threshold(spec.number("threshold", standard.threshold()))
        .clip(spec.number("clip", standard.clip()))
        .toolbox(spec.flag("toolbox"))
        .seed(spec.seed())
        .build();
  }

  @Override
  public List<Axis> grid(LearnerSpec spec, DataContext data) {
    List<Axis> axes = new ArrayList<>();
    axes.add(spec.axis(GAMMA, PaperGrids.gamma()));
    switch (method) {
      case OGD, BOGD, FOGD, NOGD -> axes.add(spec.axis(ETA, PaperGrids.eta()));
      case BSGD_M, BSGD_R -> axes.add(spec.axis(LAMBDA, PaperGrids.lambda(data.knownRows())));
      case BPAS -> axes.add(spec.axis(AGGRESSIVENESS, PaperGrids.aggressiveness()));
      default -> {}
    }
    return axes;
  }

  @Override
  public SpecException refusal(String option) {
    return option.equals("forget") || option.equals("class-weight")
        ? new SpecException(
            "{forget} and {class-weight} are for avm, not for " + name(), "forget", "class-weight")
        : LearnerFamily.super.refusal(option);
  }
}
