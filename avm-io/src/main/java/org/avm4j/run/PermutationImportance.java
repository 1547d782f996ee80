package org.avm4j.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.avm4j.Features;
import org.avm4j.Predictor;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.avm4j.eval.Metrics;

/**
 * How much a model leans on each column: how much larger its error over some rows becomes when the
 * values of that column change places among them (Breiman 2001). All features of a category move
 * together.
 */
public final class PermutationImportance {
  private final Predictor model;
  private final List<Instance> rows;
  private final Schema schema;

  /** Of a model, on these rows, whose columns have these names. */
  public PermutationImportance(Predictor model, List<Instance> rows, Schema schema) {
    this.model = model;
    this.rows = rows;
    this.schema = schema;
  }

  /**
   * The rise of the mistake rate or RMSE by column, the largest first.
   *
   * @param most at most so many columns are looked at: those with the most values that are not 0
   * @param seed decides the order in which values change places
   */
  public Map<String, Double> rises(int most, long seed) {
    double before = error(rows);
    Map<String, Double> rises = new LinkedHashMap<>();
    for (Map.Entry<String, TreeSet<Integer>> column : columns(most).entrySet()) {
      rises.put(column.getKey(), error(permuted(column.getValue(), seed)) - before);
    }
    Map<String, Double> sorted = new LinkedHashMap<>();
    rises.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }

  /** The features of each column that these rows have. */
  private Map<String, TreeSet<Integer>> columns(int most) {
    Map<String, TreeSet<Integer>> features = new TreeMap<>();
    Map<String, Integer> counts = new TreeMap<>();
    for (Instance row : rows) {
      for (int e = 0; e < row.features().count(); e++) {
        String name = column(row.features().index(e));
        features.computeIfAbsent(name, any -> new TreeSet<>()).add(row.features().index(e));
        counts.merge(name, 1, Integer::sum);
      }
    }
    Map<String, TreeSet<Integer>> kept = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(most)
        .forEach(entry -> kept.put(entry.getKey(), features.get(entry.getKey())));
    return kept;
  }

  private String column(int feature) {
    return feature < schema.dimension()
        ? schema.columnOf(feature).name()
        : schema.featureName(feature);
  }

  private List<Instance> permuted(TreeSet<Integer> features, long seed) {
    List<Instance> others = new ArrayList<>(rows);
    Collections.shuffle(others, new Random(seed));
    List<Instance> permuted = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Features mixed = mixed(rows.get(i).features(), others.get(i).features(), features);
      permuted.add(new Instance(mixed, rows.get(i).label()));
    }
    return permuted;
  }

  /** A row with these features of another one. */
  private static Features mixed(Features own, Features other, TreeSet<Integer> features) {
    TreeMap<Integer, Double> values = new TreeMap<>();
    for (int e = 0; e < own.count(); e++) {
      values.put(own.index(e), own.value(e));
    }
    for (int feature : features) {
      values.put(feature, other.get(feature));
    }
    Features.Buffer row = new Features.Buffer();
    values.forEach(row::add);
    return row.features();
  }

  private double error(List<Instance> asked) {
    Metrics metrics = Metrics.of(model, true);
    for (Instance row : asked) {
      metrics.add(row.label(), model.predict(row.features()), model.score(row.features()));
    }
    return metrics.value();
  }
}
