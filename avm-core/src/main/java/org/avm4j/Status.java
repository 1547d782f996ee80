package org.avm4j;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of a predictor at one moment, in one form for all kinds, so that reports need not know
 * what a predictor is or what it wraps.
 *
 * @param instances how many instances were learned
 * @param size the number of vectors, or of constructed features
 * @param cells how many of the vectors are core points of cells
 * @param supportVectors how many of the vectors have a coefficient that is not 0
 * @param diameter the present δ; NaN if there are no cells
 * @param atLimit how often the size cap moved an update, dropped it, or merged cells
 * @param forgets whether old instances lose weight
 * @param memory m_t: the effective number of instances in the model
 * @param drifts how many changes of the stream were found
 * @param lastDrifts the last of them, a thousand at most
 * @param threshold the score from which an instance is an anomaly; NaN if there is none
 * @param settings all options in force, by the names of the command line
 * @param automatic what automatic mode chose, if it is at work
 * @param tree the shape of the tree, if there is one
 * @param change how a stream that changes is followed, if it is
 */
public record Status(
    long instances,
    int size,
    int cells,
    int supportVectors,
    double diameter,
    long atLimit,
    boolean forgets,
    double memory,
    long drifts,
    List<Drift> lastDrifts,
    double threshold,
    Map<String, Object> settings,
    Optional<Automatic> automatic,
    Optional<TreeShape> tree,
    Optional<Change> change) {

  /**
   * How a stream that changes is followed.
   *
   * @param holder what has the largest weight in the answer: {@code tree} or {@code machine}, which
   *     remember everything, {@code stack}, the weighted sum of all, or the name of an expert
   * @param memory the number of instances on which the answer is based
   * @param usesLatestLabel whether the answer depends on the label that was learned last
   * @param rises how often the error rose by more than chance
   * @param frozen how many models of the past are kept
   * @param runs whether experts that can rest are running
   */
  public record Change(
      String holder,
      double memory,
      boolean usesLatestLabel,
      long rises,
      int frozen,
      boolean runs) {}

  /**
   * What automatic mode chose so far.
   *
   * @param scaling how features are scaled, by the name of the command line
   * @param free what is chosen from the stream, by the names of the command line
   * @param running the number of learners: 1, or 2 while a rival may take over
   * @param standings the loss of every candidate in the searches at 2, 4, 8, … instances
   */
  public record Automatic(
      String scaling, List<String> free, int running, List<Standing> standings) {}

  /**
   * A change of the stream that {@link Forgetting#auto} found: the error rose.
   *
   * @param instance how many instances had been learned
   * @param before the mean error before: mistakes in [0, 1], or for numbers |f - y|/(|f - y| + s)
   *     with s the deviation of the labels
   * @param after the mean error after
   * @param memory how many instances the model stands for from then on
   */
  public record Drift(long instance, double before, double after, long memory) {}

  /**
   * The result of a candidate in a search of automatic mode.
   *
   * @param instances the number of stored instances at the search
   * @param scaling how its features are scaled, by the name of the command line
   * @param kernel its kernel
   * @param width γ times the mean distance of two rows, or times the mean squared distance if the
   *     kernel is a function of that
   * @param prior the strength of its prior
   * @param maxSize the most vectors it may hold
   * @param loss the mean loss of its answers to rows that it had not learned
   * @param isBest whether the search chose it
   */
  public record Standing(
      long instances,
      String scaling,
      Kernel kernel,
      double width,
      double prior,
      int maxSize,
      double loss,
      boolean isBest) {}

  /**
   * The shape of a tree of machines.
   *
   * @param depth the largest depth of a leaf; 0 before the first split
   * @param regions the number of regions
   * @param points the number of core points of all machines, including the live one
   * @param leaves the leaves, in the order of creation
   */
  public record TreeShape(int depth, int regions, int points, List<Leaf> leaves) {
    /**
     * One leaf.
     *
     * @param depth its distance from the root
     * @param points the core points of its machine
     * @param share its share of the stream since it was created
     * @param gate the factor on its scores, from 0 to 1
     * @param lossBefore the mean squared loss of its latest instances by the machines above it
     * @param lossAfter the same with its own scores
     */
    public record Leaf(
        int depth, int points, double share, double gate, double lossBefore, double lossAfter) {}
  }

  /** Copies the settings into an unmodifiable map. */
  public Status {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /** The status of a predictor that holds vectors and forgets nothing. */
  public static Status of(long instances, int size, Map<String, Object> settings) {
    return new Status(
        instances,
        size,
        size,
        size,
        Double.NaN,
        0,
        false,
        instances,
        0,
        List.of(),
        Double.NaN,
        settings,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * One line for people, as in {@code avm binary: 200 instances, 37 vectors, kernel gaussian, …}.
   */
  public String summary() {
    StringBuilder text = new StringBuilder();
    text.append(settings.getOrDefault("name", "learner"));
    text.append(' ').append(settings.getOrDefault("task", "")).append(": ");
    text.append(instances).append(" instances, ").append(size).append(" vectors");
    settings.forEach((name, value) -> addSetting(name, value, text));
    return text.toString();
  }

  private static void addSetting(String name, Object value, StringBuilder text) {
    if (!name.equals("name") && !name.equals("task")) {
      text.append(", ").append(name).append(' ').append(value);
    }
  }
}
