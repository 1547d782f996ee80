package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.avm4j.data.TextLines;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Merges the options of {@code avm serve} from three sources: the command line takes precedence
 * over environment variables, and these over a file. Unknown keys are rejected; variables that
 * Kubernetes makes for a Service are ignored.
 */
final class ServeSettings {
  private static final String PREFIX = "AVM_SERVE_";

  /** Options that are not settings of a service. */
  private static final Set<String> ACTIONS =
      Set.of("--backup", "--repair", "--new-token", "--config", "--help");

  /**
   * Variables that Kubernetes makes for a Service called avm-serve, or avm-serve-NAME, and which
   * are no settings.
   */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          PREFIX
              + "(.+_)?(SERVICE_(HOST|PORT(_.+)?)|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  private final ServeCommand given;
  private final Map<String, String> environment;
  private final Set<String> keys = new TreeSet<>();

  /**
   * A setting and its source.
   *
   * @param place a description of its source, for messages
   */
  private record Setting(String key, String value, String place) {
    String argument() {
      return "--" + key + "=" + value;
    }
  }

  ServeSettings(ServeCommand given, Map<String, String> environment) {
    this.given = given;
    this.environment = environment;
    CommandLine line = new CommandLine(new ServeCommand());
    for (OptionSpec option : line.getCommandSpec().options()) {
      if (ACTIONS.stream().noneMatch(List.of(option.names())::contains)) {
        keys.add(option.longestName().substring(2));
      }
    }
  }

  static ServeSettings of(ServeCommand given) {
    return new ServeSettings(given, System.getenv());
  }

  /** A command with the merged options. */
  ServeCommand configured() throws IOException {
    Map<String, Setting> settings = new LinkedHashMap<>();
    Path file = file();
    if (file != null) {
      read(file).forEach(setting -> settings.put(setting.key, setting));
    }
    variables().forEach(setting -> settings.put(setting.key, setting));
    settings.values().forEach(ServeSettings::check);
    ServeCommand command = new ServeCommand();
    CommandLine line = new CommandLine(command);
    line.parseArgs(settings.values().stream().map(Setting::argument).toArray(String[]::new));
    for (OptionSpec option : given.spec.commandLine().getParseResult().matchedOptions()) {
      OptionSpec same = line.getCommandSpec().findOption(option.longestName());
      if (same != null) {
        same.setValue(option.getValue());
      }
    }
    return command;
  }

  private Path file() {
    String variable = environment.get(PREFIX + "CONFIG");
    return given.config != null || variable == null ? given.config : Path.of(variable);
  }

  private List<Setting> read(Path file) throws IOException {
    List<Setting> settings = new ArrayList<>();
    Map<String, Integer> lines = new HashMap<>();
    int number = 0;
    for (String line : TextLines.read(file)) {
      number++;
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      String place = file + ":" + number;
      String[] parts = text.split("\\s*=\\s*", 2);
      if (parts.length < 2) {
        throw Failure.usage(place + ": expected KEY = VALUE");
      }
      settings.add(setting(parts[0], parts[1], place));
      Integer before = lines.put(parts[0], number);
      if (before != null) {
        throw Failure.usage(
            file + ": lines " + before + " and " + number + " both set '" + parts[0] + "'");
      }
    }
    return settings;
  }

  private List<Setting> variables() {
    List<Setting> settings = new ArrayList<>();
    environment.forEach(
        (name, value) -> {
          boolean isOurs = name.startsWith(PREFIX) && !name.equals(PREFIX + "CONFIG");
          if (isOurs && !isServiceLink(name, value)) {
            String key = name.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '-');
            settings.add(setting(key, value, "the environment variable " + name));
          }
        });
    return settings;
  }

  private static boolean isServiceLink(String name, String value) {
    return SERVICE_LINK.matcher(name).matches()
        || name.endsWith("_PORT") && SERVICE_ADDRESS.matcher(value).matches();
  }

  private Setting setting(String key, String value, String place) {
    if (!keys.contains(key)) {
      throw Failure.usage(place + ": unknown key '" + key + "', expected one of " + keys);
    }
    return new Setting(key, value, place);
  }

  /** Throws an exception that names the source if the option rejects a value. */
  private static void check(Setting setting) {
    try {
      new CommandLine(new ServeCommand()).parseArgs(setting.argument());
    } catch (ParameterException wrong) {
      throw Failure.usage(setting.place + ": " + setting.key + ": " + wrong.getMessage());
    }
  }
}
