package org.avm4j.lab.paper;

import java.util.ArrayList;
import java.util.List;

/** The runs that a study makes of a method on a data set: one for a table, many for a sweep. */
final class Sweep {
  private static final int STEPS = 10;
  private static final int[] BUDGETS = {50, 100, 200, 400, 800};
  private static final int FEATURES_A_VECTOR = 4;

  private Sweep() {}

  /** The first run of each variant. */
  static List<Experiment> of(Study study, DataSet set, Contender contender, Settings recorded) {
    return variants(study, set, contender).stream()
        .map(variant -> Experiment.of(study, set, contender, recorded, variant, 1))
        .toList();
  }

  private static List<Settings> variants(Study study, DataSet set, Contender contender) {
    return switch (study) {
      case HYPERPARAMETERS -> {
        List<Settings> all = new ArrayList<>(diameters(set));
        all.addAll(samplings());
        yield all;
      }
      case BUDGET -> budgets(contender);
      case COVERAGE -> List.of();
      default -> List.of(Settings.NONE);
    };
  }

  /** δ from half the paper's choice to one and a half times it. */
  static List<Settings> diameters(DataSet set) {
    double delta = set.settings().number("delta");
    List<Settings> all = new ArrayList<>();
    for (int i = 0; i <= STEPS; i++) {
      all.add(Settings.NONE.with("delta", delta * (STEPS + 2 * i) / (2.0 * STEPS)));
    }
    return all;
  }

  /** β from 0 to 10 and ρ from 0.5 to 1.5, ten values each; β = 0 has no ρ. */
  static List<Settings> samplings() {
    List<Settings> all = new ArrayList<>();
    all.add(Settings.NONE.with("beta", 0));
    for (double beta : steps(0, 10)) {
      for (double rho : beta == 0 ? new double[0] : steps(0.5, 1.5)) {
        all.add(Settings.NONE.with("beta", beta).with("rho", rho));
      }
    }
    return all;
  }

  /** Ten values at equal steps. */
  static double[] steps(double from, double to) {
    double[] steps = new double[STEPS];
    for (int i = 0; i < STEPS; i++) {
      steps[i] = Math.round(1000 * (from + i * (to - from) / (STEPS - 1))) / 1000.0;
    }
    return steps;
  }

  private static List<Settings> budgets(Contender contender) {
    List<Settings> all = new ArrayList<>();
    for (int budget : BUDGETS) {
      if (contender == Contender.FOGD) {
        all.add(Settings.NONE.with("features", FEATURES_A_VECTOR * budget));
      } else if (contender == Contender.AVM_NEWTON) {
        all.add(Settings.NONE.with("cap", budget));
      } else if (contender.isAvm()) {
        return List.of(Settings.NONE);
      } else {
        all.add(Settings.NONE.with("budget", budget));
      }
    }
    return all;
  }
}
