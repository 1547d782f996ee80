package moa.classifiers.avm;

import com.github.javacliparser.FloatOption;
import com.github.javacliparser.IntOption;
import com.yahoo.labs.samoa.instances.Instance;
import java.util.Collection;
import moa.classifiers.AbstractClassifier;
import moa.classifiers.OneClassClassifier;
import moa.classifiers.SemiSupervisedLearner;
import moa.core.Measurement;
import moa.core.StringUtils;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;

/**
 * Detects anomalies by their distance to the support of the stream. It learns every instance and
 * ignores its class. Class 0 is normal, class 1 an anomaly.
 */
public class AvmAnomalyDetector extends AbstractClassifier
    implements OneClassClassifier, SemiSupervisedLearner {
  private static final long serialVersionUID = 1L;

  /** The share of the stream that is reported as anomalies. */
  public final FloatOption rateOption =
      new FloatOption(
          "rate",
          'a',
          "Fraction of the stream that is reported as anomalies.",
          AnomalyOptions.DEFAULT.rate(),
          1e-6,
          0.5);

  /** The share of the stream that an instance is compared with. */
  public final FloatOption supportOption =
      new FloatOption(
          "support",
          'm',
          "Fraction of the stream that an instance is compared with; smaller groups are anomalies.",
          AnomalyOptions.DEFAULT.support(),
          1e-6,
          0.999);

  /** The largest number of cells. */
  public final IntOption sizeOption =
      new IntOption(
          "maxSize", 's', "Largest number of cells.", AnomalyOptions.DEFAULT.maxSize(), 2, 1 << 14);

  private EncodedLearner encoded;

  /** A detector with the default options. */
  public AvmAnomalyDetector() {}

  @Override
  public String getPurposeString() {
    return "Anomalies by the distance to the support of the stream, in bounded memory.";
  }

  @Override
  public void resetLearningImpl() {
    encoded = null;
  }

  /** Learns some instances before the stream begins. */
  @Override
  public void initialize(Collection<Instance> first) {
    first.forEach(this::trainOnInstance);
  }

  @Override
  public void trainOnInstanceImpl(Instance instance) {
    if (encoded == null) {
      AnomalyOptions options =
          new AnomalyOptions(
              supportOption.getValue(), rateOption.getValue(), sizeOption.getValue(), 0);
      encoded = new EncodedLearner(instance, new AnomalyDetector(options));
    }
    encoded.learn(instance, Double.NaN);
  }

  /**
   * The score s / (s + t) for the distance s to the support and the threshold t: from 0 to 1, and
   * at least 0.5 for an anomaly. It is 0 before anything was learned.
   */
  @Override
  public double getAnomalyScore(Instance instance) {
    if (encoded == null) {
      return 0;
    }
    AnomalyDetector detector = (AnomalyDetector) encoded.learner();
    double score = detector.score(encoded.features(instance))[0];
    double threshold = detector.threshold();
    if (Double.isInfinite(threshold)) {
      return 0;
    }
    return score == 0 ? 0 : score / (score + threshold);
  }

  /** Votes for normal and for anomaly, which add up to 1. */
  @Override
  public double[] getVotesForInstance(Instance instance) {
    double anomaly = getAnomalyScore(instance);
    return new double[] {anomaly == 0.5 ? Math.nextDown(0.5) : 1 - anomaly, anomaly};
  }

  @Override
  protected Measurement[] getModelMeasurementsImpl() {
    return new Measurement[] {
      new Measurement("cells", encoded == null ? 0 : encoded.learner().size())
    };
  }

  @Override
  public void getModelDescription(StringBuilder out, int indent) {
    String text = encoded == null ? "Nothing was learned yet." : encoded.learner().toString();
    StringUtils.appendIndented(out, indent, text);
  }

  /** The size of the saved detector; measuring it needs no Java agent. */
  @Override
  public long measureByteSize() {
    return encoded == null ? 0 : encoded.learner().toBytes().length;
  }

  @Override
  public boolean isRandomizable() {
    return false;
  }
}
