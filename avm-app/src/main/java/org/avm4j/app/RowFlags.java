package org.avm4j.app;

import org.avm4j.table.Scaling;
import picocli.CommandLine.Option;

/** The flags for how rows are scaled, surveyed and ordered before they are learned. */
final class RowFlags {
  @Option(
      names = "--scale",
      paramLabel = "HOW",
      description =
          "How to scale features: none; unit, to [0,1]; symmetric, to [-1,1]; standard, to mean 0"
              + " and deviation 1; numbers, as standard except for columns of 0 and 1. The"
              + " scaling is measured in a first pass over files, or in the warm-up of standard"
              + " input, and is saved in the model. Default: chosen automatically from the first"
              + " 2,048 rows; none with --update sgd, --gamma or --delta.")
  Scaling scaling;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Rows of standard input to examine before learning starts, or fewer if they take more"
              + " than 5 seconds. Default: ${DEFAULT-VALUE}.")
  int warmUp;

  @Option(
      names = "--shuffle",
      negatable = true,
      description =
          "Process the rows in a random order that depends on --seed. Default: train shuffles"
              + " files, online does not shuffle.")
  Boolean shuffle;

  @Option(
      names = "--lags",
      paramLabel = "K",
      description =
          "For numeric labels in order of time: use the K latest known labels as features of each"
              + " row; auto (train) chooses K. predict and evaluate expect the rows that follow"
              + " the training data.")
  LagCount lags;

  /** Whether the number of lags is chosen from the data. */
  boolean choosesLags() {
    return lags != null && lags.isAutomatic();
  }
}
