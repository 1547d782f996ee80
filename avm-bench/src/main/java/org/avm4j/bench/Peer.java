package org.avm4j.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A library or method to put beside others, with the settings it may choose from.
 *
 * @param name what it is called in tables
 * @param variants its settings
 */
record Peer(String name, List<Variant> variants) {
  /**
   * A setting.
   *
   * @param settings in words
   * @param start a new contender
   */
  record Variant(String settings, Supplier<Rival> start) {}

  /** One without a choice. */
  Peer(String name, String settings, Supplier<Rival> start) {
    this(name, List.of(new Variant(settings, start)));
  }

  /** One with nothing to choose from yet. */
  Peer(String name) {
    this(name, new ArrayList<>());
  }

  Peer or(String settings, Supplier<Rival> start) {
    variants.add(new Variant(settings, start));
    return this;
  }

  /** The setting with the fewest mistakes on the first rows; of equals the first. */
  Variant best(int rows) {
    Variant best = variants.get(0);
    int fewest = Integer.MAX_VALUE;
    for (Variant variant : variants.size() == 1 ? List.<Variant>of() : variants) {
      int mistakes = mistakes(variant.start.get(), rows);
      if (mistakes < fewest) {
        fewest = mistakes;
        best = variant;
      }
    }
    return best;
  }

  private static int mistakes(Rival contender, int rows) {
    int mistakes = 0;
    for (int t = 0; t < rows; t++) {
      mistakes += contender.step(t) ? 0 : 1;
    }
    return mistakes;
  }
}
