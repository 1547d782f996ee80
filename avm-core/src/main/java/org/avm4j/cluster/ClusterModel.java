package org.avm4j.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.avm4j.ClusterSummary;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;
import org.avm4j.form.StatusBuilder;
import org.avm4j.points.RunningScale;

/**
 * A frozen {@link ClusterLearner}.
 *
 * <p>In a file, kind {@code avm-cluster-model}: the options, instances (8), the scale and the cells
 * as of a learner, the numbering with its events.
 */
final class ClusterModel implements Model, OpenModel {
  private final ClusterOptions options;
  private final RunningScale scale;
  private final Cells cells;
  private final long instances;
  private final Numbering numbering;
  private final AtomicReference<double[]> spare = new AtomicReference<>();

  ClusterModel(
      ClusterOptions options,
      RunningScale scale,
      Cells cells,
      long instances,
      Numbering numbering) {
    this.options = options;
    this.scale = scale;
    this.cells = cells;
    this.instances = instances;
    this.numbering = numbering;
  }

  @Override
  public Task task() {
    return Task.clustering();
  }

  @Override
  public int columns() {
    return 1;
  }

  @Override
  public double[] classes() {
    return new double[0];
  }

  @Override
  public void score(Features x, double[] into) {
    into[0] = predict(x);
  }

  @Override
  public double predict(Features x) {
    RunningScale.check(x);
    Features z = scale.apply(x, new Features.Buffer());
    double[] scratch = spare.getAndSet(null);
    scratch = scratch == null ? new double[cells.size()] : scratch;
    int number = cells.numberOf(z, scratch);
    spare.set(scratch);
    return number;
  }

  @Override
  public ModelForm form() {
    return new ModelForm.Cells(
        IntStream.range(0, scale.dimension()).mapToObj(scale::scale).toList(),
        IntStream.range(0, cells.size()).mapToObj(this::mean).toList(),
        IntStream.range(0, cells.size()).mapToObj(cells::weight).toList(),
        IntStream.range(0, cells.size()).mapToObj(j -> Math.sqrt(cells.reach(j))).toList(),
        IntStream.range(0, cells.size()).mapToObj(cells::number).toList());
  }

  @Override
  public Optional<ClusterSummary> clusters() {
    Map<Integer, List<Integer>> members = new TreeMap<>();
    for (int j = 0; j < cells.size(); j++) {
      members.computeIfAbsent(cells.number(j), any -> new ArrayList<>()).add(j);
    }
    List<Integer> none = members.remove(Cluster.NOISE);
    double noise = none == null ? 0 : weight(none);
    List<Cluster> all =
        members.entrySet().stream()
            .map(entry -> cluster(entry.getKey(), entry.getValue()))
            .sorted(Comparator.comparingDouble(Cluster::size).reversed())
            .toList();
    return Optional.of(new ClusterSummary(all, noise, numbering.events(), numbering.lastEvents()));
  }

  private Features mean(int j) {
    return Features.dense(
        IntStream.range(0, cells.dimension()).mapToDouble(i -> cells.coordinate(j, i)).toArray());
  }

  private double weight(List<Integer> members) {
    return members.stream().mapToDouble(cells::weight).sum();
  }

  private Cluster cluster(int number, List<Integer> members) {
    double size = weight(members);
    Features.Buffer mean = new Features.Buffer();
    for (int i = 0; i < cells.dimension(); i++) {
      double sum = 0;
      for (int j : members) {
        sum += cells.weight(j) * cells.coordinate(j, i);
      }
      mean.add(i, sum / size);
    }
    return new Cluster(number, size, scale.original(mean.features()));
  }

  @Override
  public Status status() {
    return status(options, instances, cells);
  }

  static Status status(ClusterOptions options, long instances, Cells cells) {
    StatusBuilder status = new StatusBuilder(instances, cells.size(), options.settings());
    if (options.horizon() > 0) {
      status.memory(Math.min(instances, options.horizon()), 0, List.of());
    }
    return status.build();
  }

  @Override
  public String kind() {
    return ClusterLearner.MODEL_KIND;
  }

  @Override
  public void encode(Encoder out) {
    options.encode(out);
    out.int64(instances);
    out.section("scale", scale::encode);
    out.section("cells", section -> CellsCodec.encode(cells, section));
    out.section("numbering", numbering::encode);
  }

  /** The model that {@link #encode} appended. */
  static ClusterModel decode(Decoder in) throws ModelFileException {
    ClusterOptions options = ClusterOptions.decode(in);
    long instances = in.count("the instances");
    RunningScale scale = in.section("scale", RunningScale::decode);
    Cells cells =
        in.section("cells", from -> CellsCodec.decode(from, options.maxSize(), scale.dimension()));
    Numbering numbering = in.section("numbering", Numbering::decode);
    CellsCodec.checkNumbers(cells, numbering.given());
    return new ClusterModel(options, scale, cells, instances, numbering);
  }

  /** A description of one line: kind and size. */
  @Override
  public String toString() {
    return status().summary();
  }
}
