package org.avm4j.lab.baseline;

import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * An online learner of f(x) = Σ_j α_j K(x_j, x): at step t f shrinks by its {@link Decay}, and if
 * the {@link StepRule} demands a step, the {@link Budget} adds the instance. All baselines but FOGD
 * and NOGD are such a triple.
 */
final class KernelLearner extends Baseline {
  private final StepRule rule;
  private final Decay decay;
  private final Budget budget;
  private final Expansion f;
  private long t;

  private KernelLearner(BaselineOptions options, StepRule rule, Decay decay, Budget budget) {
    super(options);
    this.rule = rule;
    this.decay = decay;
    this.budget = budget;
    f = new Expansion(options.kernel(), columns());
  }

  /** α_t = y_t at a mistake, y_t f(x_t) ≤ 0; in regression η sign(y_t - f(x_t)) beyond ε. */
  static KernelLearner perceptron(BaselineOptions options, Budget budget) {
    StepRule rule = new StepRule.Mistake(options.eta(), options.epsilon());
    return new KernelLearner(options, rule, new Decay.None(), budget);
  }

  /** α_t = η y_t where y_t f(x_t) < 1; in regression η (y_t - f(x_t)) beyond ε. */
  static KernelLearner gradient(BaselineOptions options, Decay decay, Budget budget) {
    StepRule rule = new StepRule.Gradient(options.eta(), options.epsilon());
    return new KernelLearner(options, rule, decay, budget);
  }

  /** α_t = y_t/(λt) where the margin is below 1, and all others shrink by 1 - 1/t: Pegasos. */
  static KernelLearner pegasos(BaselineOptions options, Budget budget) {
    StepRule rule = new StepRule.Gradient(1, options.epsilon());
    return new KernelLearner(options, rule, new Decay.Harmonic(options.lambda()), budget);
  }

  /** α_t = y_t min(C, 1 - y_t f(x_t)) where that is positive. */
  static KernelLearner passiveAggressive(BaselineOptions options, Budget budget) {
    StepRule rule = new StepRule.PassiveAggressive(options.aggressiveness(), options.epsilon());
    return new KernelLearner(options, rule, new Decay.None(), budget);
  }

  @Override
  void represent(Features x) {
    f.measure(x);
  }

  @Override
  double value(int column) {
    return f.value(column);
  }

  @Override
  StepRule rule() {
    return rule;
  }

  @Override
  void update(LabelStep labelStep) {
    decay.apply(f, ++t);
    if (labelStep.amount() > 0) {
      budget.admit(f, labelStep.times(decay.step(t)));
    } else {
      budget.pass(f, labelStep);
    }
  }

  @Override
  void addColumn() {
    f.addColumn();
  }

  @Override
  int size() {
    return f.size();
  }

  @Override
  Model snapshot() {
    return frozen(f, f::coefficients);
  }

  @Override
  void encodeState(Encoder out) {
    out.int64(t);
    f.encode(out);
    budget.encode(out, f.size());
  }

  @Override
  void decodeState(Decoder in) throws ModelFileException {
    t = in.count("the number of steps");
    f.decode(in, budget.most());
    budget.decode(in, f.size());
  }
}
