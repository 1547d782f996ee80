package org.avm4j.lab.baseline;

import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.Classes;

/**
 * What the baselines share: labels and columns, scores and answers, and the step that turns an
 * instance into a {@link Verdict}.
 *
 * <p>With several classes the step is that of Crammer and Singer: the true class rises and the best
 * of the others falls. While fewer than two classes are known nothing moves.
 */
abstract sealed class Baseline implements OnlineLearner permits KernelLearner, Fogd, Nogd {
  private final BaselineOptions options;
  private final Classes classes;
  private double[] scores = new double[1];

  Baseline(BaselineOptions options) {
    this.options = options;
    classes = new Classes(options.task().declared());
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

  abstract void encodeState(Encoder out);

  abstract void decodeState(Decoder in) throws ModelFileException;

  @Override
  public final void learn(Features x, double y) {
    options.task().check(y);
    represent(x);
    update(verdict(y));
  }

  private Verdict verdict(double y) {
    if (isMulticlass()) {
      return amongClasses(columnOf(y));
    }
    double f = value(0);
    if (options.isRegression()) {
      return new Verdict(0, -1, Math.signum(y - f), 0, rule().byError(Math.abs(y - f)));
    }
    return new Verdict(0, -1, y, y * f, rule().byMargin(y * f));
  }

  private Verdict amongClasses(int own) {
    for (int c = 0; c < columns(); c++) {
      scores[c] = value(c);
    }
    int rival = classes.runnerUp(scores, own);
    double margin = rival < 0 ? Double.POSITIVE_INFINITY : scores[own] - scores[rival];
    return new Verdict(own, rival, 1, margin, rule().byMargin(margin));
  }

  private int columnOf(double label) {
    int column = classes.find(label);
    if (column < 0) {
      column = classes.add(label);
      addColumn();
    }
    if (scores.length < columns()) {
      scores = new double[2 * columns()];
    }
    return column;
  }

  final boolean isMulticlass() {
    return options.task() instanceof Task.Multiclass;
  }

  /** The column whose score stands at a place. */
  final int column(int place) {
    return isMulticlass() ? classes.column(place) : 0;
  }

  @Override
  public final int columns() {
    return isMulticlass() ? classes.size() : 1;
  }

  @Override
  public final double[] classes() {
    return options.task().labels(classes.sorted());
  }

  @Override
  public final void score(Features x, double[] into) {
    represent(x);
    for (int place = 0; place < columns(); place++) {
      into[place] = value(column(place));
    }
  }

  @Override
  public final double predict(Features x) {
    return options.task().predict(score(x), classes());
  }

  /** f with these coefficients, as a model. */
  final KernelModel frozen(Expansion f, double[][] coefficients) {
    return new KernelModel(
        options.task(), options.kernel(), classes(), f.copyOfVectors(), coefficients);
  }

  @Override
  public final String kind() {
    return options.method().kind();
  }

  @Override
  public final void encode(Encoder out) {
    BaselineCodec.encode(out, options);
    out.int32(classes.size());
    for (int column = 0; column < classes.size(); column++) {
      out.float64(classes.label(column));
    }
    encodeState(out);
  }

  /** Reads all that {@link #encode} appended after the options. */
  final void decode(Decoder in) throws ModelFileException {
    int count = in.int32("the number of classes", Integer.MAX_VALUE);
    for (int c = 0; c < count; c++) {
      double label = in.finite("a class label");
      Decoder.check(isMulticlass(), "only a multiclass task must have classes", label);
      Decoder.check(columnOf(label) == c, "classes must stand in their order", label);
    }
    Decoder.check(count == classes.size(), "all declared classes are expected", count);
    decodeState(in);
  }
}
