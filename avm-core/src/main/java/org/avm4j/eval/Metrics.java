package org.avm4j.eval;

import java.util.Map;
import java.util.function.DoubleFunction;
import org.avm4j.Predictor;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** How good answers are, measured one instance at a time in bounded memory. */
public sealed interface Metrics
    permits AnomalyMetrics, ClassificationMetrics, ClusterMetrics, RegressionMetrics {
  /** Adds an answer, with the true label and its scores. */
  void add(double label, double answer, double[] scores);

  /**
   * Adds the probabilities of an answer, if these metrics measure them.
   *
   * @param label the true label
   * @param classes the labels known before it, in ascending order
   * @param probabilities the probability of each of these labels
   * @param plain the probabilities that the uncalibrated scores stand for
   */
  default void addProbabilities(
      double label, double[] classes, double[] probabilities, double[] plain) {}

  /** How many answers were given. */
  long instances();

  /** The name of the main figure: {@code mistakeRate}, {@code rmse}, {@code auc} or {@code ari}. */
  String name();

  /**
   * The main figure: mistakes in percent or the root mean square error, the lower the better; or
   * the area under the ROC curve or the adjusted Rand index, the higher the better.
   */
  double value();

  /**
   * All figures that are defined, by name, in reading order; {@code names} gives the names of
   * classes.
   */
  Map<String, Object> all(DoubleFunction<String> names);

  /** Empty metrics of the same kind. */
  Metrics fresh();

  /** Appends the whole state. */
  void encode(Encoder out);

  /**
   * Metrics that suit the task of a predictor.
   *
   * @param areNamed whether labels are texts, which a detector of anomalies must know
   */
  static Metrics of(Predictor predictor, boolean areNamed) {
    return switch (predictor.task().kind()) {
      case ANOMALY -> new AnomalyMetrics(areNamed);
      case CLUSTER -> new ClusterMetrics();
      case REGRESSION -> new RegressionMetrics();
      case BINARY -> new ClassificationMetrics(true, predictor.hasLogits());
      case MULTICLASS -> new ClassificationMetrics(false, predictor.hasLogits());
    };
  }

  /** The metrics that were appended. */
  static Metrics decode(Decoder in) throws ModelFileException {
    return switch (in.int32("the kind of metrics", 3)) {
      case 0 -> ClassificationMetrics.decodeContent(in);
      case 1 -> RegressionMetrics.decodeContent(in);
      case 2 -> AnomalyMetrics.decodeContent(in);
      default -> ClusterMetrics.decodeContent(in);
    };
  }
}
