package org.avm4j.auto.expert;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;

/** Answers with the mean, or by the frequency of each class, regardless of the features. */
public final class Mean implements Expert {
  private final ClassTable counts;
  private double total;
  private double sum;

  /** An untrained expert. */
  public Mean() {
    this(new ClassTable());
  }

  private Mean(ClassTable counts) {
    this.counts = counts;
  }

  @Override
  public String name() {
    return "mean";
  }

  @Override
  public void score(Moment now, double[] classes, double[] into) {
    if (classes.length == 0) {
      into[0] = total == 0 ? 0 : sum / total;
      return;
    }
    Arrays.fill(into, 0, classes.length, 0);
    for (int c = 0; total > 0 && c < classes.length; c++) {
      into[c] = 2 * counts.get(classes[c]) / total - 1;
    }
  }

  @Override
  public void learn(Moment now, double y, double weight) {
    total += weight;
    sum += weight * y;
    counts.add(y, weight);
  }

  @Override
  public Mean freeze() {
    return ModelFile.copy(name(), out -> encode(out, new SharedInputs()), Mean::decode);
  }

  @Override
  public void encode(Encoder out, SharedInputs shared) {
    out.float64(total);
    out.float64(sum);
    counts.encode(out);
  }

  static Mean decode(Decoder in) throws ModelFileException {
    double total = in.finite("the weight of labels");
    double sum = in.finite("the sum of labels");
    Mean mean = new Mean(ClassTable.decode(in));
    mean.total = total;
    mean.sum = sum;
    return mean;
  }
}
