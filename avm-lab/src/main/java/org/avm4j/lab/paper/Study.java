package org.avm4j.lab.paper;

import java.util.Locale;

/** The experiments of Section 9. */
public enum Study {
  /** Table 3: learn from the training split, answer the test split. */
  BATCH("Batch classification", "accuracy in %", true),

  /** Table 4 and its figures: one pass, every instance is answered before it is learned. */
  ONLINE("Online classification", "mistake rate in %", false),

  /** Table 5 and its figures: the same for numbers. */
  REGRESSION("Online regression", "RMSE", false),

  /** Section 9.2: δ, β and ρ. */
  HYPERPARAMETERS("The effect of δ, β and ρ", "mistake rate in %", false),

  /** The budget sweep of Section 9.4. */
  BUDGET("The effect of the budget", "mistake rate in %", false),

  /** The illustration of a coverage in the introduction. */
  COVERAGE("A coverage of the plane", "", false);

  private final String title;
  private final String metric;
  private final boolean higherIsBetter;

  Study(String title, String metric, boolean higherIsBetter) {
    this.title = title;
    this.metric = metric;
    this.higherIsBetter = higherIsBetter;
  }

  /** The name on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The title in reports. */
  public String title() {
    return title;
  }

  /** The name of the metric, with its unit. */
  public String metric() {
    return metric;
  }

  int decimals() {
    return this == REGRESSION ? 4 : 2;
  }

  /** Whether a larger figure is better. */
  public boolean higherIsBetter() {
    return higherIsBetter;
  }

  /** Whether it has a table in the paper. */
  public boolean hasTable() {
    return this == BATCH || this == ONLINE || this == REGRESSION;
  }
}
