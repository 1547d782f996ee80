package org.avm4j.app;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.avm4j.Limit;
import org.avm4j.data.Missing;
import org.avm4j.io.Format;
import org.avm4j.lab.Generator;
import org.avm4j.pipeline.Costs;
import org.avm4j.table.Scaling;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Converters for options with a few choices; a wrong word is answered by a list of all. */
final class Choices {
  private static final List<Class<? extends Enum<?>>> TYPES =
      List.of(
          Format.class,
          Generator.class,
          Limit.class,
          Missing.class,
          Scaling.class,
          TuneCommand.By.class);

  private Choices() {}

  static void register(CommandLine line) {
    TYPES.forEach(type -> register(line, type));
    line.registerConverter(LagCount.class, LagCount::of);
    line.registerConverter(Latency.class, Latency::of);
    line.registerConverter(TimeLimit.class, TimeLimit::of);
    line.registerConverter(Costs.class, CostWord::parse);
  }

  private static <E> void register(CommandLine line, Class<E> type) {
    line.registerConverter(type, word -> parse(type, word));
  }

  /** The name on the command line: RATIONAL_QUADRATIC becomes rational-quadratic. */
  static String name(Object choice) {
    return ((Enum<?>) choice).name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static <E> E parse(Class<E> type, String word) {
    for (E choice : type.getEnumConstants()) {
      if (name(choice).equals(word.toLowerCase(Locale.ROOT))) {
        return choice;
      }
    }
    throw new TypeConversionException(
        "'"
            + word
            + "' is not one of "
            + Arrays.stream(type.getEnumConstants())
                .map(Choices::name)
                .collect(Collectors.joining(", ")));
  }
}
