package org.avm4j.spec;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** An option of a learner: its name, and which values it takes. An immutable value. */
public final class SpecOption {
  private final String name;
  private final List<String> choices;
  private final UnaryOperator<String> check;

  private SpecOption(String name, List<String> choices, UnaryOperator<String> check) {
    this.name = name;
    this.choices = choices;
    this.check = check;
  }

  /** An option whose value is a number. */
  public static SpecOption number(String name) {
    return new SpecOption(name, List.of(), text -> number(name, text));
  }

  /** An option whose value is a percentage from 1 to below 100; below 1 a share was meant. */
  public static SpecOption percent(String name) {
    return new SpecOption(name, List.of(), text -> percent(name, text));
  }

  /** An option whose value is a whole number. */
  public static SpecOption whole(String name) {
    return new SpecOption(name, List.of(), text -> whole(name, text));
  }

  /** An option that is true or false. */
  public static SpecOption flag(String name) {
    return choice(name, "true", "false");
  }

  /** An option whose value is one of these words, in upper or lower case. */
  public static SpecOption choice(String name, String... words) {
    List<String> choices = List.of(words);
    return new SpecOption(name, choices, text -> choice(name, choices, text));
  }

  /**
   * An option whose value is any text.
   *
   * @param check returns the text as it is kept, or refuses it with a {@link SpecException}
   */
  public static SpecOption text(String name, UnaryOperator<String> check) {
    return new SpecOption(name, List.of(), check);
  }

  /** The name, such as {@code max-size}. */
  public String name() {
    return name;
  }

  /** The words to choose from; empty where the value is a number or a text. */
  public List<String> choices() {
    return choices;
  }

  /**
   * The value as text, or a {@link SpecException}.
   *
   * @param value a text, a number, a boolean, or a map that is written as KEY=VALUE,KEY=VALUE
   */
  public String text(Object value) {
    return check.apply(value instanceof Map<?, ?> map ? pairs(map) : String.valueOf(value));
  }

  private static String pairs(Map<?, ?> map) {
    return map.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(","));
  }

  private static String number(String name, String text) {
    try {
      return Double.toString(Double.parseDouble(text));
    } catch (NumberFormatException malformed) {
      throw new SpecException("{" + name + "} must be a number: '" + text + "'", name);
    }
  }

  private static String percent(String name, String text) {
    double value = Double.parseDouble(number(name, text));
    if (!(value >= 1 && value < 100)) {
      throw new SpecException(
          "{"
              + name
              + "} must be a percentage such as 90, at least 1 and below 100: '"
              + text
              + "'",
          name);
    }
    return Double.toString(value);
  }

  private static String whole(String name, String text) {
    try {
      return Long.toString(Long.parseLong(text.endsWith(".0") ? cut(text) : text));
    } catch (NumberFormatException malformed) {
      throw new SpecException("{" + name + "} must be a whole number: '" + text + "'", name);
    }
  }

  private static String cut(String text) {
    return text.substring(0, text.length() - 2);
  }

  private static String choice(String name, List<String> choices, String text) {
    String word = text.toLowerCase(Locale.ROOT);
    if (!choices.contains(word)) {
      throw new SpecException(
          "{" + name + "} must be one of " + String.join(", ", choices) + ": '" + text + "'", name);
    }
    return word;
  }

  @Override
  public String toString() {
    return name;
  }
}
