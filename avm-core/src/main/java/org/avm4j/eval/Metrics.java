package org.avm4j.eval;

import java.util.Map;
import java.util.function.DoubleFunction;
import org.avm4j.Predictor;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** How good answers are, gathered one instance at a time in memory that does not grow. */
public sealed interface Metrics
    permits AnomalyMetrics, ClassificationMetrics, ClusterMetrics, RegressionMetrics {
  /** Takes an answer into account: the true label, the answer, and the scores it came from. */
  void add(double label, double answer, double[] scores);

  /**
   * Takes the probabilities that stood behind an answer into account, where they are measured.
   *
   * @param label the true label
   * @param classes the labels known before it, in ascending order
   * @param probabilities theirs
   * @param plain what the scores would have said as they were
   */
  default void addProbabilities(
      double label, double[] classes, double[] probabilities, double[] plain) {}

  /** How many answers were given. */
  long instances();

  /**
   * The name of the one figure that stands for all: {@code mistakeRate}, {@code rmse}, {@code auc}
   * or {@code ari}.
   */
  String name();

  /**
   * That figure: mistakes in percent or the root mean square error, the lower the better; or the
   * area under the ROC curve or the adjusted Rand index, the higher the better.
   */
  double value();

  /**
   * All figures that are defined, by name, in the order in which people read them; the names of
   * classes come from their labels.
   */
  Map<String, Object> all(DoubleFunction<String> names);

  /** The same figures for what comes from now on. */
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
