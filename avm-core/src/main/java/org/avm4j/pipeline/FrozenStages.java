package org.avm4j.pipeline;

import java.util.Optional;
import java.util.OptionalDouble;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Prediction;
import org.avm4j.Predictor;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.conformal.ConformalModel;

/**
 * The stages that an answer passes after a frozen model. Immutable.
 *
 * @param calibration turns scores into probabilities; null for none
 * @param prior answers rows far from everything learned
 * @param certainty says how sure answers are; null for none
 * @param threshold decides between two classes; null for none
 * @param lags which labels of earlier rows are features; null for none
 */
record FrozenStages(
    Calibration calibration,
    ClassPrior prior,
    ConformalModel certainty,
    CostThreshold threshold,
    LabelLags lags) {
  static final FrozenStages NONE = new FrozenStages(null, ClassPrior.none(), null, null, null);

  /** The section that says how sure answers are. */
  static final String CERTAINTY = "certainty";

  /** The stages for rows that do not follow the stream. */
  FrozenStages detached() {
    return certainty == null ? this : with(certainty.detached());
  }

  FrozenStages with(ConformalModel other) {
    return new FrozenStages(calibration, prior, other, threshold, lags);
  }

  FrozenStages with(Calibration other) {
    return new FrozenStages(other, prior, certainty, threshold, lags);
  }

  /** The answer in the labels of the data. */
  Prediction answer(Predictor model, Features z, Preparation data) {
    Prediction inner = prior.answer(model.answer(z), model.task());
    Prediction plain = data.inverse(inner, Optional.ofNullable(calibration));
    Prediction sure = certainty == null ? plain : certainty.of(plain);
    return threshold == null ? sure : threshold.of(sure);
  }

  /** The predicted label, in the labels of the data. */
  double predict(Predictor model, Features z, Preparation data) {
    return threshold == null
        ? data.labels().inverse(prior.predict(model, z))
        : answer(model, z, data).label();
  }

  /** What must be added to scores so that their sign, or the largest of them, gives the answer. */
  double[] decisive(Model model) {
    boolean isPair = model.columns() == 1 && model.classes().length == 2;
    return threshold != null && isPair
        ? new double[] {-threshold.score()}
        : prior.scores(model.task(), model.classes());
  }

  OptionalDouble level() {
    return certainty == null ? OptionalDouble.empty() : OptionalDouble.of(certainty.level());
  }

  /** Appends the model, with the stages around it. */
  void encode(Encoder out, Model model) {
    out.bool(calibration != null);
    out.optional("calibration", calibration, Calibration::encode);
    out.nested(model);
    prior.append(out);
    out.optional(CERTAINTY, certainty, ConformalModel::encode);
    out.optional(CostThreshold.SECTION, threshold, CostThreshold::encode);
    out.optional(LabelLags.SECTION, lags, LabelLags::encode);
  }

  /** Reads the calibration, which comes before the model; null if there is none. */
  static Calibration decodeCalibration(Decoder in) throws ModelFileException {
    return in.bool() ? in.section("calibration", Calibration::decode) : null;
  }

  /** Reads the stages that come after the model, and returns all stages. */
  static FrozenStages decode(Decoder in, Calibration calibration) throws ModelFileException {
    ClassPrior prior = ClassPrior.next(in);
    ConformalModel certainty = decodeCertainty(in, ConformalModel::decode);
    CostThreshold threshold = CostThreshold.next(in);
    return new FrozenStages(calibration, prior, certainty, threshold, LabelLags.next(in));
  }

  /** Reads the section that says how sure answers are; null if there is none. */
  static <T> T decodeCertainty(Decoder in, ModelFile.Content<T> reader) throws ModelFileException {
    return in.optional(CERTAINTY, reader).orElse(null);
  }
}
