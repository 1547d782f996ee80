package org.avm4j.app;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.data.Instance;
import org.avm4j.run.PreparedData;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.Judge;
import org.avm4j.spec.Judges;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.Survey;
import org.avm4j.table.Scaling;

/**
 * The result of automatic mode on the rows of a search: the error to beat, and the scaling to
 * search with.
 *
 * @param rules the rules for the search, with the chosen scaling unless the user gave one
 * @param metric the error of automatic mode; empty if the learner has no such mode
 */
record AutomaticTrial(DefaultRules rules, OptionalDouble metric) {
  /** Runs automatic mode over these rows, unless the specification is for another learner. */
  static AutomaticTrial of(
      LearnerSpec spec, PreparedData prepared, List<Instance> rows, boolean isHoldout) {
    DefaultRules automatic = prepared.rules(spec);
    if (!automatic.isAutomatic()) {
      return new AutomaticTrial(automatic, OptionalDouble.empty());
    }
    OnlineLearner[] last = new OnlineLearner[1];
    Judges.Learners learners =
        point -> {
          last[0] = automatic.pipeline();
          return last[0];
        };
    Judge judge =
        isHoldout
            ? Judges.holdout(automatic.task(), learners, rows, 0)
            : Judges.prequential(automatic.task(), learners, List.of(rows), 0);
    double metric = judge.judge(Map.of()).metric();
    String chosen =
        last[0].status().automatic().map(Status.Automatic::scaling).orElse(Scaling.NONE.word());
    LearnerSpec searched =
        spec.has(LearnerSpec.SCALE) ? spec : spec.with(LearnerSpec.SCALE, chosen);
    return new AutomaticTrial(rules(searched, prepared, rows), OptionalDouble.of(metric));
  }

  private static DefaultRules rules(LearnerSpec spec, PreparedData prepared, List<Instance> rows) {
    Survey survey = new Survey(spec.scaling());
    rows.forEach(row -> survey.add(row.features(), row.label()));
    return new DefaultRules(spec, survey, prepared.schema(), prepared.rows());
  }

  /** Whether automatic mode has a lower error than this. */
  boolean isBetterThan(double other) {
    return metric.isPresent() && metric.getAsDouble() < other;
  }
}
