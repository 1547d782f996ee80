package org.avm4j.app;

import org.avm4j.lab.baseline.BaselineOptions;
import picocli.CommandLine.Option;

/** The choices of the paper's baselines; what is not given is as in their papers. */
final class BaselineFlags implements Cloneable {
  @Option(
      names = "--budget",
      paramLabel = "B",
      description = "Largest number of vectors. Default: 100.")
  Integer budget;

  @Option(
      names = "--eta",
      paramLabel = "X",
      description = "Step. Default: 0.2; 0.1 for the perceptrons in regression.")
  Double eta;

  @Option(
      names = "--linear-eta",
      paramLabel = "X",
      description = "nogd: step of its linear phase. Default: that of --eta.")
  Double linearEta;

  @Option(
      names = "--features",
      paramLabel = "D",
      description = "fogd: number of random frequencies. Default: 400.")
  Integer features;

  @Option(
      names = "--rank",
      paramLabel = "K",
      description = "nogd: number of eigenpairs. Default: a fifth of --budget.")
  Integer rank;

  @Option(
      names = "--aggressiveness",
      paramLabel = "C",
      description = "bpas: largest step. Default: 1.")
  Double aggressiveness;

  @Option(
      names = "--toolbox",
      description = "Follow the published toolbox where it departs from its paper.")
  boolean toolbox;

  BaselineOptions.Builder set(BaselineOptions.Builder builder) {
    if (budget != null) {
      builder.budget(budget);
    }
    if (eta != null) {
      builder.eta(eta);
    }
    if (linearEta != null) {
      builder.linearEta(linearEta);
    }
    if (features != null) {
      builder.features(features);
    }
    if (rank != null) {
      builder.rank(rank);
    }
    if (aggressiveness != null) {
      builder.aggressiveness(aggressiveness);
    }
    return builder.toolbox(toolbox);
  }

  /** The same but for one number. */
  BaselineFlags with(String option, double value) {
    try {
      BaselineFlags changed = (BaselineFlags) clone();
      switch (option) {
        case "eta" -> changed.eta = value;
        case "aggressiveness" -> changed.aggressiveness = value;
        default -> throw new IllegalArgumentException("no such option to tune: " + option);
      }
      return changed;
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
