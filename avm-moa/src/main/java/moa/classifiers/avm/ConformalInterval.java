package moa.classifiers.avm;

import com.github.javacliparser.FloatOption;
import com.yahoo.labs.samoa.instances.Instance;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import moa.classifiers.AbstractClassifier;
import moa.classifiers.Classifier;
import moa.classifiers.Regressor;
import moa.classifiers.predictioninterval.PredictionIntervalLearner;
import moa.core.Measurement;
import moa.options.ClassOption;
import org.avm4j.Certainty.Interval;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.conformal.Conformal;

/**
 * Prediction intervals around any MOA regressor by online conformal prediction. They contain the
 * true number in the given fraction of the stream, even if the stream changes. Meant for the task
 * {@code EvaluatePrequentialPredictionIntervals}.
 */
public class ConformalInterval extends AbstractClassifier implements PredictionIntervalLearner {
  private static final long serialVersionUID = 1L;
  private static final double[] NO_CLASSES = {};

  /** The regressor that predicts. */
  public final ClassOption learnerOption =
      new ClassOption(
          "learner",
          'l',
          "Regressor that predicts.",
          Regressor.class,
          AvmRegressor.class.getName());

  /** The fraction of instances whose interval contains the true number. */
  public final FloatOption confidenceOption =
      new FloatOption(
          "confidence",
          'c',
          "Fraction of the intervals that contain the true number.",
          0.95,
          0.01,
          0.999);

  private Classifier regressor;
  private transient Conformal certainty;

  /** Intervals of the default level around the default regressor. */
  public ConformalInterval() {}

  @Override
  public String getPurposeString() {
    return "Online conformal prediction intervals around any regressor.";
  }

  @Override
  public void resetLearningImpl() {
    regressor = (Classifier) getPreparedClassOption(learnerOption);
    regressor.resetLearning();
    certainty = new Conformal(confidenceOption.getValue());
  }

  @Override
  public void trainOnInstanceImpl(Instance instance) {
    if (instance.classIsMissing() || !(instance.weight() > 0)) {
      return;
    }
    certainty.learn(answer(instance), instance.classValue());
    regressor.trainOnInstance(instance);
  }

  private Prediction answer(Instance instance) {
    double[] votes = regressor.getVotesForInstance(instance);
    double answer = votes.length == 0 ? 0 : votes[0];
    return new Prediction(answer, NO_CLASSES, new double[] {answer});
  }

  /**
   * The lower end, the predicted number and the upper end. During about the first two instances, as
   * long as no errors are known, all three are equal, because MOA's evaluators cannot average
   * infinite widths.
   */
  @Override
  public double[] getVotesForInstance(Instance instance) {
    Prediction answer = certainty.of(answer(instance));
    Interval interval = answer.interval(certainty.level());
    double number = answer.label();
    return Double.isInfinite(interval.width())
        ? new double[] {number, number, number}
        : new double[] {interval.low(), number, interval.high()};
  }

  @Override
  protected Measurement[] getModelMeasurementsImpl() {
    return new Measurement[0];
  }

  @Override
  public void getModelDescription(StringBuilder out, int indent) {
    regressor.getDescription(out, indent);
  }

  @Override
  public boolean isRandomizable() {
    return false;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    Encoder state = new Encoder();
    if (certainty != null) {
      certainty.encode(state);
    }
    out.writeObject(certainty == null ? null : state.toBytes());
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    byte[] state = (byte[]) in.readObject();
    certainty = state == null ? null : Conformal.decode(new Decoder(state));
  }
}
