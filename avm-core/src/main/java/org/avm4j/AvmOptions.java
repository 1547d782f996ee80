package org.avm4j;

import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Rules;

/**
 * The options of a learner. Each is validated on construction.
 *
 * @param task what is predicted
 * @param loss ℓ
 * @param kernel K
 * @param coverage the cells, with their diameter δ
 * @param approximation Z_t
 * @param output which iterate answers
 * @param update how a gradient becomes coefficients
 * @param regularization λ, for SGD; the second-order step has its prior instead
 * @param maxSize the largest number of vectors; 0 if only the coverage limits it
 * @param limit what happens at the size cap
 * @param yMax the largest |y| of the ℓ2 projection, or 0 for the largest seen so far
 * @param forgetting how far back the past counts
 * @param classWeights how much the loss of an instance counts, by its class
 * @param seed the seed of the random generator that draws Z_t
 */
public record AvmOptions(
    Task task,
    Loss loss,
    Kernel kernel,
    Coverage coverage,
    Approximation approximation,
    Output output,
    Update update,
    double regularization,
    int maxSize,
    Limit limit,
    double yMax,
    Forgetting forgetting,
    ClassWeights classWeights,
    long seed) {

  public AvmOptions {
    Rules.positive("lambda", regularization);
    Rules.check(maxSize >= 0, "the size cap must be >= 0", maxSize);
    Rules.notNegative("y-max", yMax);
    String both = loss.word() + " for " + task.word();
    Rules.require(task.accepts(loss), "the loss must fit the task", both);
    boolean hasClasses = !task.isRegression();
    boolean needsMargin = approximation.needsMargin();
    Rules.require(hasClasses || !needsMargin, "approximation when confident needs classes", task);
    Rules.require(hasClasses || classWeights.isUniform(), "class weights need classes", task);
    checkOutput(output, update, forgetting);
  }

  /** Throws an exception if a learner with these options does not have an output. */
  void checkOutput(Output wanted) {
    checkOutput(wanted, update, forgetting);
    boolean isKept = output.isSuffix() && wanted.part() <= output.part();
    Rules.require(
        !wanted.isSuffix() || isKept,
        "a suffix must be at most as long as that of the options",
        wanted);
  }

  private static void checkOutput(Output wanted, Update update, Forgetting forgetting) {
    boolean isLast = !wanted.isMean();
    Rules.require(
        isLast || !update.isSecondOrder(),
        "the second-order step has only its last output",
        wanted);
    Rules.require(
        isLast || !forgetting.forgets(), "a learner that forgets has only its last output", wanted);
  }

  /** A builder with hinge loss for labels -1 and +1, and defaults. */
  public static Builder binary() {
    return new Builder(Task.binary(), Loss.hinge());
  }

  /** A builder with hinge loss for any number of classes, and defaults. */
  public static Builder multiclass() {
    return new Builder(Task.multiclass(), Loss.hinge());
  }

  /** A builder with ℓ2 loss for numbers, and defaults. */
  public static Builder regression() {
    return new Builder(Task.regression(), Loss.squared());
  }

  /** A builder that starts from these options. */
  public Builder change() {
    Builder builder = new Builder(task, loss);
    builder.kernel = kernel;
    builder.coverage = coverage;
    builder.approximation = approximation;
    builder.output = output;
    builder.update = update;
    builder.regularization = regularization;
    builder.maxSize = maxSize;
    builder.limit = limit;
    builder.yMax = yMax;
    builder.forgetting = forgetting;
    builder.classWeights = classWeights;
    builder.seed = seed;
    return builder;
  }

  /** Appends all choices. */
  public void encode(Encoder out) {
    AvmCodec.encode(out, this);
  }

  /** The choices that were appended. */
  public static AvmOptions decode(Decoder in) throws ModelFileException {
    return AvmCodec.decodeOptions(in);
  }

  /**
   * Whether w is projected onto the ball of radius y_max λ^(-1/2): for ℓ2 loss by SGD with λ ≤ 1.
   */
  public boolean projects() {
    return !update.isSecondOrder() && loss.isQuadratic() && regularization <= 1;
  }

  /** All options in force, by their names on the command line. */
  public Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("name", "avm");
    all.put("task", task.word());
    all.put("loss", loss.word());
    all.putAll(loss.parameters());
    all.put("kernel", kernel.word());
    all.put("gamma", kernel.gamma());
    all.put("coverage", approximation.usesCells() ? coverage.word() : "none");
    all.put("delta", coverage.diameter());
    all.putAll(approximation.parameters());
    all.put("update", update.word());
    all.putAll(update.parameters());
    if (!update.isSecondOrder()) {
      all.put("lambda", regularization);
      all.put("output", output.word());
      all.putAll(output.parameters());
      all.put("y-max", yMax);
    }
    all.put("max-size", maxSize);
    all.put("at-limit", limit.word());
    if (forgetting.forgets()) {
      all.put("forget", forgetting.word());
    }
    if (!classWeights.isUniform()) {
      all.put("class-weight", classWeights.isBalanced() ? "balanced" : classWeights.given());
    }
    all.put("seed", seed);
    return all;
  }

  /**
   * Builds options. The defaults are a Gaussian kernel with γ = 1, spheres of diameter δ = 1, every
   * instance approximated, the last iterate, SGD with λ = 1e-4, no cap and seed 1.
   */
  public static final class Builder {
    private Task task;
    private Loss loss;
    private Kernel kernel = Kernel.gaussian(1);
    private Coverage coverage = Coverage.sphere(1);
    private Approximation approximation = Approximation.always();
    private Output output = Output.last();
    private Update update = Update.sgd();
    private double regularization = 1e-4;
    private int maxSize;
    private Limit limit = Limit.APPROXIMATE;
    private double yMax;
    private Forgetting forgetting = Forgetting.none();
    private ClassWeights classWeights = ClassWeights.none();
    private long seed = 1;

    private Builder(Task task, Loss loss) {
      this.task = task;
      this.loss = loss;
    }

    /** What is predicted. */
    public Builder task(Task value) {
      task = value;
      return this;
    }

    /** ℓ. */
    public Builder loss(Loss value) {
      loss = value;
      return this;
    }

    /** K. */
    public Builder kernel(Kernel value) {
      kernel = value;
      return this;
    }

    /** The cells. */
    public Builder coverage(Coverage value) {
      coverage = value;
      return this;
    }

    /** Z_t. */
    public Builder approximation(Approximation value) {
      approximation = value;
      return this;
    }

    /** Which iterate answers. */
    public Builder output(Output value) {
      output = value;
      return this;
    }

    /** How a gradient becomes coefficients. */
    public Builder update(Update value) {
      update = value;
      return this;
    }

    /** λ. */
    public Builder regularization(double value) {
      regularization = value;
      return this;
    }

    /** The largest number of vectors and what happens there; 0 for no cap. */
    public Builder maxSize(int value, Limit atLimit) {
      maxSize = value;
      limit = atLimit;
      return this;
    }

    /** The largest |y| of the ℓ2 projection, or 0 for the largest seen so far. */
    public Builder yMax(double value) {
      yMax = value;
      return this;
    }

    /** How far back the past counts. */
    public Builder forgetting(Forgetting value) {
      forgetting = value;
      return this;
    }

    /** How much the loss of an instance counts, by its class. */
    public Builder classWeights(ClassWeights value) {
      classWeights = value;
      return this;
    }

    /** The seed of the random generator. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** The validated options. */
    public AvmOptions build() {
      return new AvmOptions(
          task,
          loss,
          kernel,
          coverage,
          approximation,
          output,
          update,
          regularization,
          maxSize,
          limit,
          yMax,
          forgetting,
          classWeights,
          seed);
    }
  }
}
