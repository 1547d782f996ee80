package org.avm4j.internal;

/** Selection among weighted values. */
public final class Selection {
  private Selection() {}

  /**
   * The least Σ m_j v_j with 0 ≤ m_j ≤ w_j and Σ m_j = mass, by quickselect instead of sorting. The
   * order of both arrays changes.
   */
  public static double leastSum(double[] values, double[] weights, int n, double mass) {
    double sum = 0;
    double left = mass;
    int from = 0;
    int to = n;
    while (from < to) {
      double pivot = median(values[from], values[(from + to) >>> 1], values[to - 1]);
      int low = from;
      int high = to;
      double weightBelow = 0;
      double sumBelow = 0;
      double weightAt = 0;
      for (int i = from; i < high; ) {
        if (values[i] < pivot) {
          weightBelow += weights[i];
          sumBelow += weights[i] * values[i];
          swap(values, weights, i++, low++);
        } else if (values[i] > pivot) {
          swap(values, weights, i, --high);
        } else {
          weightAt += weights[i++];
        }
      }
      if (left <= weightBelow) {
        to = low;
      } else if (left <= weightBelow + weightAt) {
        return sum + sumBelow + (left - weightBelow) * pivot;
      } else {
        sum += sumBelow + weightAt * pivot;
        left -= weightBelow + weightAt;
        from = high;
      }
    }
    return sum;
  }

  private static double median(double a, double b, double c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  private static void swap(double[] values, double[] weights, int i, int j) {
    double value = values[i];
    values[i] = values[j];
    values[j] = value;
    double weight = weights[i];
    weights[i] = weights[j];
    weights[j] = weight;
  }
}
