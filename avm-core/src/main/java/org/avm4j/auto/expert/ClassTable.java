package org.avm4j.auto.expert;

import java.util.TreeMap;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** The number of occurrences of each label, for a limited number of distinct labels. */
final class ClassTable {
  /** The most distinct labels that are counted; labels with more distinct values are numbers. */
  static final int MOST = 256;

  private final TreeMap<Double, Double> counts = new TreeMap<>();

  double get(double label) {
    return counts.getOrDefault(label, 0.0);
  }

  void add(double label, double weight) {
    if (counts.size() < MOST || counts.containsKey(label)) {
      counts.merge(label, weight, Double::sum);
    }
  }

  double total() {
    return counts.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  void encode(Encoder out) {
    out.counted(counts.keySet().stream().mapToDouble(Double::doubleValue).toArray());
    double[] values = counts.values().stream().mapToDouble(Double::doubleValue).toArray();
    out.doubles(values, values.length);
  }

  static ClassTable decode(Decoder in) throws ModelFileException {
    ClassTable table = new ClassTable();
    double[] labels = in.counted("the labels that are counted", MOST);
    double[] counts = in.doubles(labels.length, 0);
    Decoder.checkAscending("labels", labels);
    for (int i = 0; i < labels.length; i++) {
      table.counts.put(labels[i], counts[i]);
    }
    return table;
  }
}
