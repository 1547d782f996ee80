package org.avm4j.anomaly;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.avm4j.CorePoint;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Neighbour;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;
import org.avm4j.form.StatusBuilder;
import org.avm4j.points.CorePoints;
import org.avm4j.points.KernelRow;
import org.avm4j.points.RunningScale;

/**
 * A frozen {@link AnomalyDetector}.
 *
 * <p>In a file, kind {@code avm-anomaly-model}: the options, the scale and the cells as of a
 * detector, instances (8), threshold (8).
 */
final class AnomalyModel implements Model, OpenModel {
  private final AnomalyOptions options;
  private final RunningScale scale;
  private final DensityCells cells;
  private final long instances;
  private final double threshold;
  private final AtomicReference<DensityCells.Scratch> spare = new AtomicReference<>();

  AnomalyModel(
      AnomalyOptions options,
      RunningScale scale,
      DensityCells cells,
      long instances,
      double threshold) {
    this.options = options;
    this.scale = scale;
    this.cells = cells;
    this.instances = instances;
    this.threshold = threshold;
  }

  @Override
  public Task task() {
    return Task.anomaly();
  }

  @Override
  public int columns() {
    return 1;
  }

  @Override
  public double[] classes() {
    return new double[] {-1, 1};
  }

  @Override
  public void score(Features x, double[] into) {
    RunningScale.check(x);
    Features z = scale.apply(x, new Features.Buffer());
    DensityCells.Scratch scratch = spare.getAndSet(null);
    scratch = scratch == null ? cells.scratch() : scratch;
    into[0] = cells.distance(z, options.support(), scratch);
    spare.set(scratch);
  }

  @Override
  public ModelForm form() {
    return new ModelForm.Density(
        IntStream.range(0, scale.dimension()).mapToObj(scale::scale).toList(),
        IntStream.range(0, cells.size()).mapToObj(cells::vector).toList(),
        IntStream.range(0, cells.size()).mapToObj(cells::count).toList(),
        cells.mass(options.support()),
        threshold);
  }

  /**
   * {@inheritDoc} They are the centres of cells; the coefficient is the number of instances in the
   * cell.
   */
  @Override
  public List<Neighbour> nearest(Features x, int most) {
    KernelRow row = cells.measure(scale.apply(x, new Features.Buffer()));
    return CorePoints.nearest(row, most, this::centre);
  }

  private CorePoint centre(int j) {
    return new CorePoint(scale.original(cells.vector(j)), List.of(cells.count(j)));
  }

  @Override
  public double predict(Features x) {
    return score(x)[0] >= threshold ? 1 : -1;
  }

  @Override
  public Status status() {
    return status(options, instances, cells.size(), 2 * cells.radius(), threshold);
  }

  static Status status(
      AnomalyOptions options, long instances, int size, double diameter, double threshold) {
    return new StatusBuilder(instances, size, options.settings())
        .cells(size, size, diameter)
        .threshold(threshold)
        .build();
  }

  @Override
  public String kind() {
    return AnomalyDetector.MODEL_KIND;
  }

  @Override
  public void encode(Encoder out) {
    options.encode(out);
    out.section("scale", scale::encode);
    out.section("cells", cells::encode);
    out.int64(instances);
    out.float64(threshold);
  }

  /** The model that {@link #encode} appended. */
  static AnomalyModel decode(Decoder in) throws ModelFileException {
    AnomalyOptions options = AnomalyOptions.decode(in);
    RunningScale scale = in.section("scale", RunningScale::decode);
    DensityCells cells =
        in.section("cells", section -> DensityCells.decode(section, scale.dimension()));
    return new AnomalyModel(options, scale, cells, in.count("the instances"), in.float64());
  }

  /** A description of one line: kind and size. */
  @Override
  public String toString() {
    return status().summary();
  }
}
