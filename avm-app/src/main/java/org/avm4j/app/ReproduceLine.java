package org.avm4j.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.avm4j.Status;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command line that repeats a run. It spells out all settings of a learner; automatic mode,
 * which finds its settings along the stream, keeps the given options.
 */
final class ReproduceLine {
  /**
   * Flags that are left out: how the report is shown, checkpoints, and latency, which has been
   * converted to a size.
   */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "--json",
          "--quiet",
          "--checkpoint",
          "--checkpoint-every",
          "--resume",
          "--target-latency");

  private final CommandSpec command;

  ReproduceLine(CommandSpec command) {
    this.command = command;
  }

  /** The line for a learner that these rules made and that ended in this status. */
  String of(DefaultRules rules, Status status) {
    ParseResult parsed = command.commandLine().getParseResult();
    List<String> words = new ArrayList<>(List.of("avm", command.name()));
    Set<PositionalParamSpec> places = new LinkedHashSet<>(parsed.matchedPositionals());
    places.forEach(data -> words.addAll(data.originalStringValues()));
    for (OptionSpec option : parsed.matchedOptions()) {
      String name = option.longestName();
      if (!LEFT_OUT.contains(name) && !LearnerSpec.isOption(name.replaceFirst("^-+", ""))) {
        words.addAll(words(option));
      }
    }
    spelledOut(rules, status).forEach((name, value) -> addTo(words, name, value));
    return String.join(" ", words.stream().map(ReproduceLine::quoted).toList());
  }

  private static Map<String, String> spelledOut(DefaultRules rules, Status status) {
    LearnerSpec spec = rules.spec();
    if (rules.isAutomatic()) {
      return spec.words();
    }
    Map<String, Object> all = new LinkedHashMap<>(spec.words());
    all.remove("c");
    status
        .settings()
        .forEach((name, value) -> all.put(name.equals("name") ? "learner" : name, value));
    return LearnerSpec.of(all).words();
  }

  private static void addTo(List<String> words, String name, String value) {
    if (value.equals("true")) {
      words.add(LearnerOptions.flag(name));
    } else if (!value.equals("false")) {
      words.add(LearnerOptions.flag(name) + (name.length() == 1 ? "" : "=") + value);
    }
  }

  private static List<String> words(OptionSpec option) {
    if (option.arity().max() == 0) {
      boolean isNegated = Boolean.FALSE.equals(option.getValue());
      return List.of(isNegated ? negated(option) : option.longestName());
    }
    return List.of(option.longestName() + "=" + String.join(",", option.originalStringValues()));
  }

  private static String negated(OptionSpec option) {
    return option.longestName().replaceFirst("^--", "--no-");
  }

  /** A word, quoted for a shell if necessary. */
  static String quoted(String word) {
    return word.matches("[-\\w./=,:+]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
