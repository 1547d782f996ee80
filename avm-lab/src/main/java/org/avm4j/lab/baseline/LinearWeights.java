package org.avm4j.lab.baseline;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Vectors;

/** The weights of a linear model f_c(x) = w_cᵀz(x) on computed features z. */
final class LinearWeights {
  private final int features;
  private double[][] w;

  LinearWeights(int columns, int features) {
    this.features = features;
    w = new double[columns][features];
  }

  private LinearWeights(int features, double[][] w) {
    this.features = features;
    this.w = w;
  }

  void addColumn() {
    w = Arrays.copyOf(w, w.length + 1);
    w[w.length - 1] = new double[features];
  }

  double[] column(int c) {
    return w[c];
  }

  double value(int column, double[] z) {
    return Vectors.dot(w[column], z, features);
  }

  /** w ← w ± step z, in the columns of the step. */
  void add(LabelStep labelStep, double[] z) {
    RandomFeatures.add(labelStep.step(), z, features, w[labelStep.own()]);
    if (labelStep.rival() >= 0) {
      RandomFeatures.add(-labelStep.step(), z, features, w[labelStep.rival()]);
    }
  }

  void encode(Encoder out) {
    for (double[] column : w) {
      out.doubles(column, features);
    }
  }

  static LinearWeights decode(Decoder in, int columns, int features) throws ModelFileException {
    return new LinearWeights(features, in.rows(columns, features));
  }
}
