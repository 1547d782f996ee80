package org.avm4j.lab.baseline;

import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Fourier online gradient descent (Lu, Hoi, Wang, Zhao, Liu, JMLR 17, 2016): a linear model on
 * {@link RandomFeatures}, w ← w + η y z(x) where the hinge loss is positive.
 *
 * <p>The features are scaled to z(x)ᵀz(x) = 1, so that η has the same meaning as for the kernel
 * learners. The toolboxes do not scale them, which makes the step D times as large for the same η.
 */
final class Fogd extends Baseline {
  private final RandomFeatures map;
  private final StepRule rule;
  private final LastInstance recent = new LastInstance();
  private final double[] z;
  private LinearWeights weights;
  private boolean isFresh = true;

  Fogd(BaselineOptions options) {
    super(options);
    map = RandomFeatures.of(options);
    rule = new StepRule.Gradient(options.eta(), options.epsilon());
    z = new double[map.size()];
    weights = new LinearWeights(columns(), map.size());
  }

  @Override
  void represent(Features x) {
    RandomFeatures.check(x);
    if (!recent.isRepeated(x)) {
      map.apply(x, z);
    }
  }

  @Override
  double value(int column) {
    return weights.value(column, z);
  }

  @Override
  StepRule rule() {
    return rule;
  }

  @Override
  void update(LabelStep labelStep) {
    if (labelStep.amount() > 0) {
      weights.add(labelStep, z);
      isFresh = false;
    }
  }

  @Override
  void addColumn() {
    weights.addColumn();
  }

  /** D after the first step, 0 before. */
  @Override
  int size() {
    return isFresh ? 0 : options().features();
  }

  @Override
  Model snapshot() {
    double[][] w = new double[columns()][];
    for (int place = 0; place < columns(); place++) {
      w[place] = weights.column(column(place)).clone();
    }
    return new FourierModel(options(), classes(), w, map.twin());
  }

  @Override
  void encodeState(Encoder out) {
    out.bool(isFresh);
    weights.encode(out);
  }

  @Override
  void decodeState(Decoder in) throws ModelFileException {
    isFresh = in.bool();
    weights = LinearWeights.decode(in, columns(), map.size());
  }
}
