package org.avm4j.lab.baseline;

import org.avm4j.OnlineLearner;

/** Creates baselines. */
public final class Baselines {
  private Baselines() {}

  /** An untrained learner. */
  public static OnlineLearner create(BaselineOptions options) {
    return new BaselineLearner(options);
  }

  /** Creates a batch learner. */
  public static BatchLearner create(BatchOptions options) {
    return switch (options.method()) {
      case LIBSVM -> new Libsvm(options);
      case LLSVM -> new Llsvm(options);
    };
  }

  static Baseline make(BaselineOptions options) {
    int budget = options.budget();
    return switch (options.method()) {
      case PERCEPTRON -> KernelLearner.perceptron(options, new Budget.Unbounded());
      case OGD -> KernelLearner.gradient(options, new Decay.None(), new Budget.Unbounded());
      case RBP -> KernelLearner.perceptron(options, Budget.Randomly.plain(budget, options.seed()));
      case FORGETRON -> KernelLearner.perceptron(options, forgetron(options));
      case PROJECTRON ->
          KernelLearner.perceptron(options, projecting(options, new Projecting.Nothing()));
      case PROJECTRON_PLUS_PLUS ->
          KernelLearner.perceptron(options, projecting(options, marginStep(options)));
      case BPAS -> KernelLearner.passiveAggressive(options, new Budget.Replacing(budget));
      case BOGD -> bogd(options);
      case FOGD -> new Fogd(options);
      case NOGD -> new Nogd(options);
      case BSGD_M -> KernelLearner.pegasos(options, new Merging(budget));
      case BSGD_R -> KernelLearner.pegasos(options, new Budget.Smallest(budget));
    };
  }

  private static Budget forgetron(BaselineOptions options) {
    double step = options.isRegression() ? options.eta() : 1;
    return new Forgetron(options.budget(), step, options.toolbox());
  }

  private static Budget projecting(BaselineOptions options, Projecting.Margin margin) {
    double threshold = options.toolbox() ? 0 : options.threshold();
    return new Projecting(options.budget(), threshold, margin);
  }

  private static Projecting.Margin marginStep(BaselineOptions options) {
    return options.toolbox()
        ? Projecting.Bounded.forBudget(options.budget())
        : new Projecting.Sure(options.threshold());
  }

  /**
   * BOGD: α ← (1 - ηλ) α, then the uniform sampling of the paper. In the toolboxes, and in
   * regression, where the bound on the coefficients has no meaning, the oldest vector is removed
   * instead.
   */
  private static Baseline bogd(BaselineOptions options) {
    double bound = options.clip() * options.eta();
    Budget budget =
        options.toolbox() || options.isRegression()
            ? new Budget.Oldest(options.budget())
            : Budget.Randomly.unbiased(options.budget(), bound, options.seed());
    Decay decay = new Decay.Constant(1 - options.eta() * options.lambda());
    return KernelLearner.gradient(options, decay, budget);
  }
}
