package org.avm4j.flink.job;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.BadDataException;
import org.avm4j.io.DamagedDataException;
import org.avm4j.spec.SpecException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The main class of {@code flink run avm-flink-job.jar …} and {@code ./avm flink …}. */
@Command(
    name = "avm flink",
    description = "Learn and score streams on Apache Flink.",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "2:invalid command line",
      "65:bad data: a damaged model or packed file",
      "66:an input does not exist or cannot be opened",
      "70:internal error (a bug), or the job failed",
      "74:a read or write error"
    },
    footer = {
      "",
      "Examples:",
      "  avm flink demo",
      "  avm flink learn --in rows.json --out answers --key shop --label sold",
      "  flink run avm-flink-job.jar learn --kafka broker:9092 --in kafka:rows --out kafka:answers"
    })
public final class FlinkMain implements Runnable {
  private CommandLine line;

  FlinkMain() {}

  /**
   * Runs a command; on a cluster a failure is thrown as an exception, so that the client reports
   * it.
   */
  public static void main(String[] args) {
    int code = execute(args);
    if (LocalState.isLocal()) {
      System.exit(code);
    }
    if (code != 0) {
      throw new IllegalStateException("avm flink ended with code " + code);
    }
  }

  /** Runs a command and returns its exit code. */
  static int execute(String... args) {
    return commandLine().execute(args);
  }

  static CommandLine commandLine() {
    FlinkMain main = new FlinkMain();
    CommandLine line = new CommandLine(main);
    main.line = line;
    line.addSubcommand("learn", LearnerWords.added(new LearnCommand()));
    line.addSubcommand("regions", new RegionsCommand());
    line.addSubcommand("score", new ScoreCommand());
    line.addSubcommand("batch", LearnerWords.added(new BatchCommand()));
    line.addSubcommand("demo", new FlinkDemoCommand());
    line.getSubcommands().values().forEach(FlinkMain::shorten);
    line.setParameterExceptionHandler(FlinkMain::wrongUsage);
    line.setExecutionExceptionHandler((why, command, parsed) -> failed(why, command));
    return line;
  }

  private static void shorten(CommandLine command) {
    command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
    command.setUsageHelpLongOptionsMaxWidth(26);
  }

  /** Without a subcommand, shows the help. */
  @Override
  public void run() {
    line.usage(System.out);
  }

  private static int wrongUsage(ParameterException why, String[] args) {
    CommandLine command = why.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("avm: " + why.getMessage().replace("\n", " "));
    CommandLine.UnmatchedArgumentException.printSuggestions(why, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return JobFailure.USAGE;
  }

  private static int failed(Exception why, CommandLine command) {
    Throwable cause = why instanceof UncheckedIOException unchecked ? unchecked.getCause() : why;
    int code = code(cause);
    String text = message(cause);
    command.getErr().println("avm: " + (code == JobFailure.BUG ? "the job failed: " : "") + text);
    return code;
  }

  private static String message(Throwable why) {
    if (why instanceof SpecException wrong) {
      return wrong.sentence(option -> "--" + option);
    }
    if (why instanceof NoSuchFileException missing) {
      return missing.getFile() + ": no such file";
    }
    Throwable root = why;
    while (code(why) == JobFailure.BUG && root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }

  private static int code(Throwable why) {
    if (why instanceof JobFailure failure) {
      return failure.code();
    }
    if (why instanceof ModelFileException
        || why instanceof BadDataException
        || why instanceof DamagedDataException) {
      return JobFailure.BAD_DATA;
    }
    if (why instanceof NoSuchFileException) {
      return JobFailure.NO_INPUT;
    }
    if (why instanceof java.io.IOException) {
      return JobFailure.IO;
    }
    return why instanceof IllegalArgumentException ? JobFailure.USAGE : JobFailure.BUG;
  }
}
