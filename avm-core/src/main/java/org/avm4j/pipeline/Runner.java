package org.avm4j.pipeline;

import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** A candidate on its way: its machine, and what its answers have cost so far. */
final class Runner {
  private final Candidate candidate;
  private final Avm avm;
  private double loss;
  private long counted;
  private double[] scores = {};

  Runner(Candidate candidate, Avm avm) {
    this.candidate = candidate;
    this.avm = avm;
  }

  Candidate candidate() {
    return candidate;
  }

  Avm avm() {
    return avm;
  }

  /** One that knows no more than the classes, with a kernel half as wide. */
  Runner challenger() {
    AvmOptions mine = avm.options();
    Candidate other = candidate.halfAsWide();
    double gamma = mine.kernel().gamma() * other.width() / candidate.width();
    boolean isMulticlass = mine.task() instanceof Task.Multiclass;
    AvmOptions.Builder its =
        mine.change()
            .kernel(mine.kernel().withGamma(gamma))
            .task(isMulticlass ? Task.multiclass(avm.classes()) : mine.task());
    return new Runner(other, new Avm(its.build()));
  }

  /** Forgets what answers have cost so far. */
  void countAnew() {
    loss = 0;
    counted = 0;
  }

  double meanLoss() {
    return loss / Math.max(1, counted);
  }

  /** Learns instances that are kept; the answers to the second half count. */
  void replay(List<Features> rows, double[] labels) {
    for (int t = 0; t < labels.length; t++) {
      if (2 * (t + 1) > labels.length) {
        answer(rows.get(t), labels[t]);
      }
      avm.learn(rows.get(t), labels[t]);
    }
  }

  /** Answers an instance, which counts, and learns it. */
  void learn(Features z, double label) {
    answer(z, label);
    avm.learn(z, label);
  }

  private void answer(Features z, double label) {
    if (scores.length < avm.columns()) {
      scores = new double[2 * avm.columns()];
    }
    avm.score(z, scores);
    loss += loss(label);
    counted++;
  }

  /**
   * Mistakes count, and a little how near they were; of numbers the square, but not without end.
   */
  private double loss(double label) {
    if (avm.options().task() instanceof Task.Regression) {
      double residual = scores[0] - label;
      return Math.min(25, residual * residual);
    }
    boolean isBinary = avm.options().task() instanceof Task.Binary;
    double margin = isBinary ? label * scores[0] : margin(label) / 2;
    double hinge = Math.max(0, Math.min(2, 1 - margin));
    return (margin < 0 ? 1 : 0) + 0.1 * hinge;
  }

  private double margin(double label) {
    double[] classes = avm.classes();
    double own = Double.NEGATIVE_INFINITY;
    double rival = Double.NEGATIVE_INFINITY;
    for (int c = 0; c < classes.length; c++) {
      if (classes[c] == label) {
        own = scores[c];
      } else {
        rival = Math.max(rival, scores[c]);
      }
    }
    return own == Double.NEGATIVE_INFINITY
        ? -2
        : rival == Double.NEGATIVE_INFINITY ? 2 : own - rival;
  }

  void encode(Encoder out) {
    candidate.encode(out);
    avm.encode(out);
    out.float64(loss);
    out.int64(counted);
  }

  static Runner decode(Decoder in) throws ModelFileException {
    Runner runner = new Runner(Candidate.decode(in), Avm.decode(in));
    runner.loss = in.finite("a loss");
    runner.counted = in.count("the answers");
    return runner;
  }
}
