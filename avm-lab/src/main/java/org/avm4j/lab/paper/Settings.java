package org.avm4j.lab.paper;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Hyper-parameters by name, written as {@code delta=7 gamma=0.0625 nlambda=4}. λ is written as λN,
 * N being the number of training rows, as in the paper's grid {@code 2^k/N}.
 */
public final class Settings {
  /** No settings. */
  public static final Settings NONE = new Settings(Map.of());

  private final TreeMap<String, String> values;

  private Settings(Map<String, String> values) {
    this.values = new TreeMap<>(values);
  }

  /** Parses settings. */
  public static Settings parse(String text) {
    Map<String, String> values = new TreeMap<>();
    for (String word : text.isBlank() ? new String[0] : text.strip().split("\\s+")) {
      int at = word.indexOf('=');
      if (at < 1) {
        throw new IllegalArgumentException("a setting must be written as name=value: " + word);
      }
      values.put(word.substring(0, at), word.substring(at + 1));
    }
    return new Settings(values);
  }

  /** The same with a number added or replaced. */
  public Settings with(String name, double value) {
    return with(parse(name + "=" + text(value)));
  }

  /** The same with all of these numbers added or replaced. */
  public Settings with(Map<String, Double> numbers) {
    Settings all = this;
    for (Map.Entry<String, Double> number : numbers.entrySet()) {
      all = all.with(number.getKey(), number.getValue());
    }
    return all;
  }

  /** A copy in which the other settings take precedence. */
  public Settings with(Settings other) {
    Settings both = new Settings(values);
    both.values.putAll(other.values);
    return both;
  }

  /** The settings with the given names. */
  public Settings only(Collection<String> names) {
    Settings some = new Settings(values);
    some.values.keySet().retainAll(names);
    return some;
  }

  /** Whether a name is set. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** The number of this name. */
  public double number(String name) {
    String text = values.get(name);
    if (text == null) {
      throw new IllegalArgumentException("the setting " + name + " is missing in: " + this);
    }
    return Double.parseDouble(text);
  }

  /** The number of this name, or a default if it is not set. */
  public double number(String name, double otherwise) {
    return has(name) ? number(name) : otherwise;
  }

  /** The whole number of this name, or a default if it is not set. */
  public int whole(String name, int otherwise) {
    return has(name) ? (int) number(name) : otherwise;
  }

  /** The word of this name, or a default if it is not set. */
  public String word(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Settings that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** All settings in alphabetical order. */
  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  /** The text of a number; whole numbers have no decimal point. */
  static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e9
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
