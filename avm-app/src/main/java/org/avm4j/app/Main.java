package org.avm4j.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code avm}. */
@Command(
    name = "avm",
    description = "Online kernel learning with models that stay small.",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "2:invalid command line",
      "65:bad data: a malformed line, an unknown label or a damaged model",
      "66:an input does not exist or cannot be opened",
      "70:internal error (a bug); --stacktrace shows where",
      "71:out of memory",
      "73:an output cannot be created",
      "74:a read or write error",
      "75:train reached its --time limit before it had learned enough",
      "130:interrupted; the results so far were printed and saved"
    },
    footer = {
      "",
      "Examples:",
      "  avm demo",
      "  avm online data.libsvm",
      "  avm train train.csv -m model.avm --scale standard",
      "  avm predict test.csv -m model.avm -o answers.txt",
      "  avm help train"
    })
public final class Main implements Runnable {
  private static final String HELP_ALL = "--help-all";
  private static final String STACKTRACE = "--stacktrace";
  private static final Map<String, Supplier<Object>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("online", OnlineCommand::new);
    COMMANDS.put("train", TrainCommand::new);
    COMMANDS.put("predict", PredictCommand::new);
    COMMANDS.put("evaluate", EvaluateCommand::new);
    COMMANDS.put("compare", CompareCommand::new);
    COMMANDS.put("inspect", InspectCommand::new);
    COMMANDS.put("export", ExportCommand::new);
    COMMANDS.put("import", ImportCommand::new);
    COMMANDS.put("tune", TuneCommand::new);
    COMMANDS.put("reproduce", ReproduceCommand::new);
    COMMANDS.put("data", DataCommand::new);
    COMMANDS.put("bench", BenchCommand::new);
    COMMANDS.put("serve", ServeCommand::new);
    COMMANDS.put("soak", SoakCommand::new);
    COMMANDS.put("demo", DemoCommand::new);
    COMMANDS.put("completion", CompletionCommand::new);
    COMMANDS.put("man", ManCommand::new);
  }

  @Spec CommandSpec spec;

  @Option(
      names = STACKTRACE,
      scope = CommandLine.ScopeType.INHERIT,
      hidden = true,
      description = "Print the stack trace of an internal error.")
  boolean stacktrace;

  Main() {}

  public static void main(String[] args) {
    if (args.length > 0 && List.of("online", "train").contains(args[0])) {
      EarlyInterrupt.watch("before anything was learned; no model was saved");
    }
    if (args.length > 0 && args[0].equals("tune")) {
      EarlyInterrupt.watch("before the search was over; --state keeps what is finished");
    }
    if (args.length > 0 && List.of("evaluate", "compare").contains(args[0])) {
      EarlyInterrupt.watch("before the command was over");
    }
    int code;
    try {
      code = execute(args);
    } finally {
      EarlyInterrupt.end();
    }
    System.exit(code);
  }

  /** Runs a command, and handles errors that its exception handlers do not see. */
  static int execute(String... args) {
    try {
      int code = withHelp(args).execute(normalized(args));
      if (code == 0) {
        Standard.check();
      }
      return code;
    } catch (StandardOutput.ClosedException nobodyReads) {
      return 0;
    } catch (IOException lost) {
      System.err.println("avm: " + lost.getMessage());
      return Failure.IO;
    } catch (OutOfMemoryError tooLittle) {
      System.err.println("avm: out of memory; set AVM_JAVA_OPTS=-Xmx8g to allow more");
      return Failure.MEMORY;
    }
  }

  /** Replaces {@code help COMMAND} and {@code --help-all} by {@code --help}. */
  private static String[] normalized(String... args) {
    List<String> words = new ArrayList<>(List.of(args));
    words.replaceAll(word -> word.equals(HELP_ALL) ? "--help" : word);
    if (!words.isEmpty() && words.get(0).equals("help")) {
      words.remove(0);
      if (words.isEmpty() || isCommand(words)) {
        words.add("--help");
      }
    }
    return words.toArray(String[]::new);
  }

  /** Whether the first of these words are a command and, if it has several, one of its own. */
  private static boolean isCommand(List<String> words) {
    Supplier<Object> named = COMMANDS.get(words.get(0));
    if (named == null) {
      return false;
    }
    Map<String, CommandLine> inner = new CommandLine(named.get()).getSubcommands();
    boolean isOne = words.size() == 1 || words.get(1).startsWith("-");
    return isOne || inner.isEmpty() || inner.containsKey(words.get(1));
  }

  /** The command for these arguments; its help is short without {@code --help-all}. */
  private static CommandLine withHelp(String... args) {
    CommandLine line = commandLine(normalized(args));
    return List.of(args).contains(HELP_ALL) ? line : line.setHelpFactory(ShortHelp::new);
  }

  static CommandLine commandLine() {
    Map<String, Object> all = new LinkedHashMap<>();
    COMMANDS.forEach((name, command) -> all.put(name, command.get()));
    return commandLine(all);
  }

  /**
   * The command with only the subcommand that these arguments name, because the options of each
   * subcommand cost start-up time. If they name none, all subcommands are listed without their
   * options.
   */
  static CommandLine commandLine(String... args) {
    if (Stream.of(args).anyMatch(word -> word.startsWith("@"))) {
      return commandLine(); // further arguments are in a file
    }
    Optional<String> first = Stream.of(args).filter(word -> !word.equals(STACKTRACE)).findFirst();
    Supplier<Object> named = first.map(COMMANDS::get).orElse(null);
    if (named != null) {
      return commandLine(Map.of(first.get(), named.get()));
    }
    Map<String, Object> all = new LinkedHashMap<>();
    COMMANDS.forEach((name, command) -> all.put(name, brief(command.get())));
    return commandLine(all);
  }

  /** A command without options, with its line in the list of commands. */
  private static CommandSpec brief(Object command) {
    Command about = command.getClass().getAnnotation(Command.class);
    CommandSpec brief = CommandSpec.create().name(about.name());
    brief.usageMessage().description(about.description()).hidden(about.hidden());
    return brief;
  }

  private static CommandLine commandLine(Map<String, Object> commands) {
    Main main = new Main();
    CommandLine line = new CommandLine(main);
    commands.forEach(line::addSubcommand);
    line.setUsageHelpLongOptionsMaxWidth(26);
    shortenSynopsis(line);
    Choices.register(line);
    line.setParameterExceptionHandler(Main::wrongUsage);
    line.setExecutionExceptionHandler(
        (why, command, parsed) -> failed(why, command, main.stacktrace));
    return line;
  }

  private static void shortenSynopsis(CommandLine line) {
    line.getCommandSpec().usageMessage().abbreviateSynopsis(true);
    line.getSubcommands().values().forEach(Main::shortenSynopsis);
  }

  /** Without a subcommand, shows the help. */
  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }

  private static int wrongUsage(ParameterException found, String[] args) {
    ParameterException why = misspelled(found);
    CommandLine command = why.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("avm: " + plain(why.getMessage()));
    UnmatchedArgumentException.printSuggestions(why, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return Failure.USAGE;
  }

  /** Blames an unknown option rather than a missing one, which it may be meant to be. */
  private static ParameterException misspelled(ParameterException found) {
    List<String> unknown =
        found.getCommandLine().getUnmatchedArguments().stream()
            .filter(word -> word.startsWith("-"))
            .toList();
    return found instanceof MissingParameterException && !unknown.isEmpty()
        ? new UnmatchedArgumentException(found.getCommandLine(), unknown)
        : found;
  }

  /** The message of the parser without the names of Java's types. */
  private static String plain(String message) {
    return message
        .replace("\n", " ")
        .replaceAll(" is not an? (int|long)$", " is not a whole number")
        .replaceAll(" is not a (double|float)$", " is not a number");
  }

  private static int failed(Exception why, CommandLine command, boolean stacktrace) {
    if (Standard.isClosed(why)) {
      return 0;
    }
    Failure failure = Failure.of(why);
    PrintWriter err = command.getErr();
    if (failure != null) {
      err.println("avm: " + failure.getMessage());
      return failure.code();
    }
    err.println(
        "avm: internal error, please report it: "
            + why
            + (stacktrace ? "" : " (--stacktrace shows where)"));
    if (stacktrace) {
      why.printStackTrace(err);
    }
    return Failure.BUG;
  }

  /** The version that the build wrote into the manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"avm " + (version == null ? "(development)" : version)};
    }
  }
}
