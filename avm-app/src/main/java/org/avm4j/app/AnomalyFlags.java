package org.avm4j.app;

import picocli.CommandLine.Option;

/** The flags of {@code --task anomaly}. */
final class AnomalyFlags {
  @Option(
      names = "--anomaly-rate",
      paramLabel = "X",
      description = "Fraction of the rows to report as anomalies. Default: 0.01.")
  Double rate;

  @Option(
      names = "--support",
      paramLabel = "X",
      description =
          "Fraction of the stream that counts as a dense neighbourhood. A group of similar"
              + " anomalies larger than this looks normal. Default: 0.1.")
  Double support;
}
