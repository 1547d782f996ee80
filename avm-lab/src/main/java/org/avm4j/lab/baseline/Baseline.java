package org.avm4j.lab.baseline;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;

/**
 * The base of the baselines: manages labels and columns, computes scores, and turns an instance
 * into a {@link LabelStep}.
 *
 * <p>With several classes the step is that of Crammer and Singer: the score of the true class rises
 * and that of the best other class falls. Nothing changes while fewer than two classes are known.
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

  /** Sets the instance x that the other methods refer to; throws if it is not valid. */
  abstract void represent(Features x);

  /** f_c(x). */
  abstract double value(int column);

  abstract StepRule rule();

  /** Applies a step; an amount of 0 is no step. */
  abstract void update(LabelStep labelStep);

  /** Adds a column with f = 0, for a new class. */
  abstract void addColumn();

  /** The number of vectors, or of random features. */
  abstract int size();

  /** The current f as a model. */
  abstract Model snapshot();

  abstract void encodeState(Encoder out);

  abstract void decodeState(Decoder in) throws ModelFileException;

  final void learn(Features x, double y, double weight) {
    represent(x);
    LabelStep labelStep = labelStep(y, columnOf(y));
    update(weight == 1 ? labelStep : labelStep.times(weight));
  }

  private LabelStep labelStep(double y, int own) {
    return switch (options.task().kind()) {
      case MULTICLASS -> amongClasses(own);
      case REGRESSION -> ofError(y - value(own));
      case BINARY, ANOMALY, CLUSTER -> ofMargin(y, y * value(own));
    };
  }

  private LabelStep ofError(double error) {
    return new LabelStep(0, Columns.NONE, Math.signum(error), 0, rule().byError(Math.abs(error)));
  }

  private LabelStep ofMargin(double y, double margin) {
    return new LabelStep(0, Columns.NONE, y, margin, rule().byMargin(margin));
  }

  private LabelStep amongClasses(int own) {
    for (int c = 0; c < columns(); c++) {
      scores[c] = value(c);
    }
    int rival = columns.runnerUp(scores, own);
    double margin =
        columns.isContested(rival) ? scores[own] - scores[rival] : Double.POSITIVE_INFINITY;
    return new LabelStep(own, rival, 1, margin, rule().byMargin(margin));
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

  /** The column of the class at a place in the order of labels. */
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

  /** f with these coefficients of each column, as a model. */
  final KernelModel frozen(Expansion f, IntFunction<double[]> ofColumn) {
    double[][] coefficients = new double[columns()][];
    Arrays.setAll(coefficients, place -> ofColumn.apply(column(place)));
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

  /** Reads what {@link #encode} wrote. */
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
