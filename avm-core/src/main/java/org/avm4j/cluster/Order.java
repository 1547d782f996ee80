package org.avm4j.cluster;

/** The order of numbers, by a stable merge sort of their indices without objects. */
final class Order {
  private Order() {}

  /** The indices of the first n numbers, the smallest number first. */
  static int[] ascending(double[] numbers, int n) {
    return sorted(numbers, n, 1);
  }

  /** The indices of the first n numbers, the largest number first. */
  static int[] descending(double[] numbers, int n) {
    return sorted(numbers, n, -1);
  }

  private static int[] sorted(double[] numbers, int n, double sign) {
    int[] order = new int[n];
    int[] merged = new int[n];
    for (int i = 0; i < n; i++) {
      order[i] = i;
    }
    for (int width = 1; width < n; width *= 2) {
      for (int start = 0; start < n; start += 2 * width) {
        int middle = Math.min(n, start + width);
        merge(numbers, sign, order, merged, start, middle, Math.min(n, middle + width));
      }
      int[] spare = order;
      order = merged;
      merged = spare;
    }
    return order;
  }

  private static void merge(
      double[] numbers, double sign, int[] from, int[] into, int start, int middle, int end) {
    int a = start;
    int b = middle;
    for (int to = start; to < end; to++) {
      boolean isFirst =
          b == end || a < middle && sign * numbers[from[a]] <= sign * numbers[from[b]];
      into[to] = isFirst ? from[a++] : from[b++];
    }
  }
}
