package org.avm4j.conformal;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.avm4j.Certainty;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Conformal prediction around any learner: it is shown the answer to each instance from before it
 * was learned, and the true label, and says of the next answer how sure it is. Intervals and sets
 * of one level hold the true label in that part of the stream, whatever the stream does.
 *
 * <pre>{@code
 * Conformal certainty = new Conformal(0.9);
 * Prediction answer = certainty.of(learner.answer(x)); // answer.interval(0.9)
 * certainty.learn(answer, y);
 * learner.learn(x, y);
 * }</pre>
 *
 * <p>It belongs to one thread. Where answers change from numbers to classes, as automatic mode may
 * while its task is open, errors are gathered anew.
 *
 * <p>In a file: the asked level (8), whether answers are classes (1), the size of the window (4),
 * the window by the scale of the stream and by that of other rows, the number of levels (4), their
 * debts (8 each), and the scale.
 */
public final class Conformal {
  /** The levels that are tracked beside the one asked for; others are interpolated. */
  private static final double[] USUAL = {0.5, 0.8, 0.9, 0.95, 0.99};

  /** Limit on answers and errors. */
  private static final double LARGEST = 1e100;

  private final double level;
  private final double[] levels;
  private final LevelTracker[] trackers;
  private boolean hasClasses;
  private ScoreWindow window = new ScoreWindow();

  /** The window of nonconformity by the scale for rows that do not follow the stream. */
  private ScoreWindow plain = new ScoreWindow();

  private LocalScale scale = new LocalScale();
  private double[] thresholds;

  /**
   * An untrained conformal predictor.
   *
   * @param level the level that is asked for, above 0 and below 1; answers accept other levels too
   */
  public Conformal(double level) {
    this.level = Certainty.checkLevel(level);
    levels =
        DoubleStream.concat(Arrays.stream(USUAL), DoubleStream.of(level))
            .sorted()
            .distinct()
            .toArray();
    trackers = Arrays.stream(levels).mapToObj(LevelTracker::new).toArray(LevelTracker[]::new);
  }

  /** The level that was asked for. */
  public double level() {
    return level;
  }

  /** The answer with its certainty, for the next instance of the stream. */
  public Prediction of(Prediction answer) {
    boolean isKnown = hasClasses == isClass(answer);
    return answer.with(
        isClass(answer)
            ? Certainty.ofClasses(
                level, levels, thresholds(isKnown), Nonconformity.ofClasses(answer))
            : Certainty.ofNumber(level, levels, thresholds(isKnown), scale.of(answer.label())));
  }

  private static boolean isClass(Prediction answer) {
    return answer.classes().length > 0;
  }

  /** The thresholds of all levels; infinite if nothing is known about this kind of answer. */
  private double[] thresholds(boolean isKnown) {
    if (!isKnown) {
      double[] unknown = new double[trackers.length];
      Arrays.fill(unknown, Double.POSITIVE_INFINITY);
      return unknown;
    }
    if (thresholds == null) {
      thresholds = nested(each -> each.threshold(window));
    }
    return thresholds;
  }

  /** The thresholds of all levels; a higher level never has a lower one. */
  private double[] nested(ToDoubleFunction<LevelTracker> threshold) {
    double[] all = new double[trackers.length];
    double widest = 0;
    for (int i = 0; i < all.length; i++) {
      widest = Math.max(widest, threshold.applyAsDouble(trackers[i]));
      all[i] = widest;
    }
    return all;
  }

  /**
   * Learns from an instance. A miss of an unknown class does not count, because no set could hold
   * it.
   *
   * @param answer the answer before it was learned
   * @param label its true label
   */
  public void learn(Prediction answer, double label) {
    if (Double.isNaN(answer.label())) {
      return;
    }
    if (hasClasses != isClass(answer)) {
      restart(isClass(answer));
    }
    double nonconformity = nonconformity(answer, label);
    if (!hasClasses || nonconformity < Double.POSITIVE_INFINITY) {
      count(nonconformity);
    }
    if (nonconformity < Double.POSITIVE_INFINITY) {
      window.add(nonconformity);
      plain.add(plainNonconformity(answer, label, nonconformity));
    }
    if (!hasClasses) {
      scale.learn(bounded(answer.label()), Math.abs(bounded(answer.label() - label)));
    }
    thresholds = null;
  }

  /** Notes for all levels whether they covered a label. */
  private void count(double nonconformity) {
    double[] now = thresholds(true);
    for (int i = 0; i < trackers.length; i++) {
      trackers[i].learn(nonconformity <= now[i]);
    }
  }

  private double nonconformity(Prediction answer, double label) {
    return hasClasses
        ? Nonconformity.ofClass(answer, label)
        : Nonconformity.ofNumber(answer, label, scale.of(answer.label()));
  }

  private double plainNonconformity(Prediction answer, double label, double following) {
    return hasClasses
        ? following
        : Nonconformity.ofNumber(answer, label, scale.detached(answer.label()));
  }

  private static double bounded(double value) {
    return Math.max(-LARGEST, Math.min(LARGEST, value));
  }

  /**
   * Starts again with another kind of answer. Debts are kept, because the promise covers the whole
   * stream.
   */
  private void restart(boolean areClasses) {
    hasClasses = areClasses;
    window = new ScoreWindow();
    plain = new ScoreWindow();
    scale = new LocalScale();
    thresholds = null;
  }

  /** Forgets everything that was learned. */
  public void reset() {
    restart(false);
    Arrays.setAll(trackers, i -> new LevelTracker(levels[i]));
  }

  /** An immutable copy of the present thresholds. */
  public ConformalModel snapshot() {
    return new ConformalModel(
        level,
        hasClasses,
        levels,
        thresholds(true).clone(),
        nested(each -> each.plainThreshold(plain)),
        scale.copy());
  }

  /** Appends the whole state. */
  public void encode(Encoder out) {
    out.float64(level);
    out.bool(hasClasses);
    out.int32(window.count());
    window.encode(out);
    plain.encode(out);
    out.doubles(Arrays.stream(trackers).mapToDouble(LevelTracker::debt).toArray(), trackers.length);
    scale.encode(out);
  }

  /** What {@link #encode} appended. */
  public static Conformal decode(Decoder in) throws ModelFileException {
    Conformal conformal = new Conformal(level(in));
    conformal.hasClasses = in.bool();
    int count = in.int32("the scores of the window", ScoreWindow.SIZE);
    conformal.window = ScoreWindow.decode(in, count);
    conformal.plain = ScoreWindow.decode(in, count);
    double[] debts = in.doubles(conformal.trackers.length, 0);
    for (int i = 0; i < debts.length; i++) {
      boolean fits = debts[i] >= -LevelTracker.MOST_CREDIT && debts[i] <= LevelTracker.MOST_DEBT;
      Decoder.check(fits, "a debt must be between its bounds", debts[i]);
      conformal.trackers[i] = conformal.trackers[i].withDebt(debts[i]);
    }
    conformal.scale = LocalScale.decode(in);
    return conformal;
  }

  static double level(Decoder in) throws ModelFileException {
    double level = in.finite("a level");
    Decoder.check(level > 0 && level < 1, "a level must be above 0 and below 1", level);
    return level;
  }
}
