package org.avm4j.eval;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Compares the answers to a stream with those of two simple rules without a model. The rules use
 * only the labels known at the time of the answer:
 *
 * <ul>
 *   <li>the constant: the most frequent class so far, of equally frequent ones the lowest; for
 *       numbers, their mean;
 *   <li>no change: the last label that is known.
 * </ul>
 *
 * <p>With p the fraction of right answers of the model, p_m of the majority class and p_e of no
 * change, as in MOA: KappaM = (p - p_m) / (1 - p_m) and KappaT = (p - p_e) / (1 - p_e). Both are 0
 * for a model that is as good as the rule, 1 for one that is always right, and negative for one
 * that is worse than the rule. MOA counts the label of an instance before it asks for the majority
 * class; here a rule answers first, like the model. Before any label is known, the answer counts as
 * wrong for classes, and is 0 for numbers.
 *
 * <p>Every figure is also kept over a window of the last {@link #WINDOW} answers.
 */
public final class Yardsticks {
  /** The number of answers in the window. */
  public static final int WINDOW = 1000;

  private static final int MOST_POINTS = 1 << 16;

  /**
   * The errors of the rules between two points of the curve.
   *
   * @param instances how many instances had been answered
   * @param constant the mistake rate or RMSE of the majority class or the mean
   * @param noChange the same of the last label known
   */
  public record Point(long instances, double constant, double noChange) {}

  private final boolean isRegression;
  private final Map<Double, Long> counts = new TreeMap<>();
  private final List<Point> curve = new ArrayList<>();
  private ErrorSeries model;
  private ErrorSeries constant;
  private ErrorSeries noChange;
  private long answers;
  private long known;
  private double mean;
  private double last;
  private double majority = Double.NaN;
  private long most;

  /** Yardsticks of numbers, or of classes, at the start of a stream. */
  public Yardsticks(boolean isRegression) {
    this.isRegression = isRegression;
    last = isRegression ? 0 : Double.NaN;
    model = new ErrorSeries(isRegression);
    constant = new ErrorSeries(isRegression);
    noChange = new ErrorSeries(isRegression);
  }

  /** Adds the model's answer to an instance; the rules do not know its label yet. */
  public void answered(double label, double answer) {
    answers++;
    model.add(label, answer);
    constant.add(label, isRegression ? mean : majority);
    noChange.add(label, last);
  }

  /** Makes a label known to the rules. */
  public void learned(double label) {
    known++;
    last = label;
    if (isRegression) {
      mean += (label - mean) / known;
    } else {
      count(label);
    }
  }

  private void count(double label) {
    long count = counts.merge(label, 1L, Long::sum);
    if (count > most || (count == most && label < majority)) {
      most = count;
      majority = label;
    }
  }

  /** How many instances were answered. */
  public long instances() {
    return answers;
  }

  /** The present constant answer: the majority class (NaN if there is none yet) or the mean. */
  public double constant() {
    return isRegression ? mean : majority;
  }

  /** The mistake rate in percent, or RMSE, of the constant. */
  public double constantError() {
    return constant.total();
  }

  /** The mistake rate in percent, or RMSE, of no change. */
  public double noChangeError() {
    return noChange.total();
  }

  /** Whether the model made a larger error than the constant. */
  public boolean isWorseThanConstant() {
    return model.total() > constant.total();
  }

  /** Whether the model made a larger error than no change. */
  public boolean isWorseThanNoChange() {
    return model.total() > noChange.total();
  }

  /** KappaM; NaN if the majority class makes no mistake. */
  public double kappaM() {
    return skill(constant);
  }

  /** KappaT; NaN if repeating the last label makes no mistake. */
  public double kappaT() {
    return skill(noChange);
  }

  /** 1 - error / error of the rule, which is (p - p_r) / (1 - p_r). */
  private double skill(ErrorSeries rule) {
    return rule.total() == 0 ? Double.NaN : 1 - model.total() / rule.total();
  }

  /** The errors of the rules at the points of the curve of a {@link Prequential} run. */
  public List<Point> curve() {
    return List.copyOf(curve);
  }

  /** All figures by name, in reading order. */
  public Map<String, Object> all() {
    Map<String, Object> all = new LinkedHashMap<>();
    if (isRegression) {
      addNumbers(all);
    } else {
      addClasses(all);
    }
    return all;
  }

  private void addClasses(Map<String, Object> all) {
    all.put("kappaT", kappaT());
    all.put("kappaM", kappaM());
    all.put("majorityMistakeRate", constant.total());
    all.put("noChangeMistakeRate", noChange.total());
    all.put("window", (int) Math.min(answers, WINDOW));
    all.put("windowMistakeRate", model.windowed());
    all.put("windowMajorityMistakeRate", constant.windowed());
    all.put("windowNoChangeMistakeRate", noChange.windowed());
  }

  private void addNumbers(Map<String, Object> all) {
    all.put("meanRmse", constant.total());
    all.put("meanMae", constant.meanAbsolute());
    all.put("noChangeRmse", noChange.total());
    all.put("noChangeMae", noChange.meanAbsolute());
    all.put("window", (int) Math.min(answers, WINDOW));
    all.put("windowRmse", model.windowed());
    all.put("windowMeanRmse", constant.windowed());
    all.put("windowNoChangeRmse", noChange.windowed());
  }

  /** Adds a point to the curve. */
  void inspect() {
    curve.add(new Point(answers, constant.sinceInspection(), noChange.sinceInspection()));
  }

  /** Appends the whole state. */
  public void encode(Encoder out) {
    out.bool(isRegression);
    model.encode(out);
    constant.encode(out);
    noChange.encode(out);
    out.int64(answers);
    out.int64(known);
    out.float64(mean);
    out.float64(last);
    out.byLabel(counts, (count, to) -> to.int64(count));
    out.int32(curve.size());
    for (Point point : curve) {
      out.int64(point.instances());
      out.float64(point.constant());
      out.float64(point.noChange());
    }
  }

  /** The yardsticks that were appended. */
  static Yardsticks decode(Decoder in) throws ModelFileException {
    Yardsticks found = new Yardsticks(in.bool());
    found.model = ErrorSeries.decode(in, found.isRegression);
    found.constant = ErrorSeries.decode(in, found.isRegression);
    found.noChange = ErrorSeries.decode(in, found.isRegression);
    found.answers = in.count("the answers");
    found.known = in.count("the labels known");
    found.mean = in.finite("the mean label");
    found.last = in.float64();
    int classes = in.int32("the classes", Integer.MAX_VALUE);
    for (int i = 0; i < classes; i++) {
      found.restore(in.finite("a label"), in.count("the instances of a label"));
    }
    int points = in.int32("the points of the curve", MOST_POINTS);
    for (int i = 0; i < points; i++) {
      found.curve.add(new Point(in.int64(), in.float64(), in.float64()));
    }
    return found;
  }

  private void restore(double label, long count) {
    counts.put(label, count);
    if (count > most) {
      most = count;
      majority = label;
    }
  }
}
