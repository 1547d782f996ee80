package org.avm4j.auto.expert;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.avm4j.Features;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Scaler;

/**
 * The inputs of experts: the scaled features of a row, preceded by the latest labels for experts
 * that use them. A numeric label is one input: the latest label is used as it is, earlier ones as
 * differences from the latest. A class label has one input for each class known when the inputs
 * were made. Immutable.
 */
public final class Inputs {
  private static final int MOST_CLASSES = 1 << 10;

  private final Scaler scaler;
  private final Inputs base;
  private final int[] lags;
  private final double[] classes;
  private final double size;

  private Inputs(Scaler scaler, Inputs base, int[] lags, double[] classes, double size) {
    this.scaler = scaler;
    this.base = base;
    this.lags = lags;
    this.classes = classes;
    this.size = size;
  }

  /** Inputs that are the features alone. */
  public static Inputs of(Scaler scaler) {
    return new Inputs(scaler, null, new int[0], new double[0], 0);
  }

  /**
   * These inputs, preceded by labels.
   *
   * @param ago the lag of each label, in rows
   * @param known the classes, in ascending order; empty if labels are numbers
   * @param scale the factor on inputs for labels
   */
  public Inputs behindLabels(List<Integer> ago, double[] known, double scale) {
    return new Inputs(
        scaler, this, ago.stream().mapToInt(Integer::intValue).toArray(), known.clone(), scale);
  }

  /** The same inputs without labels; empty if these inputs have none. */
  Optional<Inputs> base() {
    return Optional.ofNullable(base);
  }

  /** How features are scaled. */
  public Scaler scaler() {
    return scaler;
  }

  /** Whether labels are among the inputs. */
  public boolean seeLabels() {
    return base != null;
  }

  /** The number of inputs that stand for labels. */
  public int places() {
    return lags.length * Math.max(1, classes.length);
  }

  Features read(Features row, Moment now, Features.Buffer into) {
    if (base == null) {
      return scaler.apply(row, into);
    }
    into.clear();
    int width = Math.max(1, classes.length);
    for (int i = 0; i < lags.length; i++) {
      double label = now.labels().ago(lags[i]);
      addLabel(i * width, classes.length == 0 && i > 0 ? label - now.latest() : label, into);
    }
    Features scaled = now.through(base);
    int most = Features.MAX_DIMENSION - places();
    for (int i = 0; i < scaled.count() && scaled.index(i) < most; i++) {
      into.add(places() + scaled.index(i), scaled.value(i));
    }
    return into.features();
  }

  /** Limits a number, given in deviations from the mean, so that no single outlier decides. */
  static double limited(double deviations) {
    return Math.max(-Constants.OUTLIER, Math.min(Constants.OUTLIER, deviations));
  }

  private void addLabel(int from, double label, Features.Buffer into) {
    if (classes.length == 0 && !Double.isNaN(label)) {
      into.add(from, size * Math.max(-Constants.VERY_SURE, Math.min(Constants.VERY_SURE, label)));
    }
    for (int c = 0; c < classes.length; c++) {
      if (classes[c] == label) {
        into.add(from + c, size);
      }
    }
  }

  void encode(Encoder out, SharedInputs shared) {
    out.bool(base != null);
    if (base == null) {
      out.section("scaler", scaler::encode);
      return;
    }
    shared.encode(base, out);
    out.int32(lags.length);
    out.ints(lags);
    out.counted(classes);
    out.float64(size);
  }

  static Inputs decode(Decoder in, SharedInputs shared) throws ModelFileException {
    if (!in.bool()) {
      return of(in.section("scaler", Scaler::decode));
    }
    Inputs base = shared.read(in);
    int[] lags = in.ints("a lag", in.int32("the lags", PastLabels.MOST), PastLabels.MOST);
    boolean arePast = Arrays.stream(lags).allMatch(lag -> lag > 0);
    Decoder.check(arePast, "a lag must be from 1 on", Arrays.toString(lags));
    double[] classes = in.counted("the classes that have an input", MOST_CLASSES);
    return new Inputs(base.scaler, base, lags, classes, in.finite("the size of a label"));
  }
}
