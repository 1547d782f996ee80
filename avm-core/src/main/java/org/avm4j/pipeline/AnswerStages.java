package org.avm4j.pipeline;

import java.util.Optional;
import java.util.OptionalDouble;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.conformal.Conformal;

/**
 * The stages that an answer passes after the learner, and what they learn: probabilities, the
 * answer to far rows, how sure answers are, and the threshold between two classes. Each stage
 * learns from the answer that an instance got before it was learned.
 */
final class AnswerStages {
  private Calibrator calibrator;
  private final ClassPrior prior;
  private final Conformal certainty;
  private CostThreshold threshold;
  private LabelLags lags;

  /** The stages; calibrator and certainty may be null. */
  AnswerStages(Calibrator calibrator, ClassPrior prior, Conformal certainty) {
    this.calibrator = calibrator;
    this.prior = prior;
    this.certainty = certainty;
  }

  /**
   * What was known about an instance before it was learned; parts that no stage needs are null.
   *
   * @param scores the scores of the learner
   * @param classes its classes, by the labels that are learned
   * @param answer the answer in the labels of the data
   */
  private record Before(double[] scores, double[] classes, Prediction answer) {}

  /**
   * Lets the learner and every stage learn an instance.
   *
   * @param y the label in the data
   * @param data the preparation as it was before this instance
   * @param labels the map of labels, which includes this one
   * @param given the answer that the instance got; null for the one that it would get now
   */
  void learn(
      OnlineLearner learner,
      Features z,
      double y,
      double weight,
      Preparation data,
      Labels labels,
      Prediction given) {
    Before before = before(learner, z, data);
    double label = labels.transform(y);
    learner.learn(z, label, weight);
    if (calibrator != null) {
      calibrator.learn(before.scores, before.classes, label);
    }
    if (ClassPrior.hasClasses(learner.task())) {
      prior.count(label, weight);
    }
    if (certainty != null) {
      certainty.learn(given == null ? before.answer : given, y);
    }
  }

  private Before before(OnlineLearner learner, Features z, Preparation data) {
    if (certainty != null) {
      Prediction inner = learner.answer(z);
      return new Before(inner.scores(), inner.classes(), plain(inner, learner, data));
    }
    return calibrator == null ? null : new Before(learner.score(z), learner.classes(), null);
  }

  /** The answer in the labels of the data. */
  Prediction answer(OnlineLearner learner, Features z, Preparation data) {
    Prediction plain = plain(learner.answer(z), learner, data);
    Prediction sure = certainty == null ? plain : certainty.of(plain);
    return threshold == null ? sure : threshold.of(sure);
  }

  private Prediction plain(Prediction inner, OnlineLearner learner, Preparation data) {
    return data.inverse(prior.answer(inner, learner.task()), calibration());
  }

  /** The predicted label, in the labels of the data. */
  double predict(OnlineLearner learner, Features z, Preparation data) {
    return threshold == null
        ? data.labels().inverse(prior.predict(learner, z))
        : answer(learner, z, data).label();
  }

  /** Sets the threshold that decides between two classes from now on. */
  void decideBy(CostThreshold chosen) {
    threshold = chosen;
  }

  /** Turns scores into probabilities from now on, by a calibrator that learns with each row. */
  void calibrate(Calibrator fitted) {
    calibrator = fitted;
  }

  /** Which labels of earlier rows are features; null for none. */
  LabelLags lags() {
    return lags;
  }

  /** Notes which labels of earlier rows are features. */
  void follow(LabelLags given) {
    lags = given;
  }

  Optional<Calibration> calibration() {
    return Optional.ofNullable(calibrator).map(Calibrator::snapshot);
  }

  boolean isCalibrated() {
    return calibrator != null;
  }

  OptionalDouble level() {
    return certainty == null ? OptionalDouble.empty() : OptionalDouble.of(certainty.level());
  }

  FrozenStages snapshot() {
    return new FrozenStages(
        calibration().orElse(null),
        prior.copy(),
        certainty == null ? null : certainty.snapshot(),
        threshold,
        lags);
  }

  /** Forgets everything that was learned. */
  void reset() {
    prior.clear();
    calibrator = calibrator == null ? null : new Calibrator();
    if (certainty != null) {
      certainty.reset();
    }
    threshold = null;
  }

  /** Appends the learner, with the stages around it. */
  void encode(Encoder out, OnlineLearner learner) {
    out.bool(calibrator != null);
    out.optional("calibrator", calibrator, Calibrator::encode);
    out.nested(learner);
    prior.append(out);
    out.optional(FrozenStages.CERTAINTY, certainty, Conformal::encode);
    out.optional(CostThreshold.SECTION, threshold, CostThreshold::encode);
    out.optional(LabelLags.SECTION, lags, LabelLags::encode);
  }

  /** Reads the calibrator, which comes before the learner; null if there is none. */
  static Calibrator decodeCalibrator(Decoder in) throws ModelFileException {
    return in.bool() ? in.section("calibrator", Calibrator::decode) : null;
  }

  /** Reads the stages that come after the learner, and returns all stages. */
  static AnswerStages decode(Decoder in, Calibrator calibrator) throws ModelFileException {
    ClassPrior prior = ClassPrior.next(in);
    Conformal certainty = FrozenStages.decodeCertainty(in, Conformal::decode);
    AnswerStages stages = new AnswerStages(calibrator, prior, certainty);
    stages.decideBy(CostThreshold.next(in));
    stages.follow(LabelLags.next(in));
    return stages;
  }
}
