package org.avm4j.internal;

import java.util.Locale;

/** Names of choices as the command line writes them. */
public final class Words {
  private Words() {}

  /** RATIONAL_QUADRATIC is rational-quadratic. */
  public static String of(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The record RationalQuadratic is rational-quadratic. */
  public static String of(Record choice) {
    String name = choice.getClass().getSimpleName();
    return name.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
  }
}
