package org.avm4j.lab.baseline;

import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.Kernel;
import org.avm4j.Task;

/**
 * The options of a baseline. Each method uses only those that its row in docs/research/baselines.md
 * lists.
 *
 * @param method the method
 * @param task the task
 * @param gamma γ of the kernel exp(-γ‖x - x'‖²)
 * @param budget B, the largest number of vectors
 * @param eta η, the step size
 * @param linearEta the step size of nogd after it has switched to the linear model
 * @param lambda λ, the regularization of bogd and bsgd
 * @param features D, the number of random frequencies of fogd
 * @param rank k, the number of eigenpairs of nogd
 * @param aggressiveness C, the largest step of bpas
 * @param epsilon ε, the largest error that causes no step in regression
 * @param threshold projectron: vectors at most this far from the span of the others are projected
 * @param clip bogd: the largest coefficient in units of η
 * @param toolbox whether to follow the published toolbox where it departs from the paper
 * @param seed the seed of the random generator
 */
public record BaselineOptions(
    Method method,
    Task task,
    double gamma,
    int budget,
    double eta,
    double linearEta,
    double lambda,
    int features,
    int rank,
    double aggressiveness,
    double epsilon,
    double threshold,
    double clip,
    boolean toolbox,
    long seed) {
  private static final int MOST = 1 << 20;

  public BaselineOptions {
    method.check(task);
    positive("gamma", gamma);
    between("budget", budget, 2, MOST);
    positive("eta", eta);
    positive("the linear eta", linearEta);
    positive("lambda", lambda);
    between("features", features, 1, MOST);
    between("rank", rank, 1, budget);
    positive("aggressiveness", aggressiveness);
    check(epsilon >= 0 && epsilon < Double.POSITIVE_INFINITY, "epsilon must be >= 0", epsilon);
    positive("threshold", threshold);
    positive("clip", clip);
    check(method != Method.BOGD || eta * lambda < 1, "eta * lambda must be < 1", eta * lambda);
  }

  /** A builder with the papers' defaults for a method. */
  public static Builder of(Method method, Task task) {
    return new Builder(method, task);
  }

  /** All options, by their names on the command line. */
  public Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("name", method.id());
    all.put("task", task.word());
    all.put("gamma", gamma);
    all.put("budget", budget);
    all.put("eta", eta);
    all.put("linear-eta", linearEta);
    all.put("lambda", lambda);
    all.put("features", features);
    all.put("rank", rank);
    all.put("aggressiveness", aggressiveness);
    all.put("epsilon", epsilon);
    if (threshold != Builder.DEFAULT_THRESHOLD) {
      all.put("threshold", threshold);
    }
    if (clip != Builder.DEFAULT_CLIP) {
      all.put("clip", clip);
    }
    all.put("toolbox", toolbox);
    all.put("seed", seed);
    return all;
  }

  Kernel kernel() {
    return Kernel.gaussian(gamma);
  }

  boolean isRegression() {
    return task.isRegression();
  }

  static void positive(String name, double value) {
    check(value > 0 && value < Double.POSITIVE_INFINITY, name + " must be > 0 and finite", value);
  }

  static void between(String name, int value, int least, int most) {
    check(
        value >= least && value <= most,
        name + " must be from " + least + " to " + most,
        Integer.toString(value));
  }

  static void check(boolean holds, String rule, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ": " + value);
    }
  }

  /**
   * Builds options. The defaults are γ = 1, B = 100, η = 0.2 (0.1 for the Perceptron family in
   * regression), λ = 1e-4, D = 400, C = 1, ε = 0.1 for the Perceptron family and 0 for the others,
   * threshold 0.1, clip 10, seed 1; the linear η is η, and k a fifth of B.
   */
  public static final class Builder {
    private static final double DEFAULT_THRESHOLD = 0.1;
    private static final double DEFAULT_CLIP = 10;

    private final Method method;
    private final Task task;
    private double gamma = 1;
    private int budget = 100;
    private double eta;
    private double linearEta;
    private double lambda = 1e-4;
    private int features = 400;
    private int rank;
    private double aggressiveness = 1;
    private double epsilon;
    private double threshold = DEFAULT_THRESHOLD;
    private double clip = DEFAULT_CLIP;
    private boolean toolbox;
    private long seed = 1;

    private Builder(Method method, Task task) {
      this.method = method;
      this.task = task;
      boolean hasWholeSteps = takesWholeSteps(method);
      eta = hasWholeSteps && task.isRegression() ? 0.1 : 0.2;
      epsilon = hasWholeSteps ? 0.1 : 0;
    }

    private static boolean takesWholeSteps(Method method) {
      return method == Method.RBP || method == Method.FORGETRON || method == Method.PROJECTRON;
    }

    /** γ. */
    public Builder gamma(double value) {
      gamma = value;
      return this;
    }

    /** B. */
    public Builder budget(int value) {
      budget = value;
      return this;
    }

    /** η. */
    public Builder eta(double value) {
      eta = value;
      return this;
    }

    /** The step of nogd's linear model; 0 for the same as η. */
    public Builder linearEta(double value) {
      linearEta = value;
      return this;
    }

    /** λ. */
    public Builder lambda(double value) {
      lambda = value;
      return this;
    }

    /** D. */
    public Builder features(int value) {
      features = value;
      return this;
    }

    /** k; 0 for a fifth of the budget. */
    public Builder rank(int value) {
      rank = value;
      return this;
    }

    /** C. */
    public Builder aggressiveness(double value) {
      aggressiveness = value;
      return this;
    }

    /** ε. */
    public Builder epsilon(double value) {
      epsilon = value;
      return this;
    }

    /** The largest distance from the span at which a vector is projected. */
    public Builder threshold(double value) {
      threshold = value;
      return this;
    }

    /** The largest coefficient in units of η. */
    public Builder clip(double value) {
      clip = value;
      return this;
    }

    /** Whether to follow the toolbox where it departs from the paper. */
    public Builder toolbox(boolean value) {
      toolbox = value;
      return this;
    }

    /** The seed of the random generator. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** The validated options. */
    public BaselineOptions build() {
      return new BaselineOptions(
          method,
          task,
          gamma,
          budget,
          eta,
          linearEta == 0 ? eta : linearEta,
          lambda,
          features,
          rank == 0 ? Math.max(1, budget / 5) : rank,
          aggressiveness,
          epsilon,
          threshold,
          clip,
          toolbox,
          seed);
    }
  }
}
