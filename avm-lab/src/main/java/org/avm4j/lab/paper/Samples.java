package org.avm4j.lab.paper;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.avm4j.data.Instance;

/**
 * The rows of a data set, scaled and in memory. They are shared between threads and never changed.
 *
 * @param train what is learned from in the batch study
 * @param test what is answered there; may be empty
 */
public record Samples(List<Instance> train, List<Instance> test) {
  private static final long SPLIT_SEED = 2017;

  /** With a part of the training rows, the same one each time, held out for testing. */
  static Samples split(List<Instance> all, double share) {
    List<Instance> mixed = shuffled(all, SPLIT_SEED);
    int held = (int) Math.round(share * mixed.size());
    int learned = mixed.size() - held;
    return new Samples(
        List.copyOf(mixed.subList(0, learned)), List.copyOf(mixed.subList(learned, mixed.size())));
  }

  /** All rows: both parts joined, as the online studies take them. */
  public List<Instance> all() {
    List<Instance> all = new ArrayList<>(train);
    all.addAll(test);
    return all;
  }

  /** The rows in an order that the seed alone decides. */
  public static List<Instance> shuffled(List<Instance> rows, long seed) {
    List<Instance> mixed = new ArrayList<>(rows);
    Collections.shuffle(mixed, new Random(seed));
    return mixed;
  }
}
