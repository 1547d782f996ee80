package org.avm4j.app;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.avm4j.asking.AskOptions;
import org.avm4j.data.Decimal;
import org.avm4j.run.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code avm online}: the paper's online setting. */
@Command(
    name = "online",
    description = {
      "Predict each instance, then learn it, and report how good the predictions were.",
      "All figures are prequential: each instance is predicted before it is learned."
    },
    footer = {
      "",
      "Examples:",
      "  avm online train.libsvm --gamma 0.01 --delta 7 --lambda 1e-5",
      "  avm online train.libsvm --runs 10 --json",
      "  avm online data.libsvm --task anomaly --scores scores.txt",
      "  avm online data.libsvm --task cluster --answers clusters.txt",
      "  avm online train.libsvm --delay 100",
      "  avm online train.libsvm --ask 5",
      "  cat train.libsvm | avm online - --warm-up 100 --answers -",
      "  zcat big.csv.gz | avm online - --label price --scale standard -m price.avm"
    })
final class OnlineCommand extends LearningCommand {
  @Option(
      names = {"-m", "--model"},
      paramLabel = "MODEL",
      description = "File to save the learner to at the end.")
  Path model;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Repeat the run on N random orders of the rows, in parallel, and report mean and"
              + " standard deviation. Seeds start at --seed. Default: ${DEFAULT-VALUE}.")
  int runs;

  @Option(
      names = "--delay",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Number of further answers after which the label of an instance becomes known and is"
              + " learned. Default: ${DEFAULT-VALUE}.")
  long delay;

  @Option(
      names = "--ask",
      paramLabel = "PERCENT",
      description =
          "Learn only this percentage of the labels, such as 5%%: more often those of rows with"
              + " uncertain answers, or of random rows if labels are numbers. All answers are"
              + " measured. --answers then ends each line in ask or -.")
  String ask;

  @Option(
      names = "--ask-random",
      paramLabel = "PERCENT",
      description =
          "Percentage of the --ask labels drawn at random, so that changes are noticed"
              + " everywhere. 100 gives a baseline for comparison. Default: 10.")
  String askRandom;

  @Option(
      names = "--drift",
      description =
          "Report when the error rose and what changed: columns, their effects or classes.")
  boolean drift;

  @Option(
      names = "--unlabelled",
      paramLabel = "FILE",
      split = ",",
      description =
          "Files with rows whose labels are unknown. One such row is observed after each row of"
              + " DATA, the rest at the end. Automatic mode learns from them if labels are"
              + " classes. May be repeated.")
  List<String> unlabelled = List.of();

  private AskOptions asking;

  @Override
  void check() {
    super.check();
    if (delay < 0) {
      throw Failure.usage("--delay must be at least 0: " + delay);
    }
    if (ask != null && learning().isUnsupervised()) {
      throw Failure.usage("--ask needs a task that learns labels");
    }
    if (drift && learning().isUnsupervised()) {
      throw Failure.usage("--drift needs a task that learns labels");
    }
    if (ask == null && askRandom != null) {
      throw Failure.usage("--ask-random needs --ask");
    }
    asking = ask == null ? null : asked();
    checkUnlabelled();
  }

  private void checkUnlabelled() {
    if (unlabelled.isEmpty()) {
      return;
    }
    if (learning().isUnsupervised() || shuffles() || runs > 1 || rowFlags.lags != null) {
      throw Failure.usage(
          "--unlabelled needs labels that are classes and cannot be combined with --shuffle,"
              + " --runs, --lags or a task without labels");
    }
    if (unlabelled.contains("-")) {
      throw Failure.usage("--unlabelled must name a file, not standard input");
    }
    unlabelled().ifPresent(source -> Failure.ifNotWritable(source.names(), outputs()));
  }

  @Override
  Optional<DataSource> unlabelled() {
    return unlabelled.isEmpty() ? Optional.empty() : Optional.of(input.source(unlabelled));
  }

  private AskOptions asked() {
    double labels = share("--ask", ask, false);
    return askRandom == null
        ? new AskOptions(labels)
        : new AskOptions(labels, share("--ask-random", askRandom, true));
  }

  /** Parses a percentage into a fraction. */
  private static double share(String name, String typed, boolean mayBeNone) {
    String number = typed.endsWith("%") ? typed.substring(0, typed.length() - 1) : typed;
    double percent = Decimal.parse(number.strip());
    if (percent <= 100 && (percent > 0 || mayBeNone && percent == 0)) {
      return percent / 100;
    }
    throw Failure.usage(
        name
            + " must be a percentage "
            + (mayBeNone ? "from 0 to" : "above 0 and at most")
            + " 100: '"
            + typed
            + "'");
  }

  @Override
  AskOptions asking() {
    return asking;
  }

  @Override
  long delay() {
    return delay;
  }

  @Override
  boolean watchesDrift() {
    return drift;
  }

  @Override
  boolean tracksColumns() {
    return output.html != null;
  }

  @Override
  boolean shufflesFiles() {
    return false;
  }

  @Override
  Path model() {
    return model;
  }

  @Override
  int passes() {
    return 1;
  }

  @Override
  int runs() {
    return runs;
  }
}
