package org.avm4j.auto;

import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Forgetting;
import org.avm4j.Update;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** A small machine that forgets, with or without the latest label among its features. */
final class ForgettingMachine {
  /**
   * How an expert differs from the machine that won the race.
   *
   * @param size the most core points
   * @param horizon the instances that it stands for, or {@link #SINCE_DRIFT}
   * @param narrowness its γ as a part of that of the winner
   * @param seesLabel whether the latest label is among its features
   */
  record Plan(int size, int horizon, double narrowness, boolean seesLabel) {
    /** It stands for all instances since its error last rose. */
    static final int SINCE_DRIFT = 0;

    private static final double PRIOR = 0.1;

    private Forgetting forgetting() {
      return horizon == SINCE_DRIFT ? new Forgetting.Auto() : new Forgetting.Horizon(horizon);
    }

    /** The options of its machine, with a linear part of a given number of features. */
    AvmOptions options(AvmOptions winner, int linear) {
      double gamma = narrowness * winner.kernel().gamma();
      return winner
          .change()
          .kernel(winner.kernel().withGamma(gamma))
          .update(new Update.Newton(PRIOR, linear))
          .maxSize(size, winner.limit())
          .forgetting(forgetting())
          .build();
    }
  }

  private final Avm machine;
  private final boolean seesLabel;

  private ForgettingMachine(Avm machine, boolean seesLabel) {
    this.machine = machine;
    this.seesLabel = seesLabel;
  }

  static ForgettingMachine of(Plan plan, AvmOptions winner, int linear) {
    return new ForgettingMachine(new Avm(plan.options(winner, linear)), plan.seesLabel);
  }

  Avm machine() {
    return machine;
  }

  boolean seesLabel() {
    return seesLabel;
  }

  void learn(Features row, double label, double weight) {
    machine.learn(row, label, weight);
  }

  void encode(Encoder out) {
    out.bool(seesLabel);
    out.section("machine", machine::encode);
  }

  static ForgettingMachine decode(Decoder in) throws ModelFileException {
    boolean seesLabel = in.bool();
    return new ForgettingMachine(in.section("machine", Avm::decode), seesLabel);
  }
}
