package org.avm4j.pipeline;

import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.Status;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;

/**
 * The map from the rows and labels of the data to what is learned, and from answers back to labels.
 *
 * @param schema the names of columns, categories and labels
 * @param scaler the scaling of features
 * @param labels what happens to labels
 */
public record Preparation(Schema schema, Scaler scaler, Labels labels) {
  private static final String CLASS_WEIGHT = "class-weight";

  /** Rows and labels as they are. */
  public static Preparation none() {
    return new Preparation(new Schema(), Scaler.none(), new Labels.Plain());
  }

  /** The same with another scaler. */
  public Preparation withScaler(Scaler other) {
    return new Preparation(schema, other, labels);
  }

  /** The preparation as it is now: immutable, and safe to share between threads. */
  public Preparation snapshot() {
    return new Preparation(schema.snapshot(), scaler, labels);
  }

  /** The row as it is learned, in a buffer of the caller. */
  public Features transform(Features x, Features.Buffer into) {
    return scaler.apply(x, into);
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
    return status.withSettings(settings);
  }

  private Object named(double learned) {
    double label = labels.inverse(learned);
    return schema.labels().isEmpty() ? (Object) label : schema.labelText(label);
  }

  /** Appends schema, scaler and labels, a section each. */
  public void encode(Encoder out) {
    out.section("schema", schema::encode);
    out.section("scaler", scaler::encode);
    out.section("labels", labels::encode);
  }

  /** The preparation that was appended. */
  public static Preparation decode(Decoder in) throws ModelFileException {
    return new Preparation(
        in.section("schema", Schema::decode),
        in.section("scaler", Scaler::decode),
        in.section("labels", Labels::decode));
  }
}
