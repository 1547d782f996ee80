package org.avm4j.pipeline;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.data.Metric;
import org.avm4j.data.Schema;

/** How much each column counts in some models: the largest of the weights of its features. */
final class ColumnWeights {
  private ColumnWeights() {}

  /** The mean weight of each column over all models, the largest first; empty if all are equal. */
  static Map<String, Double> of(List<PreparedModel> models) {
    List<Map<String, Double>> found = models.stream().map(ColumnWeights::of).toList();
    Map<String, Double> means = new HashMap<>();
    found.stream()
        .flatMap(each -> each.keySet().stream())
        .forEach(name -> means.put(name, mean(found, name)));
    return sorted(means);
  }

  private static double mean(List<Map<String, Double>> found, String name) {
    return found.stream().mapToDouble(each -> each.getOrDefault(name, 1.0)).average().orElse(1);
  }

  private static Map<String, Double> of(PreparedModel model) {
    Map<String, Double> weights = new HashMap<>();
    for (Preparation each : model.preparations()) {
      Metric metric = each.scaler().metric();
      for (int i = 0; i < metric.dimension(); i++) {
        weights.merge(columnName(model.preparation().schema(), i), metric.weight(i), Math::max);
      }
    }
    return weights;
  }

  private static String columnName(Schema schema, int feature) {
    return feature < schema.dimension()
        ? schema.columnOf(feature).name()
        : schema.featureName(feature);
  }

  private static Map<String, Double> sorted(Map<String, Double> weights) {
    Map<String, Double> sorted = new LinkedHashMap<>();
    weights.entrySet().stream()
        .sorted(
            Map.Entry.<String, Double>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }
}
