package org.avm4j.lab.baseline;

import java.util.concurrent.atomic.AtomicReference;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Vectors;

/**
 * The frozen model of {@link Fogd}: a linear model w on random features.
 *
 * <p>In a file, kind {@code baseline-fourier-model}: options, n× class label (8), columns (4), for
 * each column 2D× w (8).
 */
final class FourierModel implements Model {
  static final String KIND = "baseline-fourier-model";

  private final BaselineOptions options;
  private final double[] labels;
  private final double[][] w;
  private final RandomFeatures origin;
  private final AtomicReference<RandomFeatures> spare = new AtomicReference<>();

  FourierModel(BaselineOptions options, double[] labels, double[][] w, RandomFeatures origin) {
    this.options = options;
    this.labels = labels;
    this.w = w;
    this.origin = origin;
  }

  @Override
  public Task task() {
    return options.task();
  }

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
    RandomFeatures.check(x);
    RandomFeatures map = spare.getAndSet(null);
    map = map == null ? origin.twin() : map;
    double[] z = new double[map.size()];
    map.apply(x, z);
    for (int c = 0; c < w.length; c++) {
      scores[c] = Vectors.dot(w[c], z, z.length);
    }
    spare.set(map);
  }

  @Override
  public Status status() {
    return Status.of(0, options.features(), options.settings());
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.section("options", section -> BaselineCodec.encode(section, options));
    out.counted(labels);
    out.int32(w.length);
    out.rows(w);
  }

  static FourierModel decode(Decoder in) throws ModelFileException {
    BaselineOptions options = in.section("options", BaselineCodec::decodeOptions);
    double[] labels = in.counted("the classes", Integer.MAX_VALUE);
    RandomFeatures map = RandomFeatures.of(options);
    double[][] w = KernelModel.decodeColumns(in, options.task(), labels.length, map.size());
    return new FourierModel(options, labels, w, map);
  }

  /** The name and the size of the model, in one line. */
  @Override
  public String toString() {
    return status().summary();
  }
}
