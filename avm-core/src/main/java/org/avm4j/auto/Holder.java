package org.avm4j.auto;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Who answers: of several contenders the one that has lost least lately. Whoever holds is replaced
 * by one that is better by more than chance over a short window, or over a long one if it is not
 * worse over the short one. The first contender takes over as soon as it is better over both.
 *
 * <p>For each pair, the differences of losses and their squares are summed over windows that fade;
 * chance is {@value #SURE} times the root of the latter.
 */
final class Holder {
  private static final double[] WINDOWS = {500, 10_000};
  private static final double SURE = 2;

  private final int contenders;
  private final double[][][] gain;
  private final double[][][] spread;
  private int holds;

  Holder(int contenders) {
    this.contenders = contenders;
    gain = new double[WINDOWS.length][contenders][contenders];
    spread = new double[WINDOWS.length][contenders][contenders];
  }

  /** The contender that answers. */
  int holds() {
    return holds;
  }

  /** Takes in the losses of all contenders for one instance. */
  void add(double[] losses, double weight) {
    for (int w = 0; w < WINDOWS.length; w++) {
      double keep = 1 - 1 / WINDOWS[w];
      double share = Math.min(weight, WINDOWS[w]);
      for (int i = 0; i < contenders; i++) {
        for (int j = 0; j < contenders; j++) {
          double difference = losses[j] - losses[i];
          gain[w][i][j] = keep * gain[w][i][j] + share * difference;
          spread[w][i][j] = keep * spread[w][i][j] + share * difference * difference;
        }
      }
    }
    choose();
  }

  private void choose() {
    int best = holds;
    double most = 0;
    for (int i = 0; i < contenders; i++) {
      double excess = i == holds ? 0 : excess(i);
      if (excess > most) {
        best = i;
        most = excess;
      }
    }
    holds = best;
  }

  /** The long window counts only for one that is not worse over the short one. */
  private double excess(int contender) {
    double lately = excess(0, contender);
    return gain[0][contender][holds] > 0 ? Math.max(lately, excess(1, contender)) : lately;
  }

  /** By how many times chance a contender is better than the holder, less what it must be. */
  private double excess(int w, int contender) {
    double chance = Math.sqrt(spread[w][contender][holds] + 1);
    boolean isEasy = contender == 0 && w == 1;
    return gain[w][contender][holds] / chance - (isEasy ? 0 : SURE);
  }

  /** The first contender holds again. */
  void rest() {
    holds = 0;
  }

  void encode(Encoder out) {
    out.int32(holds);
    for (int w = 0; w < WINDOWS.length; w++) {
      for (int i = 0; i < contenders; i++) {
        out.doubles(gain[w][i], contenders);
        out.doubles(spread[w][i], contenders);
      }
    }
  }

  static Holder decode(Decoder in, int contenders) throws ModelFileException {
    Holder holder = new Holder(contenders);
    holder.holds = in.int32("who answers", contenders - 1);
    for (int w = 0; w < WINDOWS.length; w++) {
      for (int i = 0; i < contenders; i++) {
        holder.gain[w][i] = in.doubles(contenders, contenders);
        holder.spread[w][i] = in.doubles(contenders, contenders);
      }
    }
    return holder;
  }
}
