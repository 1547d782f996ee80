package org.avm4j.internal;

import java.util.Set;

/**
 * Parts of automatic mode that a measurement leaves out, to find what each is worth. Internal, for
 * the arena alone; learners that this thread makes from then on lack these parts.
 */
public final class Ablation {
  /** A part that can be left out. */
  public enum Part {
    /** The small machines that have the latest label among their features. */
    LABEL_MACHINES,
    /** The machines that forget and do not see the latest label. */
    FORGETTING_MACHINES,
    /** The nearest of the latest rows. */
    NEIGHBOURS,
    /** The boosted trees over a sample of the stream. */
    BOOSTED_TREES,
    /** The decision trees over the latest rows. */
    FOREST,
    /** The models from before a change. */
    FROZEN_MODELS,
    /** The weighted sum of all members. */
    STACK,
    /** The rests of members that are of no use. */
    REST,
    /** The regions below the root of a tree. */
    TREE,
    /** The gates of a tree's regions. */
    GATES,
    /** The weights of single features. */
    METRIC_VECTOR,
    /** The weights of directions. */
    METRIC_MATRIX
  }

  private static final ThreadLocal<Set<Part>> MISSING = ThreadLocal.withInitial(Set::of);

  private Ablation() {}

  /** Leaves out these parts from now on, in this thread; none of them with the empty set. */
  public static void leaveOut(Set<Part> parts) {
    MISSING.set(Set.copyOf(parts));
  }

  /** Whether a part is left out. */
  public static boolean lacks(Part part) {
    return MISSING.get().contains(part);
  }
}
