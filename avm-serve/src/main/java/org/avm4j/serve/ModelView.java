package org.avm4j.serve;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.avm4j.Status.Drift;

/** The JSON view of a model: a summary for the list of models, or all details. */
final class ModelView {
  private ModelView() {}

  static Map<String, Object> summary(ServedModel model) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", model.name());
    json.put("state", model.state().name().toLowerCase(Locale.ROOT));
    if (model.failure() != null) {
      json.put("trouble", model.failure());
    }
    if (model.champion().version() > 0) {
      json.put("champion", model.champion().version());
    }
    json.putAll(model.published().summary());
    List<ModelTraffic.Sample> samples = model.traffic().samples();
    ModelTraffic.Sample last =
        samples.isEmpty()
            ? new ModelTraffic.Sample(0, 0, Double.NaN, Double.NaN)
            : samples.get(samples.size() - 1);
    json.put("refusedAtDoor", model.validator().refused().total());
    json.put("rate", last.learned());
    json.put("backlog", model.backlog());
    List<Drift> drifts = model.published().status().lastDrifts();
    if (!drifts.isEmpty()) {
      json.put("lastDrift", drifts.get(drifts.size() - 1).instance());
    }
    return json;
  }

  static Map<String, Object> detail(ServedModel model) {
    Map<String, Object> json = summary(model);
    json.put("spec", model.spec().words());
    json.put("created", model.entry().created());
    json.put("snapshotAt", model.snapshotAt());
    json.put("pending", model.pending());
    json.putAll(model.published().detail());
    json.put("traffic", model.traffic().samples().stream().map(ModelTraffic.Sample::json).toList());
    json.put("latest", model.latest());
    json.put(
        "refusals",
        Map.of(
            "learner", model.published().refused().json(),
            "door", model.validator().refused().json()));
    return json;
  }

  /** The summary of a challenger and its specification, for the page of its model. */
  static Map<String, Object> beside(ServedModel challenger) {
    Map<String, Object> json = summary(challenger);
    json.put("spec", challenger.spec().words());
    return json;
  }

  /** All details of a challenger, and the summary of the model that it challenges. */
  static Map<String, Object> challenger(ServedModel challenger, ServedModel model) {
    Map<String, Object> json = detail(challenger);
    json.put("against", model.published().summary());
    return json;
  }
}
