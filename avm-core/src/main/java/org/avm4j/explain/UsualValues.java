package org.avm4j.explain;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.data.Schema;

/**
 * Finds the usual value of each column along a stream: for categories the most frequent one, which
 * may be "none"; for other columns the mean of each feature, or 0 if more than half of the rows
 * have 0.
 *
 * <p>Only the first {@value #MOST_FEATURES} features are counted. The usual value of the others is
 * 0.
 */
public final class UsualValues {
  private static final int MOST_FEATURES = 1 << 16;

  private long rows;
  private double[] means = {};
  private long[] counts = {};

  /** No row has been seen. */
  public UsualValues() {}

  /** Takes a row into account. */
  public void add(Features x) {
    rows++;
    for (int e = 0; e < x.count() && x.index(e) < MOST_FEATURES; e++) {
      int i = x.index(e);
      grow(i + 1);
      counts[i]++;
      means[i] += x.value(e) / counts[i] - means[i] / counts[i];
    }
  }

  private void grow(int features) {
    if (features > means.length) {
      int capacity = Math.min(MOST_FEATURES, Math.max(features, 2 * means.length));
      means = Arrays.copyOf(means, capacity);
      counts = Arrays.copyOf(counts, capacity);
    }
  }

  /** The row that has the usual value in every column. */
  public Features row(Schema schema) {
    ColumnView view = new ColumnView(schema);
    Map<Integer, Integer> frequent = mostFrequent(view);
    Features.Buffer row = new Features.Buffer();
    for (int i = 0; i < means.length; i++) {
      if (view.isCategorical(view.of(i))) {
        row.add(i, frequent.get(view.of(i)) == i ? 1 : 0);
      } else {
        row.add(i, 2 * counts[i] >= rows && rows > 0 ? means[i] * counts[i] / rows : 0);
      }
    }
    return row.features();
  }

  /** The feature of the most frequent category of each column, -1 where most rows have none. */
  private Map<Integer, Integer> mostFrequent(ColumnView view) {
    Map<Integer, Integer> frequent = new HashMap<>();
    Map<Integer, Long> present = new HashMap<>();
    for (int i = 0; i < means.length; i++) {
      int column = view.of(i);
      int best = frequent.getOrDefault(column, -1);
      frequent.put(column, best < 0 || counts[i] > counts[best] ? i : best);
      present.merge(column, counts[i], Long::sum);
    }
    frequent.replaceAll((column, best) -> rows - present.get(column) > counts[best] ? -1 : best);
    return frequent;
  }

  /** The usual row known from a schema alone: the means of its numbers, without categories. */
  public static Features known(Schema schema) {
    Features.Buffer row = new Features.Buffer();
    for (int i = 0; i < schema.dimension(); i++) {
      row.add(i, schema.columnOf(i).mean());
    }
    return row.features();
  }
}
