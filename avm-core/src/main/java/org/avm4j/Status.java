package org.avm4j;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a predictor at one moment, in one shape for all of them, so that reports need
 * not ask what a predictor is or what it wraps.
 *
 * @param instances how many instances were learned
 * @param size how many vectors, or features of its own making, are held
 * @param cells how many of the vectors are core points of cells
 * @param supportVectors how many of the vectors have a coefficient that is not 0
 * @param diameter δ as it is now; NaN where there are no cells
 * @param atLimit how often the size cap moved an update, dropped it, or merged cells
 * @param forgets whether old instances lose weight
 * @param memory m_t: how many instances the model stands for
 * @param drifts how many changes of the stream were found
 * @param lastDrifts the last of them, a thousand at most
 * @param threshold the score from which on an instance is an anomaly; NaN where there is none
 * @param settings all options in force, by the names of the command line
 * @param automatic what automatic mode chose, if it is at work
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
    Optional<Automatic> automatic) {

  /**
   * What automatic mode chose so far.
   *
   * @param scaling how features are scaled, by the name of the command line
   * @param free what is chosen from the stream, by the names of the command line
   * @param running how many candidates are still running
   * @param laps how all candidates stood at 2, 4, 8, … instances, while more than one ran
   */
  public record Automatic(String scaling, List<String> free, int running, List<Lap> laps) {}

  /** The status of something that holds vectors and nothing else. */
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
        new LinkedHashMap<>(settings),
        Optional.empty());
  }

  /** The same with other settings. */
  public Status withSettings(Map<String, Object> other) {
    return new Status(
        instances,
        size,
        cells,
        supportVectors,
        diameter,
        atLimit,
        forgets,
        memory,
        drifts,
        lastDrifts,
        threshold,
        other,
        automatic);
  }

  /** The same with what automatic mode chose, and drifts counted from the start of the stream. */
  public Status within(Automatic mode, long allInstances) {
    long before = allInstances - instances;
    return new Status(
        allInstances,
        size,
        cells,
        supportVectors,
        diameter,
        atLimit,
        forgets,
        forgets ? memory : allInstances,
        drifts,
        lastDrifts.stream().map(drift -> drift.later(before)).toList(),
        threshold,
        settings,
        Optional.of(mode));
  }
}
