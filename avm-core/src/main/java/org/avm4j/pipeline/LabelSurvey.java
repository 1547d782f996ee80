package org.avm4j.pipeline;

import java.util.Collections;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeMap;
import org.avm4j.Task;
import org.avm4j.data.Decimal;
import org.avm4j.internal.Rules;

/** Infers the task from the labels of a stream, one label at a time. */
public final class LabelSurvey {
  /** The most distinct labels that are counted. */
  private static final int MOST_LABELS = 1000;

  /** Bound on classes that are numbered from -1, 0 or 1. */
  private static final int MOST_CLASSES = 100;

  /**
   * The most distinct whole numbers that are classes regardless of their values, if they repeat.
   */
  private static final int MOST_FOR_SURE = 10;

  /** Mean number of rows for each distinct label from which labels count as repeating. */
  private static final int REPEATS = 5;

  private static final double UNEVEN = 10;
  private static final double ROUGHNESS = 1.2;

  private final TreeMap<Double, Long> counts = new TreeMap<>();
  private final NavigableSet<Double> labels = counts.navigableKeySet();
  private boolean areWhole = true;
  private long count;
  private double mean;
  private double squares;

  /** A survey without labels. */
  public LabelSurvey() {}

  /** Takes a label into account. */
  public void add(double label) {
    areWhole &= label == Math.rint(label);
    count++;
    double before = label - mean;
    mean += before / count;
    squares += before * (label - mean);
    if (labels.size() <= MOST_LABELS || counts.containsKey(label + 0.0)) {
      counts.merge(label + 0.0, 1L, Long::sum);
    }
  }

  /** The distinct labels so far, in ascending order; of very many, about the first thousand. */
  public SortedSet<Double> labels() {
    return Collections.unmodifiableSortedSet(labels);
  }

  /**
   * The task that the labels suggest.
   *
   * <ol>
   *   <li>Names are classes, two of them a binary task.
   *   <li>Numbers with fractions are regression.
   *   <li>Two whole numbers are a binary task.
   *   <li>Whole numbers that begin at -1, 0 or 1 and stay below a hundred are classes, unless they
   *       {@linkplain #areCounts count something}.
   *   <li>At most ten whole numbers that repeat, five rows each on average, are classes.
   *   <li>All else is regression.
   * </ol>
   */
  public Task task(boolean areNamed) {
    if (labels.size() == 2 && (areWhole || areNamed)) {
      return Task.binary();
    }
    boolean areClasses = areNamed || areSmall() && !areCounts() || areFew();
    return areClasses ? Task.multiclass() : Task.regression();
  }

  /** Whether a number surely is a class, judged by those seen so far. */
  public boolean mayBeClass(double label) {
    boolean isSmall = label == Math.rint(label) && label >= -1 && label < MOST_CLASSES;
    return isSmall || counts.containsKey(label + 0.0);
  }

  private boolean areFew() {
    return areWhole
        && labels.size() > 1
        && labels.size() <= MOST_FOR_SURE
        && count >= (long) REPEATS * labels.size();
  }

  private boolean areSmall() {
    return areWhole
        && labels.size() > 0
        && labels.first() >= -1
        && labels.first() <= 1
        && labels.last() < MOST_CLASSES;
  }

  /**
   * Whether whole numbers count something, as the rings of a shell or the visits to a doctor: there
   * are more than ten of them, some are far more common than others, and in ascending order they
   * first become more common and then less. A number that never occurred has frequency 0.
   */
  private boolean areCounts() {
    if (labels.size() <= MOST_FOR_SURE) {
      return false;
    }
    long largest = Collections.max(counts.values());
    long least = Collections.min(counts.values());
    double climb = 0;
    double chance = 0;
    long before = 0;
    for (double label = labels.first(); label <= labels.last(); label++) {
      long here = counts.getOrDefault(label, 0L);
      climb += Math.abs(here - before);
      chance += Math.sqrt(here);
      before = here;
    }
    return largest >= UNEVEN * least && climb + before <= ROUGHNESS * 2 * largest + chance;
  }

  /** The reason for the {@link #task}, as a text for people. */
  public String reason(boolean areNamed) {
    if (labels.size() == 1) {
      return "all labels are the same";
    }
    if (areNamed) {
      return "the labels are " + labels.size() + " texts";
    }
    String range =
        labels.isEmpty() ? "" : " from " + text(labels.first()) + " to " + text(labels.last());
    String many = labels.size() > MOST_LABELS ? "many" : Integer.toString(labels.size());
    if (labels.size() == 2 && areWhole) {
      return "the labels are " + text(labels.first()) + " and " + text(labels.last());
    }
    String what = areWhole ? " whole numbers" : " numbers";
    return "the labels are " + many + what + range + detail();
  }

  private String detail() {
    if (areSmall()) {
      return areCounts() ? " that count something" : "";
    }
    return areFew() ? " that repeat" : "";
  }

  private static String text(double label) {
    return Decimal.text(label);
  }

  /**
   * The two labels of a binary task; as long as only one is known, the other is assumed to be one
   * more.
   */
  public Labels.Pair pair() {
    Rules.require(
        labels.size() <= 2,
        "a binary task must have two labels, the data has more",
        labels.stream().limit(5).toList());
    if (labels.stream().allMatch(label -> label == 1 || label == -1)) {
      return Labels.Pair.SIGNS;
    }
    double last = labels.size() < 2 ? labels.first() + 1 : labels.last();
    return new Labels.Pair(labels.first(), last);
  }

  /** A map of labels to mean 0 and deviation 1, or only to mean 0 if all are equal. */
  public Labels standard() {
    double deviation = Math.sqrt(squares / Math.max(1, count));
    return Double.isFinite(deviation)
        ? new Labels.Standard(mean, deviation > 0 ? deviation : 1)
        : new Labels.Plain();
  }

  /** The mean of the labels; 0 before the first. */
  public double mean() {
    return mean;
  }

  /** The map of labels for the second-order step, which has no bias. */
  public Labels of(Task task) {
    return switch (task.kind()) {
      case BINARY -> pair();
      case REGRESSION -> standard();
      case MULTICLASS, ANOMALY, CLUSTER -> new Labels.Plain();
    };
  }
}
