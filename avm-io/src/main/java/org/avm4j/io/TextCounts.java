package org.avm4j.io;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Counts the different texts of a column; if there are too many, the rarest are forgotten. */
final class TextCounts {
  private static final int MOST_TRACKED = 20_000;

  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private boolean areAllTracked = true;

  void add(String text) {
    counts.merge(text, 1, Integer::sum);
    for (int rare = 1; counts.size() > MOST_TRACKED; rare++) {
      areAllTracked = false;
      int limit = rare;
      counts.values().removeIf(count -> count <= limit);
    }
  }

  /** Whether no text was forgotten. */
  boolean areAllTracked() {
    return areAllTracked;
  }

  /** The number of rows of each text that was not forgotten. */
  Map<String, Integer> rows() {
    return Collections.unmodifiableMap(counts);
  }

  /** All texts that were not forgotten, in the order of their first appearance. */
  Set<String> texts() {
    return Collections.unmodifiableSet(counts.keySet());
  }

  /** The number of different texts; if some were forgotten, a lower bound. */
  int different() {
    return areAllTracked ? counts.size() : Math.max(counts.size(), MOST_TRACKED);
  }

  /** The number of different texts, for messages. */
  String differentText() {
    return (areAllTracked ? "" : "more than ") + String.format(Locale.ROOT, "%,d", different());
  }

  /** The most common texts among those that occurred at least twice. */
  List<String> mostCommon(int most) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() > 1)
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(most)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** How often the most common text occurs; 0 if there is none. */
  int most() {
    return counts.values().stream().max(Comparator.naturalOrder()).orElse(0);
  }

  /** The most common text; empty if there is none. */
  String mostCommon() {
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse("");
  }
}
