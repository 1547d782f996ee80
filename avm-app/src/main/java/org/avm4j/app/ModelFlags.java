package org.avm4j.app;

import picocli.CommandLine.Option;

/** The flags for what a model keeps, and how large it may be. */
final class ModelFlags {
  @Option(
      names = "--freeze",
      description =
          "Save only the predictor, which is small but cannot continue learning. Default: save"
              + " the whole learner.")
  boolean freeze;

  @Option(
      names = "--probability",
      description =
          "Also learn class probabilities, by Platt scaling of the scores before learning. They"
              + " are reported, and saved in the model for predict --probability.")
  boolean probability;

  @Option(
      names = "--interval",
      paramLabel = "PERCENT",
      description =
          "Give each answer an interval that contains the true number, or a set of labels that"
              + " contains the true one, with this probability in percent, such as 90. The"
              + " coverage is reported. The model keeps what predict and evaluate need.")
  Double interval;

  @Option(
      names = "--target-latency",
      paramLabel = "TIME",
      description =
          "Use the largest --max-size with which an instance is answered and learned in this time"
              + " on average, such as 5us, as measured on this computer.")
  Latency latency;
}
