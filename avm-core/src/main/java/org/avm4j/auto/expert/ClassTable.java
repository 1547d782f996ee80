package org.avm4j.auto.expert;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** The number of occurrences of each label, for a limited number of distinct labels. */
final class ClassTable {
  /** The most distinct labels that are counted; labels with more distinct values are numbers. */
  static final int MOST = 256;

  private double[] labels = {};
  private double[] counts = {};

  double get(double label) {
    int place = Arrays.binarySearch(labels, label);
    return place < 0 ? 0 : counts[place];
  }

  void add(double label, double weight) {
    int place = Arrays.binarySearch(labels, label);
    if (place >= 0) {
      counts[place] += weight;
    } else if (labels.length < MOST) {
      labels = inserted(labels, -place - 1, label);
      counts = inserted(counts, -place - 1, weight);
    }
  }

  private static double[] inserted(double[] values, int place, double value) {
    double[] all = Arrays.copyOf(values, values.length + 1);
    System.arraycopy(values, place, all, place + 1, values.length - place);
    all[place] = value;
    return all;
  }

  double total() {
    return Arrays.stream(counts).sum();
  }

  ClassTable copy() {
    ClassTable same = new ClassTable();
    same.labels = labels.clone();
    same.counts = counts.clone();
    return same;
  }

  void encode(Encoder out) {
    out.int32(labels.length);
    out.doubles(labels, labels.length);
    out.doubles(counts, counts.length);
  }

  static ClassTable decode(Decoder in) throws ModelFileException {
    ClassTable table = new ClassTable();
    int n = in.int32("the labels that are counted", MOST);
    table.labels = in.doubles(n, n);
    table.counts = in.doubles(n, n);
    for (int i = 1; i < n; i++) {
      Decoder.check(table.labels[i] > table.labels[i - 1], "labels must ascend", i);
    }
    return table;
  }
}
