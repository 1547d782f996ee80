package org.avm4j.auto;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.table.Scaling;
import org.avm4j.theory.PairwiseDistances;

/**
 * Makes runners from candidates: the scaler, the kernel and the untrained learner of each. Scalers
 * are fitted once and kept.
 */
final class Lineup {
  private final Task task;
  private final Map<Scaling, Scaler> scalers = new LinkedHashMap<>();
  private final Map<Scaling, PairwiseDistances> distances = new EnumMap<>(Scaling.class);

  Lineup(Task task) {
    this.task = task;
  }

  /** One with the same scalers, which knows no distances. */
  Lineup withSameScalers() {
    Lineup other = new Lineup(task);
    other.scalers.putAll(scalers);
    return other;
  }

  /** The scaler of each scaling that is known, without weights. */
  Map<Scaling, Scaler> scalers() {
    return scalers;
  }

  /** The scaling and metric of a candidate; ranges of features are those of the first instances. */
  Scaler scaler(Candidate candidate, List<Instance> first) {
    return scalers
        .computeIfAbsent(candidate.scaling(), how -> fit(how, first))
        .weighted(candidate.metric());
  }

  private static Scaler fit(Scaling scaling, List<Instance> first) {
    ScalerFit fit = new ScalerFit(scaling);
    first.forEach(row -> fit.observe(row.features()));
    return fit.scaler();
  }

  /** The kernel of a candidate, whose width follows from the distances of some rows. */
  Kernel kernel(Candidate candidate, Scaler scaler, List<Instance> rows) {
    return candidate.kernel(distances(candidate, scaler, rows));
  }

  /**
   * A learner that knows nothing of some rows but their distances.
   *
   * @param isFinal whether it is to stay, so that a tree may take the place of one machine
   */
  Runner runner(Candidate candidate, boolean isFinal, AutoOptions options, List<Instance> rows) {
    Scaler scaler = scaler(candidate, rows);
    AvmOptions machine = machine(candidate, scaler, options, rows);
    return isFinal && options.growsTree()
        ? Runner.tree(candidate, scaler, machine)
        : new Runner(candidate, scaler, machine);
  }

  private AvmOptions machine(
      Candidate candidate, Scaler scaler, AutoOptions options, List<Instance> rows) {
    return candidate.options(options, task, distances(candidate, scaler, rows));
  }

  /** The distances as a candidate sees them, which are kept where all features count alike. */
  private PairwiseDistances distances(Candidate candidate, Scaler scaler, List<Instance> rows) {
    return candidate.metric().isNone()
        ? distances.computeIfAbsent(candidate.scaling(), how -> distances(scaler, rows))
        : distances(scaler, rows);
  }

  /** The number of features that some rows have. */
  static int dimension(List<Instance> rows) {
    return rows.stream().mapToInt(row -> row.features().dimension()).max().orElse(0);
  }

  /** The distances of the first rows behind a scaler. */
  static PairwiseDistances distances(Scaler scaler, List<Instance> rows) {
    List<Features> sample =
        rows.stream().limit(Constants.DISTANCES).map(row -> scaler.apply(row.features())).toList();
    return sample.size() < 2 ? new PairwiseDistances(1, 0) : PairwiseDistances.of(sample);
  }

  /** Appends the scalers that some runners need. */
  void encodeScalers(List<Runner> runners, Encoder out) {
    List<Scaling> used = runners.stream().map(r -> r.candidate().scaling()).distinct().toList();
    out.int32(used.size());
    used.forEach(scaling -> out.section("scaler", scalers.get(scaling)::encode));
  }

  void decodeScalers(Decoder in) throws ModelFileException {
    int scalings = in.int32("the scalings", Scaling.values().length);
    for (int i = 0; i < scalings; i++) {
      Scaler scaler = in.section("scaler", Scaler::decode);
      scalers.put(scaler.scaling(), scaler);
    }
  }
}
