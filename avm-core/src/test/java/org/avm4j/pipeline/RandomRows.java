package org.avm4j.pipeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.avm4j.data.Row;

/**
 * Rows of two numbers, a category and a switch, about a third of which no learner may take. Used
 * through every entry point with the same seed.
 */
public final class RandomRows {
  private static final List<String> COLOURS = List.of("red", "green", "blue");

  /** What labels are. */
  public enum Kind {
    /** "yes" and "no". */
    BINARY,
    /** One of three names. */
    MULTICLASS,
    /** A number. */
    REGRESSION,
    /** None is needed. */
    ANOMALY
  }

  private final Random random;
  private final Kind kind;
  private boolean isFirst = true;
  private boolean isGood;

  /** Rows that the seed decides. */
  public RandomRows(long seed, Kind kind) {
    random = new Random(seed);
    this.kind = kind;
  }

  /** Whether the row that came last may be learned. */
  public boolean isGood() {
    return isGood;
  }

  /** The next row. The first one is good and has all columns. */
  public Row next() {
    double x = random.nextDouble();
    double y = random.nextGaussian();
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("x", x);
    values.put("y", y);
    values.put("colour", COLOURS.get(random.nextInt(COLOURS.size())));
    values.put("on", random.nextBoolean());
    Object label = label(x, y);
    double weight = random.nextInt(5) == 0 ? 2 : 1;
    isGood = isFirst || random.nextInt(3) > 0;
    isFirst = false;
    if (isGood) {
      return new Row(new Row.Named(varied(values)), label, weight);
    }
    return spoiled(values, label, weight);
  }

  private Object label(double x, double y) {
    return switch (kind) {
      case BINARY -> x > 0.5 == y > 0 ? "yes" : "no";
      case MULTICLASS -> x > 0.6 ? "a" : y > 0 ? "b" : "c";
      case REGRESSION -> x + y;
      case ANOMALY -> null;
    };
  }

  /** Harmless oddities: a missing value, a number as text, a number for a category. */
  private Map<String, Object> varied(Map<String, Object> values) {
    switch (random.nextInt(12)) {
      case 0 -> values.remove("x");
      case 1 -> values.put("y", null);
      case 2 -> values.put("x", "0.25");
      case 3 -> values.put("on", 1);
      case 4 -> values.put("x", 1);
      default -> {
        return values;
      }
    }
    return values;
  }

  private Row spoiled(Map<String, Object> values, Object label, double weight) {
    values.put("ghost" + random.nextInt(1000), 1.5);
    int ways = kind == Kind.ANOMALY ? 8 : kind == Kind.MULTICLASS ? 10 : 11;
    switch (random.nextInt(ways)) {
      case 0 -> values.put("x", Double.NaN);
      case 1 -> values.put("x", Double.NEGATIVE_INFINITY);
      case 2 -> values.put("y", 1e300);
      case 3 -> values.put("y", "tall");
      case 4 -> values.put("colour", List.of("red"));
      case 5 -> values.put("colour", "half \ud800");
      case 6 -> {
        return new Row(new Row.Named(values), label, random.nextBoolean() ? 0 : Double.NaN);
      }
      case 7 -> {
        return new Row(new Row.Named(Map.of("other", 1.0)), label, weight);
      }
      case 8 -> {
        return new Row(new Row.Named(values), null, weight);
      }
      case 9 -> {
        return new Row(new Row.Named(values), Double.POSITIVE_INFINITY, weight);
      }
      default -> {
        Object third = kind == Kind.BINARY ? "maybe" : "text";
        return new Row(new Row.Named(values), third, weight);
      }
    }
    return new Row(new Row.Named(values), label, weight);
  }
}
