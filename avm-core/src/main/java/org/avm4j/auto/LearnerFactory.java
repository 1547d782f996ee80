package org.avm4j.auto;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.table.Scaling;
import org.avm4j.theory.PairwiseDistances;
import org.avm4j.tree.TreeOptions;

/**
 * Makes the scaler, the kernel and the untrained learner of a candidate. Scalers are fitted once
 * and cached.
 */
final class LearnerFactory {
  private final Task task;
  private final Map<Scaling, Scaler> scalers = new LinkedHashMap<>();
  private final Map<Scaling, PairwiseDistances> distances = new EnumMap<>(Scaling.class);
  private Metric lastMetric;
  private PairwiseDistances lastDistances;

  LearnerFactory(Task task) {
    this.task = task;
  }

  /** A factory with the same scalers and an empty cache of distances. */
  LearnerFactory withSameScalers() {
    LearnerFactory other = new LearnerFactory(task);
    other.scalers.putAll(scalers);
    return other;
  }

  /** The cached scaler of each scaling, without feature weights. */
  Map<Scaling, Scaler> scalers() {
    return scalers;
  }

  /**
   * The scaling and metric of a candidate; the ranges of features are those of the first instances.
   */
  Scaler scaler(Candidate candidate, List<Instance> first) {
    return scalers
        .computeIfAbsent(candidate.scaling(), how -> fit(how, first))
        .weighted(candidate.metric());
  }

  /** The scaler of some rows. */
  static Scaler fit(Scaling scaling, List<Instance> first) {
    ScalerFit fit = new ScalerFit(scaling);
    first.forEach(row -> fit.observe(row.features()));
    return fit.scaler();
  }

  /** The kernel of a candidate; its width follows from the distances between some rows. */
  Kernel kernel(Candidate candidate, Scaler scaler, List<Instance> rows) {
    return candidate.kernel(distances(candidate, scaler, rows));
  }

  /**
   * An untrained learner whose kernel width follows from the distances between some rows.
   *
   * @param isFinal whether this is the last search, so that the learner may be a tree instead of
   *     one machine
   */
  CandidateLearner learner(
      Candidate candidate, boolean isFinal, AutoOptions options, List<Instance> rows) {
    Scaler scaler = scaler(candidate, rows);
    AvmOptions machine = machine(candidate, scaler, options, rows);
    return isFinal && options.growsTree()
        ? CandidateLearner.tree(candidate, scaler, machine)
        : new CandidateLearner(candidate, scaler, machine);
  }

  private AvmOptions machine(
      Candidate candidate, Scaler scaler, AutoOptions options, List<Instance> rows) {
    return candidate.options(options, task, distances(candidate, scaler, rows));
  }

  /** The distances as a candidate sees them: cached for each scaling, and for the last metric. */
  private PairwiseDistances distances(Candidate candidate, Scaler scaler, List<Instance> rows) {
    if (candidate.metric().isNone()) {
      return distances.computeIfAbsent(candidate.scaling(), how -> distances(scaler, rows));
    }
    if (candidate.metric() != lastMetric) {
      lastMetric = candidate.metric();
      lastDistances = distances(scaler, rows);
    }
    return lastDistances;
  }

  /** The largest number of features of any row. */
  static int dimension(List<Instance> rows) {
    return rows.stream().mapToInt(row -> row.features().dimension()).max().orElse(0);
  }

  /** The distances between the first rows after scaling. */
  static PairwiseDistances distances(Scaler scaler, List<Instance> rows) {
    List<Features> sample =
        rows.stream()
            .limit(TreeOptions.DEFAULT_ROOT)
            .map(row -> scaler.apply(row.features()))
            .toList();
    return sample.size() < 2 ? new PairwiseDistances(1, 0) : PairwiseDistances.of(sample);
  }

  /** Appends the scalers that some learners need. */
  void encodeScalers(List<CandidateLearner> learners, Encoder out) {
    List<Scaling> used = learners.stream().map(r -> r.candidate().scaling()).distinct().toList();
    out.list(used, (scaling, to) -> to.section("scaler", scalers.get(scaling)::encode));
  }

  void decodeScalers(Decoder in) throws ModelFileException {
    in.list("the scalings", Scaling.values().length, each -> each.section("scaler", Scaler::decode))
        .forEach(scaler -> scalers.put(scaler.scaling(), scaler));
  }
}
