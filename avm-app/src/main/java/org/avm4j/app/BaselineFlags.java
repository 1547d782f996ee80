package org.avm4j.app;

import picocli.CommandLine.Option;

/** The flags of the paper's baselines; the defaults are those of their papers. */
final class BaselineFlags {
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
}
