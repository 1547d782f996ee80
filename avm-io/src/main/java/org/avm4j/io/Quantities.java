package org.avm4j.io;

import static org.avm4j.data.BadDataException.quote;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Notations of quantities that are not read as numbers, but that users may mean as such. */
enum Quantities {
  /** A number with letters after it. */
  WITH_UNIT(
      "numbers with a unit",
      "leave the unit out of its cells",
      "[-+]?\\d+([.,]\\d+)?\\s*[\\p{L}°µ]{1,5}([/²³]\\p{L}*)?"),
  /** Minutes and seconds, or hours, minutes and seconds. */
  DURATION(
      "durations", "write them as numbers of seconds", "\\d{1,4}:[0-5]\\d(:[0-5]\\d)?([.,]\\d+)?");

  /** Minimum number of different texts that are told. */
  private static final int FEWEST = 20;

  private final String what;
  private final String advice;
  private final Pattern pattern;

  Quantities(String what, String advice, String regex) {
    this.what = what;
    this.advice = advice;
    this.pattern = Pattern.compile(regex);
  }

  /** The notation of nearly all of these different texts, if it is one of these. */
  static Optional<Quantities> in(Set<String> texts) {
    return List.of(values()).stream()
        .filter(notation -> notation.count(texts) > FEWEST)
        .filter(notation -> notation.count(texts) >= 0.9 * texts.size())
        .findFirst();
  }

  private long count(Set<String> texts) {
    return texts.stream().filter(text -> pattern.matcher(text).matches()).count();
  }

  /** What the texts are, with one of them as an example. */
  String name(Set<String> texts) {
    return texts.stream()
        .filter(text -> pattern.matcher(text).matches())
        .findFirst()
        .map(text -> what + ", such as " + quote(text))
        .orElse(what);
  }

  /** How they would be read as numbers. */
  String advice() {
    return advice;
  }
}
