package org.avm4j.lab.baseline;

import java.util.concurrent.atomic.AtomicReference;
import org.avm4j.Features;
import org.avm4j.Predictor;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Vectors;

/**
 * Fourier online gradient descent (Lu, Hoi, Wang, Zhao, Liu, JMLR 17, 2016): a linear model on
 * {@link RandomFeatures}, w ← w + η y z(x) where the hinge loss is positive.
 *
 * <p>With the features scaled to z(x)ᵀz(x) = 1, η means what it means for the kernel learners. The
 * toolboxes leave them unscaled, so that the same η is a step D times as long.
 */
final class Fogd extends Baseline {
  private final RandomFeatures map;
  private final Rule rule;
  private final Recent recent = new Recent();
  private final double[] z;
  private LinearWeights weights;
  private boolean isFresh = true;

  Fogd(BaselineOptions options) {
    super(options);
    double factor = options.toolbox() ? 1 : 1 / Math.sqrt(options.features());
    map = new RandomFeatures(options.gamma(), options.features(), factor, options.seed());
    rule = new Rule.Gradient(options.eta(), options.epsilon());
    z = new double[map.size()];
    weights = new LinearWeights(columns(), map.size());
  }

  @Override
  void represent(Features x) {
    RandomFeatures.check(x);
    if (!recent.sees(x)) {
      map.apply(x, z);
    }
  }

  @Override
  double value(int column) {
    return weights.value(column, z);
  }

  @Override
  Rule rule() {
    return rule;
  }

  @Override
  void update(Verdict verdict) {
    if (verdict.amount() > 0) {
      weights.add(verdict, z);
      isFresh = false;
    }
  }

  @Override
  void addColumn() {
    weights.addColumn();
  }

  /** D, once w is not 0. */
  @Override
  public int size() {
    return isFresh ? 0 : options().features();
  }

  @Override
  public Predictor snapshot() {
    double[][] w = new double[columns()][];
    for (int place = 0; place < columns(); place++) {
      w[place] = weights.column(column(place)).clone();
    }
    return new Model(options(), classes(), w, new AtomicReference<>(map.twin()), map.twin());
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

  /** A frozen w, for any number of threads. */
  private record Model(
      BaselineOptions options,
      double[] labels,
      double[][] w,
      AtomicReference<RandomFeatures> spare,
      RandomFeatures origin)
      implements Predictor {
    @Override
    public int columns() {
      return w.length;
    }

    @Override
    public double[] classes() {
      return labels.clone();
    }

    @Override
    public void score(Features x, double[] scores) {
      RandomFeatures map = spare.getAndSet(null);
      map = map == null ? origin.twin() : map;
      double[] z = new double[map.size()];
      RandomFeatures.check(x);
      map.apply(x, z);
      for (int c = 0; c < w.length; c++) {
        scores[c] = Vectors.dot(w[c], z, z.length);
      }
      spare.set(map);
    }

    @Override
    public double predict(Features x) {
      return options.task().predict(score(x), labels);
    }
  }
}
