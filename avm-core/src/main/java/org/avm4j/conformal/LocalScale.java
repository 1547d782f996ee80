package org.avm4j.conformal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.CertaintyForm;

/**
 * The typical size of the error of an answer, learned from the errors themselves. The scale s of an
 * answer minimises Σ_i (ln s_i + |error_i| / s_i), the likelihood of errors with a Laplace density,
 * over s = m exp(wᵀφ): m is the mean error, φ are 1, the logarithm of the latest errors over m, and
 * hat functions of the answer between three standard deviations to both sides of the mean answer.
 * Steps are those of AdaGrad.
 *
 * <p>In a file: instances (8), mean error (8), latest error (8), mean and variance of answers (8
 * each), weights (8 each) and sums of squared gradients (8 each).
 */
final class LocalScale {
  /** Instances over which errors and answers are averaged. */
  private static final double HORIZON = 1000;

  /** Window of the latest errors, in instances. */
  private static final double LATEST = 20;

  /** Instances before which only the mean error counts. */
  private static final long FEWEST = 20;

  /**
   * Length of a step. 0.2 made intervals narrower than 0.5, 1 and 2 on the three sets that were
   * measured (decision 32).
   */
  private static final double RATE = 0.2;

  /** Limit on an error, as a multiple of the mean error, so that no single outlier decides. */
  private static final double OUTLIER = 10;

  /** Limit on an error in a step, as a multiple of its scale. */
  private static final double STEEPEST = 5;

  /** Largest logarithm of a scale over the mean error. */
  private static final double MOST_LOG = 4;

  private static final int HATS = 9;
  private static final int FIRST_HAT = 2;
  private static final int SIZE = FIRST_HAT + HATS;
  private static final double DEVIATIONS = 3;
  private static final double SMALL = 1e-3;

  private long instances;
  private double mean;
  private double latest;
  private double answerMean;
  private double answerVariance;
  private final double[] weights = new double[SIZE];
  private final double[] squares = new double[SIZE];

  /** The scale of an answer to the next row of the stream. */
  double of(double answer) {
    return of(inputs(answer, latest));
  }

  /** The scale of an answer to any other row. */
  double detached(double answer) {
    return of(inputs(answer, mean));
  }

  private double of(double[] inputs) {
    return isMeanAlone()
        ? mean
        : mean * StrictMath.exp(Math.max(-MOST_LOG, Math.min(MOST_LOG, log(inputs))));
  }

  private boolean isMeanAlone() {
    return instances < FEWEST || mean == 0;
  }

  private double log(double[] inputs) {
    double log = 0;
    for (int i = 0; i < SIZE; i++) {
      log += weights[i] * inputs[i];
    }
    return log;
  }

  /**
   * The intervals of a threshold, by the scale of the next row or of any other. They are given by
   * their half widths at the peaks of the hats and where the logarithm reaches its bounds.
   */
  CertaintyForm.Intervals intervals(double level, double threshold, boolean isDetached) {
    double lately = isDetached ? mean : latest;
    double deviation = Math.sqrt(answerVariance);
    List<Double> answers = new ArrayList<>();
    List<Double> halfWidths = new ArrayList<>();
    double reach = DEVIATIONS * deviation;
    boolean hasPlaces = answerMean - reach < answerMean + reach;
    boolean isBounded = threshold > 0 && threshold < Double.POSITIVE_INFINITY;
    boolean isLocal = hasPlaces && isBounded && !isMeanAlone();
    for (double place : isLocal ? bends(lately) : List.of(0.0)) {
      double answer = answerMean + place * deviation;
      if (answers.isEmpty() || answer > answers.get(answers.size() - 1)) {
        answers.add(answer);
        halfWidths.add(halfWidth(threshold, of(inputsAt(place, lately))));
      }
    }
    return new CertaintyForm.Intervals(level, List.copyOf(answers), List.copyOf(halfWidths));
  }

  private static double halfWidth(double threshold, double scale) {
    return threshold < Double.POSITIVE_INFINITY ? threshold * scale : threshold;
  }

  /** Where the logarithm of the scale bends, in deviations from the mean answer. */
  private List<Double> bends(double lately) {
    List<Double> bends = new ArrayList<>();
    double step = 2 * DEVIATIONS / (HATS - 1);
    for (int hat = 0; hat < HATS; hat++) {
      double at = hat * step - DEVIATIONS;
      bends.add(at);
      if (hat < HATS - 1) {
        double from = log(inputsAt(at, lately));
        double to = log(inputsAt(at + step, lately));
        DoubleStream.of(-MOST_LOG, MOST_LOG)
            .map(bound -> (bound - from) / (to - from))
            .filter(part -> part > 0 && part < 1)
            .sorted()
            .forEach(part -> bends.add(at + part * step));
      }
    }
    return bends;
  }

  private double[] inputs(double answer, double lately) {
    double deviation = Math.sqrt(answerVariance);
    return inputsAt(deviation > 0 ? (answer - answerMean) / deviation : 0, lately);
  }

  /** The inputs of an answer z deviations above the mean one. */
  private double[] inputsAt(double z, double lately) {
    double[] inputs = new double[SIZE];
    inputs[0] = 1;
    inputs[1] = mean > 0 ? StrictMath.log((lately + SMALL * mean) / (mean + SMALL * mean)) : 0;
    double bounded = Math.max(-DEVIATIONS, Math.min(DEVIATIONS, z));
    double at = (bounded + DEVIATIONS) / (2 * DEVIATIONS) * (HATS - 1);
    int hat = Math.min(HATS - 2, (int) at);
    inputs[FIRST_HAT + hat] = 1 - (at - hat);
    inputs[FIRST_HAT + hat + 1] = at - hat;
    return inputs;
  }

  /** Learns from an answer and the size of its error. */
  void learn(double answer, double error) {
    if (instances >= FEWEST && mean > 0) {
      step(inputs(answer, latest), error);
    }
    double counted = instances >= FEWEST && mean > 0 ? Math.min(error, OUTLIER * mean) : error;
    instances++;
    double part = 1 / Math.min(instances, HORIZON);
    mean += part * (counted - mean);
    latest += 1 / Math.min(instances, LATEST) * (counted - latest);
    double distance = answer - answerMean;
    answerMean += part * distance;
    answerVariance += part * (distance * distance - answerVariance);
  }

  private void step(double[] inputs, double error) {
    double slope = 1 - Math.min(STEEPEST, error / of(inputs));
    double length = 0;
    for (double input : inputs) {
      length += input * input;
    }
    for (int i = 0; i < SIZE; i++) {
      double gradient = slope * inputs[i];
      squares[i] += gradient * gradient;
      weights[i] -= RATE * gradient / Math.sqrt((squares[i] + 4 * length) * (1 + length));
    }
  }

  void encode(Encoder out) {
    out.int64(instances);
    out.float64(mean);
    out.float64(latest);
    out.float64(answerMean);
    out.float64(answerVariance);
    out.doubles(weights, SIZE);
    out.doubles(squares, SIZE);
  }

  static LocalScale decode(Decoder in) throws ModelFileException {
    LocalScale scale = new LocalScale();
    scale.instances = in.count("the errors");
    scale.mean = notNegative(in, "the mean error");
    scale.latest = notNegative(in, "the latest error");
    scale.answerMean = in.finite("the mean answer");
    scale.answerVariance = notNegative(in, "the variance of answers");
    System.arraycopy(in.doubles(SIZE, 0), 0, scale.weights, 0, SIZE);
    double[] squares = in.doubles(SIZE, 0);
    for (int i = 0; i < SIZE; i++) {
      Decoder.check(squares[i] >= 0, "a sum of squares must not be negative", squares[i]);
      scale.squares[i] = squares[i];
    }
    return scale;
  }

  private static double notNegative(Decoder in, String what) throws ModelFileException {
    double value = in.finite(what);
    Decoder.check(value >= 0, what + " must not be negative", value);
    return value;
  }

  LocalScale copy() {
    LocalScale copy = new LocalScale();
    copy.instances = instances;
    copy.mean = mean;
    copy.latest = latest;
    copy.answerMean = answerMean;
    copy.answerVariance = answerVariance;
    System.arraycopy(weights, 0, copy.weights, 0, SIZE);
    System.arraycopy(squares, 0, copy.squares, 0, SIZE);
    return copy;
  }
}
