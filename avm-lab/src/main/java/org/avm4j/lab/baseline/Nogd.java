package org.avm4j.lab.baseline;

import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Nyström online gradient descent (Lu, Hoi, Wang, Zhao, Liu, JMLR 17, 2016): kernel OGD until it
 * has B vectors. These define a {@link Nystrom} map of rank k, and from then on a linear model on
 * its features learns, w ← w + η y z(x).
 *
 * <p>At the switch w is the projection of f: w = Σ_j α_j z(x_j). The toolbox KOL starts from w = 0
 * instead.
 */
final class Nogd extends Baseline {
  private final Expansion f;
  private final StepRule kernelRule;
  private final StepRule linearRule;
  private Nystrom map;
  private LinearWeights weights;
  private double[] z = {};
  private LastInstance recent = new LastInstance();

  Nogd(BaselineOptions options) {
    super(options);
    f = new Expansion(options.kernel(), columns());
    kernelRule = new StepRule.Gradient(options.eta(), options.epsilon());
    linearRule = new StepRule.Gradient(options.linearEta(), options.epsilon());
  }

  private boolean isLinear() {
    return map != null;
  }

  @Override
  void represent(Features x) {
    f.measure(x);
    if (isLinear() && !recent.isRepeated(x)) {
      map.apply(f.kernels(), z);
    }
  }

  @Override
  double value(int column) {
    return isLinear() ? weights.value(column, z) : f.value(column);
  }

  @Override
  StepRule rule() {
    return isLinear() ? linearRule : kernelRule;
  }

  @Override
  void update(LabelStep labelStep) {
    if (labelStep.amount() == 0) {
      return;
    }
    if (isLinear()) {
      weights.add(labelStep, z);
      return;
    }
    f.add(labelStep);
    if (f.size() == options().budget()) {
      change();
    }
  }

  private void change() {
    double[][] matrix = f.matrix();
    use(Nystrom.of(matrix, options().rank()), null);
    if (!options().toolbox()) {
      for (int j = 0; j < matrix.length; j++) {
        map.apply(matrix[j], z);
        for (int c = 0; c < columns(); c++) {
          RandomFeatures.add(f.coefficient(c, j), z, z.length, weights.column(c));
        }
      }
    }
  }

  private void use(Nystrom features, LinearWeights w) {
    map = features;
    z = new double[map.size()];
    recent = new LastInstance();
    weights = w == null ? new LinearWeights(columns(), map.size()) : w;
  }

  @Override
  void addColumn() {
    f.addColumn();
    if (isLinear()) {
      weights.addColumn();
    }
  }

  @Override
  int size() {
    return f.size();
  }

  @Override
  Model snapshot() {
    return frozen(f, c -> isLinear() ? map.coefficients(weights.column(c)) : f.coefficients(c));
  }

  @Override
  void encodeState(Encoder out) {
    f.encode(out);
    out.bool(isLinear());
    if (isLinear()) {
      map.encode(out);
      weights.encode(out);
    }
  }

  @Override
  void decodeState(Decoder in) throws ModelFileException {
    f.decode(in, options().budget());
    if (in.bool()) {
      Nystrom features = Nystrom.decode(in, f.size());
      use(features, LinearWeights.decode(in, columns(), features.size()));
    }
  }
}
