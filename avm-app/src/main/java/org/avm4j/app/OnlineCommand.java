package org.avm4j.app;

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code avm online}: the paper's online setting. */
@Command(
    name = "online",
    description = {
      "Score each instance, then learn it, and report how good the scores were.",
      "Every figure is prequential: the answer to an instance is given before it is learned."
    },
    footer = {
      "",
      "Examples:",
      "  avm online train.libsvm --gamma 0.01 --delta 7 --lambda 1e-5",
      "  avm online train.libsvm --runs 10 --json",
      "  avm online data.libsvm --task anomaly --scores scores.txt",
      "  avm online data.libsvm --task cluster --answers clusters.txt",
      "  avm online train.libsvm --delay 100",
      "  cat train.libsvm | avm online - --warm-up 100 --answers -",
      "  zcat big.csv.gz | avm online - --label price --scale standard -m price.avm"
    })
final class OnlineCommand extends LearningCommand {
  @Option(
      names = {"-m", "--model"},
      paramLabel = "MODEL",
      description = "Save the learner there at the end.")
  Path model;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Mean and deviation over N shuffles with seeds from --seed on, using the cores. Default:"
              + " ${DEFAULT-VALUE}.")
  int runs;

  @Option(
      names = "--delay",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Labels are known late: an instance is learned N answers after its own. Default:"
              + " ${DEFAULT-VALUE}.")
  long delay;

  @Override
  void check() {
    super.check();
    if (delay < 0) {
      throw new Failure(Failure.USAGE, "--delay must be at least 0: " + delay);
    }
  }

  @Override
  long delay() {
    return delay;
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
