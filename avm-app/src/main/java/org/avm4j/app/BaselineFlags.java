package org.avm4j.app;

import picocli.CommandLine.Option;

/** The flags of the paper's baselines; the defaults are those of their papers. */
final class BaselineFlags {
  @Option(
      names = "--budget",
      paramLabel = "B",
      description = "Maximum number of vectors. Default: 100.")
  Integer budget;

  @Option(
      names = "--eta",
      paramLabel = "X",
      description = "Step size. Default: 0.2; 0.1 for the perceptrons in regression.")
  Double eta;

  @Option(
      names = "--linear-eta",
      paramLabel = "X",
      description = "nogd: step size of its linear phase. Default: the value of --eta.")
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
      description = "bpas: maximum step size. Default: 1.")
  Double aggressiveness;

  @Option(
      names = "--toolbox",
      description = "Follow the published toolbox where it differs from its paper.")
  boolean toolbox;
}
