package org.avm4j.pipeline;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.Status;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.explain.Background;
import org.avm4j.form.StatusBuilder;

/**
 * The map from the rows and labels of the data to what is learned, and from answers back to labels.
 *
 * @param schema the names of columns, categories and labels
 * @param scaler the scaling of features
 * @param labels the map of labels
 * @param background what is known about the data, for explanations
 */
public record Preparation(Schema schema, Scaler scaler, Labels labels, Background background) {
  private static final String CLASS_WEIGHT = "class-weight";
  private static final String BACKGROUND = "background";

  /** A preparation without a background. */
  public Preparation(Schema schema, Scaler scaler, Labels labels) {
    this(schema, scaler, labels, Background.UNKNOWN);
  }

  /** A preparation that changes neither rows nor labels. */
  public static Preparation none() {
    return new Preparation(new Schema(), Scaler.none(), new Labels.Plain());
  }

  /** The same with another schema. */
  public Preparation withSchema(Schema other) {
    return new Preparation(other, scaler, labels, background);
  }

  /** The same with another scaler. */
  public Preparation withScaler(Scaler other) {
    return new Preparation(schema, other, labels, background);
  }

  /** The same with another map of labels. */
  Preparation withLabels(Labels other) {
    return other.equals(labels) ? this : new Preparation(schema, scaler, other, background);
  }

  /** The same with another background. */
  public Preparation withBackground(Background other) {
    return new Preparation(schema, scaler, labels, other);
  }

  /** A copy of the present preparation: immutable and thread-safe. */
  public Preparation snapshot() {
    return withSchema(schema.snapshot());
  }

  /** The row as it is learned, in a buffer of the caller. */
  public Features transform(Features x, Features.Buffer into) {
    return scaler.apply(x, into);
  }

  /** Maps an answer of the learner to the labels of the data. */
  Prediction inverse(Prediction inner, Optional<Calibration> calibration) {
    double[] scores = inner.scores();
    double[] probabilities =
        calibration
            .map(known -> known.probabilities(scores, inner.classes()))
            .orElseGet(inner::probabilities);
    labels.inverseScores(scores);
    double label = labels.inverse(inner.label());
    return new Prediction(label, labels.inverse(inner.classes()), scores, probabilities)
        .withFar(inner.isFar());
  }

  /** The status of a learner, with its class weights by the labels of the data. */
  Status inverse(Status status) {
    if (!(status.settings().get(CLASS_WEIGHT) instanceof Map<?, ?> weights)) {
      return status;
    }
    Map<Object, Object> byLabel = new LinkedHashMap<>();
    weights.forEach((label, weight) -> byLabel.put(named((Double) label), weight));
    Map<String, Object> settings = new LinkedHashMap<>(status.settings());
    settings.put(CLASS_WEIGHT, byLabel);
    return StatusBuilder.withSettings(status, settings);
  }

  private Object named(double learned) {
    double label = labels.inverse(learned);
    return schema.labels().isEmpty() ? (Object) label : schema.labelText(label);
  }

  /** Appends schema, scaler, labels and, where there is one, the background, a section each. */
  public void encode(Encoder out) {
    out.section("schema", schema::encode);
    out.section("scaler", scaler::encode);
    out.section("labels", labels::encode);
    if (!background.equals(Background.UNKNOWN)) {
      out.section(BACKGROUND, background::encode);
    }
  }

  /** The preparation that was appended. */
  public static Preparation decode(Decoder in) throws ModelFileException {
    return new Preparation(
        in.section("schema", Schema::decode),
        in.section("scaler", Scaler::decode),
        in.section("labels", Labels::decode),
        in.optional(BACKGROUND, Background::decode).orElse(Background.UNKNOWN));
  }
}
