package org.avm4j.conformal;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.avm4j.Certainty;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.CertaintyForm;

/**
 * A snapshot of a {@link Conformal}. It has two thresholds for each level: one for the next row of
 * the stream, corrected by the debt, and one for any other row, as in split conformal prediction.
 * Immutable and thread-safe.
 *
 * <p>In a file: the asked level (8), whether answers are classes (1), the levels, both thresholds
 * of each (-1 for infinity), whether the rows do not follow the stream (1), and the scale.
 */
public final class ConformalModel {
  private static final int MOST_LEVELS = 100;
  private static final double INFINITE = -1;

  private final double level;
  private final boolean hasClasses;
  private final double[] levels;
  private final double[] following;
  private final double[] plain;
  private final LocalScale scale;
  private final boolean isDetached;

  ConformalModel(
      double level,
      boolean hasClasses,
      double[] levels,
      double[] following,
      double[] plain,
      LocalScale scale) {
    this(level, hasClasses, levels, following, plain, scale, false);
  }

  private ConformalModel(
      double level,
      boolean hasClasses,
      double[] levels,
      double[] following,
      double[] plain,
      LocalScale scale,
      boolean isDetached) {
    this.level = level;
    this.hasClasses = hasClasses;
    this.levels = levels;
    this.following = following;
    this.plain = plain;
    this.scale = scale;
    this.isDetached = isDetached;
  }

  /** The level that was asked for. */
  public double level() {
    return level;
  }

  /** A copy for rows that do not follow the stream. */
  public ConformalModel detached() {
    return new ConformalModel(level, hasClasses, levels, following, plain, scale, true);
  }

  /** The answer with its certainty. */
  public Prediction of(Prediction answer) {
    double[] thresholds = isDetached ? plain : following;
    return answer.with(
        hasClasses(answer)
            ? Certainty.ofClasses(level, levels, thresholds, Nonconformity.ofClasses(answer))
            : Certainty.ofNumber(level, levels, thresholds, scale(answer)));
  }

  private static boolean hasClasses(Prediction answer) {
    return answer.classes().length > 0;
  }

  private double scale(Prediction answer) {
    return isDetached ? scale.detached(answer.label()) : scale.of(answer.label());
  }

  /**
   * A copy with the thresholds of split conformal prediction, from answers to rows that the model
   * has not learned; unchanged if there are none.
   *
   * @param answers at most {@value ScoreWindow#SIZE} of them count, the last ones
   * @param labels the true label of each
   */
  public ConformalModel split(List<Prediction> answers, double[] labels) {
    ScoreWindow window = new ScoreWindow();
    for (int i = 0; i < labels.length; i++) {
      Prediction answer = answers.get(i);
      window.add(
          hasClasses
              ? Nonconformity.ofClass(answer, labels[i])
              : Nonconformity.ofNumber(answer, labels[i], scale.detached(answer.label())));
    }
    if (window.count() == 0) {
      return this;
    }
    double[] held =
        Arrays.stream(levels).map(each -> new LevelTracker(each).plainThreshold(window)).toArray();
    return new ConformalModel(level, hasClasses, levels, held, held, scale, true);
  }

  /** The part of this object that has a given type, as in {@link org.avm4j.Predictor#inspect}. */
  public <T> Optional<T> inspect(Class<T> type) {
    return type == CertaintyForm.class ? Optional.of(type.cast(form())) : Optional.empty();
  }

  private CertaintyForm form() {
    double threshold = (isDetached ? plain : following)[Arrays.binarySearch(levels, level)];
    return hasClasses
        ? new CertaintyForm.LabelSets(level, threshold)
        : scale.intervals(level, threshold, isDetached);
  }

  /** Appends the whole state. */
  public void encode(Encoder out) {
    out.float64(level);
    out.bool(hasClasses);
    out.counted(levels);
    out.doubles(finite(following), levels.length);
    out.doubles(finite(plain), levels.length);
    out.bool(isDetached);
    scale.encode(out);
  }

  private static double[] finite(double[] thresholds) {
    return Arrays.stream(thresholds)
        .map(each -> each < Double.POSITIVE_INFINITY ? each : INFINITE)
        .toArray();
  }

  /** What {@link #encode} appended. */
  public static ConformalModel decode(Decoder in) throws ModelFileException {
    double level = Conformal.level(in);
    boolean hasClasses = in.bool();
    int count = in.int32("the levels", MOST_LEVELS);
    Decoder.check(count > 0, "there must be a level", count);
    double[] levels = in.doubles(count, 0);
    for (int i = 0; i < count; i++) {
      boolean ascends = levels[i] > (i == 0 ? 0 : levels[i - 1]) && levels[i] < 1;
      Decoder.check(ascends, "levels must ascend between 0 and 1", levels[i]);
    }
    boolean isTracked = Arrays.binarySearch(levels, level) >= 0;
    Decoder.check(isTracked, "the level that was asked for must be one of the levels", level);
    double[] following = thresholds(in, count);
    double[] plain = thresholds(in, count);
    boolean isDetached = in.bool();
    LocalScale scale = LocalScale.decode(in);
    return new ConformalModel(level, hasClasses, levels, following, plain, scale, isDetached);
  }

  private static double[] thresholds(Decoder in, int count) throws ModelFileException {
    double[] found = in.doubles(count, 0);
    for (int i = 0; i < count; i++) {
      Decoder.check(
          found[i] >= 0 || found[i] == INFINITE, "a threshold must not be negative", found[i]);
      found[i] = found[i] == INFINITE ? Double.POSITIVE_INFINITY : found[i];
    }
    return found;
  }
}
