package org.avm4j.lab.baseline;

import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;

/**
 * What the baselines share: labels and columns, scores, and the step that turns an instance into a
 * {@link Verdict}.
 *
 * <p>With several classes the step is that of Crammer and Singer: the true class rises and the best
 * of the others falls. While fewer than two classes are known nothing moves.
 */
abstract sealed class Baseline permits KernelLearner, Fogd, Nogd {
  private final BaselineOptions options;
  private final Columns columns;
  private double[] scores = new double[1];

  Baseline(BaselineOptions options) {
    this.options = options;
    columns = options.task().columns();
  }

  final BaselineOptions options() {
    return options;
  }

  /** Makes x the instance that the other methods speak of, or refuses it. */
  abstract void represent(Features x);

  /** f_c(x). */
  abstract double value(int column);

  /** How far f moves. */
  abstract Rule rule();

  /** Moves f, or not if the amount is 0. */
  abstract void update(Verdict verdict);

  /** Adds an f that is 0. */
  abstract void addColumn();

  /** The number of vectors, or of features of its own making. */
  abstract int size();

  /** The present f. */
  abstract Model snapshot();

  abstract void encodeState(Encoder out);

  abstract void decodeState(Decoder in) throws ModelFileException;

  final void learn(Features x, double y, double weight) {
    represent(x);
    Verdict verdict = verdict(y, columnOf(y));
    update(weight == 1 ? verdict : verdict.times(weight));
  }

  private Verdict verdict(double y, int own) {
    return switch (options.task().kind()) {
      case MULTICLASS -> amongClasses(own);
      case REGRESSION -> ofError(y - value(own));
      case BINARY, ANOMALY, CLUSTER -> ofMargin(y, y * value(own));
    };
  }

  private Verdict ofError(double error) {
    return new Verdict(0, Columns.NONE, Math.signum(error), 0, rule().byError(Math.abs(error)));
  }

  private Verdict ofMargin(double y, double margin) {
    return new Verdict(0, Columns.NONE, y, margin, rule().byMargin(margin));
  }

  private Verdict amongClasses(int own) {
    for (int c = 0; c < columns(); c++) {
      scores[c] = value(c);
    }
    int rival = columns.runnerUp(scores, own);
    double margin =
        columns.isContested(rival) ? scores[own] - scores[rival] : Double.POSITIVE_INFINITY;
    return new Verdict(own, rival, 1, margin, rule().byMargin(margin));
  }

  private int columnOf(double label) {
    int column = columns.find(label);
    if (column == Columns.NONE) {
      column = columns.add(label);
      addColumn();
    }
    if (scores.length < columns()) {
      scores = new double[2 * columns()];
    }
    return column;
  }

  /** The column whose score stands at a place. */
  final int column(int place) {
    return columns.at(place);
  }

  final int columns() {
    return columns.count();
  }

  final double[] classes() {
    return columns.labels();
  }

  final void score(Features x, double[] into) {
    represent(x);
    for (int place = 0; place < columns(); place++) {
      into[place] = value(column(place));
    }
  }

  /** f with these coefficients, as a model. */
  final KernelModel frozen(Expansion f, double[][] coefficients) {
    return new KernelModel(
        options.task(),
        options.kernel(),
        classes(),
        f.copyOfVectors(),
        coefficients,
        options.settings());
  }

  final void encode(Encoder out) {
    columns.encode(out);
    encodeState(out);
  }

  /** Reads what {@link #encode} appended. */
  final void decode(Decoder in) throws ModelFileException {
    int declared = columns();
    columns.decode(in);
    for (int added = declared; added < columns(); added++) {
      addColumn();
    }
    scores = new double[Math.max(1, 2 * columns())];
    decodeState(in);
  }
}
