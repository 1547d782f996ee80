package org.avm4j.app;

import picocli.CommandLine.Option;

/** The flags of {@code --task anomaly}. */
final class AnomalyFlags {
  @Option(
      names = "--anomaly-rate",
      paramLabel = "X",
      description = "Part of the stream to call an anomaly. Default: 0.01.")
  Double rate;

  @Option(
      names = "--support",
      paramLabel = "X",
      description =
          "Part of the stream that must be near; anomalies that are alike and more than this look"
              + " normal. Default: 0.1.")
  Double support;
}
