package org.avm4j.flink;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.apache.flink.streaming.api.TimeDomain;

/**
 * The options of a stream that learns.
 *
 * @param recipe creates the learner of a new key
 * @param mode what is done with a row that has a label
 * @param timeToLive the time without rows after which a key is forgotten; null for never
 * @param labelTimeout how long a row waits for its label, and a label for its row
 * @param labelTime the clock of the timeout: processing time, or event time, for which rows and
 *     labels need timestamps and watermarks
 * @param modelsEvery the learner of a key is emitted each time it has learned this number of rows;
 *     0 for never
 */
public record LearnOptions(
    LearnerRecipe recipe,
    LearnMode mode,
    Duration timeToLive,
    Duration labelTimeout,
    TimeDomain labelTime,
    long modelsEvery)
    implements Serializable {

  public LearnOptions {
    Objects.requireNonNull(recipe, "the recipe of the learner must not be null");
    check(timeToLive == null || isPositive(timeToLive), "the time to live", timeToLive);
    check(isPositive(labelTimeout), "the timeout of labels", labelTimeout);
    Objects.requireNonNull(labelTime, "the clock of labels must not be null");
    if (modelsEvery < 0) {
      throw new IllegalArgumentException(
          "the number of rows between two models must not be negative: " + modelsEvery);
    }
  }

  private static boolean isPositive(Duration time) {
    return time.toMillis() > 0;
  }

  private static void check(boolean holds, String what, Duration found) {
    if (!holds) {
      throw new IllegalArgumentException(what + " must be at least a millisecond: " + found);
    }
  }

  /** Answers, then learns; keys never expire, labels time out after an hour, emits no models. */
  public static LearnOptions of(LearnerRecipe recipe) {
    return new LearnOptions(
        recipe, LearnMode.BOTH, null, Duration.ofHours(1), TimeDomain.PROCESSING_TIME, 0);
  }

  /** The same with another mode. */
  public LearnOptions withMode(LearnMode other) {
    return new LearnOptions(recipe, other, timeToLive, labelTimeout, labelTime, modelsEvery);
  }

  /** The same with another time to live of keys. */
  public LearnOptions withTimeToLive(Duration time) {
    return new LearnOptions(recipe, mode, time, labelTimeout, labelTime, modelsEvery);
  }

  /** The same with another timeout of labels. */
  public LearnOptions withLabelTimeout(Duration time) {
    return new LearnOptions(recipe, mode, timeToLive, time, labelTime, modelsEvery);
  }

  /**
   * The same with another clock of labels. In event time a row waits until the watermark has passed
   * its timestamp plus the timeout, so that a replay of old rows drops the same ones.
   */
  public LearnOptions withLabelTime(TimeDomain clock) {
    return new LearnOptions(recipe, mode, timeToLive, labelTimeout, clock, modelsEvery);
  }

  /** The same with learners emitted every {@code rows} rows of a key. */
  public LearnOptions withModelsEvery(long rows) {
    return new LearnOptions(recipe, mode, timeToLive, labelTimeout, labelTime, rows);
  }
}
