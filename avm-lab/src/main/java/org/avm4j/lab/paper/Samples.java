package org.avm4j.lab.paper;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.avm4j.data.Instance;

/**
 * The rows of a data set, scaled and in memory. They are shared between threads and never changed.
 *
 * @param train the training rows of the batch study
 * @param test the test rows of the batch study; may be empty
 */
public record Samples(List<Instance> train, List<Instance> test) {
  private static final long SPLIT_SEED = 2017;

  /** Holds out a fraction of the rows for testing, always the same rows. */
  static Samples split(List<Instance> all, double share) {
    List<Instance> mixed = shuffled(all, SPLIT_SEED);
    int held = (int) Math.round(share * mixed.size());
    int learned = mixed.size() - held;
    return new Samples(
        List.copyOf(mixed.subList(0, learned)), List.copyOf(mixed.subList(learned, mixed.size())));
  }

  /** All rows, for the online studies. */
  public List<Instance> all() {
    List<Instance> all = new ArrayList<>(train);
    all.addAll(test);
    return all;
  }

  /** The rows in a random order that depends only on the seed. */
  public static List<Instance> shuffled(List<Instance> rows, long seed) {
    List<Instance> mixed = new ArrayList<>(rows);
    Collections.shuffle(mixed, new Random(seed));
    return mixed;
  }
}
