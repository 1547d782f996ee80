package org.avm4j.flink.job;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.avm4j.spec.LearnerFamilies;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.SpecOption;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The flags of a learner, which are those of the command {@code avm}. */
final class LearnerWords {
  /** Names of flags that belong to the job and not to a learner. */
  private static final Set<String> TAKEN = Set.of("help", "version");

  private LearnerWords() {}

  /** A command with a flag for each option of a learner. */
  static CommandLine added(Object command) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    ArgGroupSpec.Builder group =
        ArgGroupSpec.builder()
            .validate(false)
            .order(100)
            .heading("%nThe learner, as in 'avm online --help':%n");
    words().values().stream()
        .filter(option -> !TAKEN.contains(option.name()))
        .filter(option -> spec.findOption("--" + option.name()) == null)
        .forEach(option -> group.addArg(flag(option)));
    spec.addArgGroup(group.build());
    return new CommandLine(spec);
  }

  private static Map<String, SpecOption> words() {
    Map<String, SpecOption> all = new TreeMap<>();
    LearnerSpec.COMMON.forEach(option -> all.put(option.name(), option));
    for (String name : LearnerFamilies.installed().names()) {
      LearnerFamilies.installed()
          .named(name)
          .options()
          .forEach(option -> all.putIfAbsent(option.name(), option));
    }
    return all;
  }

  private static OptionSpec flag(SpecOption option) {
    String name = (option.name().length() == 1 ? "-" : "--") + option.name();
    OptionSpec.Builder flag = OptionSpec.builder(name).type(String.class).paramLabel("X");
    if (!option.choices().isEmpty()) {
      flag.description(String.join(", ", option.choices()));
    }
    if (option.choices().contains("true")) {
      flag.arity("0..1").fallbackValue("true");
    }
    return flag.build();
  }

  /** The typed flags as a specification. */
  static LearnerSpec spec(CommandSpec command) {
    Map<String, Object> words = new LinkedHashMap<>();
    for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
      String name = option.longestName().replaceFirst("^-+", "");
      if (LearnerSpec.isOption(name) && option.getValue() != null) {
        words.put(name, option.getValue());
      }
    }
    return LearnerSpec.of(words);
  }
}
