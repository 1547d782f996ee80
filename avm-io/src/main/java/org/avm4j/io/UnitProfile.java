package org.avm4j.io;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Units;

/** Counts the units of the numbers in a column, and decides which of them the column has. */
final class UnitProfile {
  /** Minimum fraction of the values that must have the units of the column. */
  private static final double MOSTLY = 0.95;

  /** Maximum number of different units that are counted; free text has more. */
  private static final int MOST_UNITS = 100;

  /** The number of rows with these units, mostly one. */
  private final Map<Set<String>, Long> rows = new HashMap<>();

  private final NumberProfile numbers = new NumberProfile();
  private long parts;

  /** The first texts without a unit, and the number of rows with any. */
  private final Set<String> others = new HashSet<>();

  private long otherRows;

  /** Notes that other columns of the table have decimal commas. */
  void useCommas() {
    numbers.useCommas();
  }

  /**
   * The units of a column.
   *
   * @param rows the number of rows that have them
   */
  record Found(Units units, long rows) {}

  /** Counts a text that is no plain number, if it is a number with a unit. */
  void add(String text) {
    List<Units.Part> found = rows.size() > MOST_UNITS ? List.of() : Units.parts(text);
    if (!found.isEmpty() && found.stream().allMatch(part -> numbers.add(part.number()))) {
      parts += found.size();
      rows.merge(
          Set.copyOf(found.stream().map(Units.Part::unit).distinct().toList()), 1L, Long::sum);
      return;
    }
    otherRows++;
    if (others.size() <= ColumnProfile.MOST_GAP_TEXTS) {
      others.add(text);
    }
  }

  /**
   * The units that nearly all values have, or all but a few different texts as in a column of plain
   * numbers; empty if there are none.
   *
   * @param bare the number of values that are numbers without a unit
   * @param values the number of all values, without marks of a missing one
   * @param texts the different texts of the column
   */
  Optional<Found> find(long bare, long values, Set<String> texts) {
    ColumnKind notation = rows.isEmpty() ? null : numbers.kind(parts, texts);
    if (notation == null) {
      return Optional.empty();
    }
    Map<String, Double> best = single();
    boolean hasFactor = bare > 0 && !best.containsKey("m"); // 950 and 1.2k, but not 7 and 12m
    for (Map<String, Double> quantity : Units.quantities()) {
      long more = count(quantity) - count(best);
      best = more > 0 || more == 0 && hasFactor && quantity.containsKey("") ? quantity : best;
    }
    long own = count(best);
    long all = own + (best.containsKey("") ? bare : 0);
    boolean areOthersFew =
        all + otherRows == values
            && others.size() <= ColumnProfile.MOST_GAP_TEXTS
            && texts.size() > ColumnProfile.FEWEST_DIFFERENT;
    return 2 * own >= values && (all >= MOSTLY * values || areOthersFew)
        ? Optional.of(new Found(new Units(notation, best), all))
        : Optional.empty();
  }

  /** The number of rows that have only such units. */
  private long count(Map<String, Double> units) {
    return count(unit -> units.containsKey(unit) || units.containsKey(Units.lower(unit)));
  }

  private long count(Predicate<String> isKnown) {
    return rows.entrySet().stream()
        .filter(row -> row.getKey().stream().allMatch(isKnown))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** The most common unit, in singular and plural, which a number may also lack. */
  private Map<String, Double> single() {
    Map<String, Double> best = Map.of();
    Set<String> all = new HashSet<>();
    rows.keySet().forEach(all::addAll);
    for (String unit : all) {
      Map<String, Double> forms = new TreeMap<>(Map.of("", 1.0, unit, 1.0));
      if (all.contains(unit + "s")) {
        forms.put(unit + "s", 1.0);
      }
      best = count(forms) > count(best) ? forms : best;
    }
    return best;
  }
}
