package org.avm4j;

/**
 * A change of the stream that {@link Forgetting.Auto} found: the error rose.
 *
 * @param instance how many instances had been learned
 * @param before the mean error before: mistakes in [0, 1], or for numbers |f - y|/(|f - y| + s)
 *     with s the deviation of the labels
 * @param after the mean error after
 * @param memory how many instances the model stands for from then on
 */
public record Drift(long instance, double before, double after, long memory) {
  /** The same drift of a stream that began a given number of instances earlier. */
  public Drift later(long instances) {
    return new Drift(instance + instances, before, after, memory);
  }
}
