package org.avm4j.tree;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Ablation;

/**
 * Gates pooled over all regions of about the same age. They are the priors for the gates of single
 * regions that have seen little. An age is the binary logarithm of 16 times the instances seen,
 * divided by the size of a machine.
 */
final class AgeGates {
  private static final int AGES = 24;

  /** Approximate window of the pooled gates, in instances. */
  private static final double HORIZON = 4000;

  /** Prior standard deviation of a region's gate around that of its age. */
  private static final double DEVIATION = 0.3;

  private final Gate[] ages = new Gate[AGES];
  private final int unit;
  private final boolean areOpen = Ablation.lacks(Ablation.Part.GATES);

  /** Gates for machines of {@code unit} points. */
  AgeGates(int unit) {
    this.unit = unit;
    clear();
  }

  void clear() {
    for (int i = 0; i < AGES; i++) {
      ages[i] = new Gate();
    }
  }

  private Gate age(Region region) {
    long age = 16 * region.seen / unit;
    return ages[Math.min(AGES - 1, Long.SIZE - Long.numberOfLeadingZeros(age))];
  }

  /** Adds the effect of a region's correction on one instance. */
  void add(Region region, Correction correction) {
    age(region).add(correction.num, correction.den, 1 - 1 / HORIZON);
  }

  /** The gate of a region's own scores; 1 for the root. */
  double gate(Region region) {
    return region.parent == null || areOpen ? 1 : value(region, region.gate);
  }

  /** The value of a region's gate, shrunk towards that of its age. */
  double value(Region region, Gate gate) {
    return gate.value(age(region).cautious(), DEVIATION);
  }

  /** The factor that would have been best for all regions together. */
  double pooled() {
    double num = 0;
    double den = 0;
    for (Gate gate : ages) {
      num += gate.num();
      den += gate.den();
    }
    return den <= 0 ? 0 : Gate.clip(num / den);
  }

  /** Adds what another tree learned about its regions. */
  void merge(AgeGates other) {
    for (int i = 0; i < AGES; i++) {
      ages[i].merge(other.ages[i]);
    }
  }

  void encode(Encoder out) {
    for (Gate gate : ages) {
      gate.encode(out);
    }
  }

  void decode(Decoder in) throws ModelFileException {
    for (int i = 0; i < AGES; i++) {
      ages[i] = Gate.decode(in);
    }
  }
}
