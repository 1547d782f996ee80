package org.avm4j.lab.baseline;

/** Options that differ from others in a few settings. */
final class Changes {
  private Changes() {}

  /** A builder that starts with these options. */
  static BaselineOptions.Builder of(BaselineOptions from) {
    return BaselineOptions.of(from.method(), from.task())
        .gamma(from.gamma())
        .budget(from.budget())
        .eta(from.eta())
        .linearEta(from.linearEta())
        .lambda(from.lambda())
        .features(from.features())
        .rank(from.rank())
        .aggressiveness(from.aggressiveness())
        .epsilon(from.epsilon())
        .threshold(from.threshold())
        .clip(from.clip())
        .toolbox(from.toolbox())
        .seed(from.seed());
  }
}
