package org.avm4j.pipeline;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.avm4j.Task;

/** What the labels of a stream tell about the task, one label at a time. */
public final class LabelSurvey {
  private static final int MOST_LABELS = 1000;
  private static final int MOST_CLASSES = 100;

  private final TreeSet<Double> labels = new TreeSet<>();
  private boolean areWhole = true;
  private long count;
  private double mean;
  private double squares;

  /** No label yet. */
  public LabelSurvey() {}

  /** Takes a label into account. */
  public void add(double label) {
    areWhole &= label == Math.rint(label);
    count++;
    double before = label - mean;
    mean += before / count;
    squares += before * (label - mean);
    if (labels.size() <= MOST_LABELS) {
      labels.add(label + 0.0);
    }
  }

  /** The labels seen, in ascending order; of very many, the first thousand or so. */
  public SortedSet<Double> labels() {
    return Collections.unmodifiableSortedSet(labels);
  }

  /**
   * What the labels look like: two are binary; whole numbers from -1, 0 or 1 up to a hundred, or
   * names, are classes; all else is regression.
   */
  public Task task(boolean areNamed) {
    if (labels.size() == 2 && (areWhole || areNamed)) {
      return new Task.Binary();
    }
    boolean areClasses =
        areWhole
            && labels.size() > 0
            && labels.first() >= -1
            && labels.first() <= 1
            && labels.last() < MOST_CLASSES;
    return areClasses || areNamed ? Task.multiclass() : new Task.Regression();
  }

  /** The two labels of a binary task; while one is known, the other is one more. */
  public Labels.Pair pair() {
    if (labels.size() > 2) {
      throw new IllegalArgumentException(
          "a binary task must have two labels, the data has more: "
              + labels.stream().limit(5).toList());
    }
    if (labels.stream().allMatch(label -> label == 1 || label == -1)) {
      return Labels.Pair.SIGNS;
    }
    double last = labels.size() < 2 ? labels.first() + 1 : labels.last();
    return new Labels.Pair(labels.first(), last);
  }

  /** Labels brought to mean 0 and deviation 1, or only to mean 0 where they do not differ. */
  public Labels standard() {
    double deviation = Math.sqrt(squares / Math.max(1, count));
    return Double.isFinite(deviation)
        ? new Labels.Standard(mean, deviation > 0 ? deviation : 1)
        : new Labels.Plain();
  }

  /** The mean of the labels, 0 before the first. */
  public double mean() {
    return mean;
  }

  /** How labels are learned for a task by the second-order step, which has no bias. */
  public Labels of(Task task) {
    return switch (task.kind()) {
      case BINARY -> pair();
      case REGRESSION -> standard();
      case MULTICLASS, ANOMALY -> new Labels.Plain();
    };
  }
}
