package org.avm4j.bench;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Compares learners on the streams that they share. */
final class Standings {
  /** Nemenyi's critical values at 5 % for 2, 3, … learners (Demšar 2006). */
  private static final double[] CRITICAL = {
    1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164, 3.219, 3.268, 3.313, 3.354, 3.391
  };

  /** The results of each stream in its order, by learner. */
  final Map<String, Map<String, Result>> blocks = new TreeMap<>();

  /** Results of which each stream in its order has at most one of a learner; failures are out. */
  Standings(Collection<Result> results) {
    for (Result one : results) {
      if (!one.hasFailed()) {
        Map<String, Result> block =
            blocks.computeIfAbsent(one.cell().block(), name -> new LinkedHashMap<>());
        block.put(one.cell().learner(), one);
      }
    }
  }

  /** Learners with results on at least 80 % of the streams of automatic mode, or else of all. */
  List<String> present(List<String> learners) {
    List<Map<String, Result>> ours = shared(List.of("avm"));
    List<Map<String, Result>> base = ours.isEmpty() ? shared(List.of()) : ours;
    double enough = Math.max(1, 0.8 * base.size());
    return learners.stream()
        .filter(one -> base.stream().filter(b -> b.containsKey(one)).count() >= enough)
        .toList();
  }

  /** The blocks in which all of these learners have a result. */
  List<Map<String, Result>> shared(Collection<String> learners) {
    return blocks.values().stream().filter(b -> b.keySet().containsAll(learners)).toList();
  }

  /** The blocks that some learners share, by the stream that they are orders of. */
  private Collection<List<Map<String, Result>>> byStream(List<String> learners) {
    return shared(learners).stream()
        .collect(Collectors.groupingBy(b -> b.values().iterator().next().cell().stream()))
        .values();
  }

  /**
   * The mean rank of each learner, 1 the best: first over the orders of a stream, then over all.
   */
  Map<String, Double> ranks(List<String> learners) {
    Map<String, Double> ranks = new LinkedHashMap<>();
    for (String one : learners) {
      ranks.put(one, mean(byStream(learners), some -> mean(some, b -> rank(b, one, learners))));
    }
    return ranks.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .collect(LinkedHashMap::new, (m, e) -> m.put(e.getKey(), e.getValue()), Map::putAll);
  }

  private static <T> double mean(Collection<T> all, ToDoubleFunction<T> of) {
    return all.stream().mapToDouble(of).average().orElse(Double.NaN);
  }

  /** Equals share the mean of their ranks. */
  private static double rank(Map<String, Result> block, String learner, List<String> learners) {
    double own = block.get(learner).error();
    long better = learners.stream().filter(name -> block.get(name).error() < own).count();
    long equal = learners.stream().filter(name -> block.get(name).error() == own).count();
    return better + (equal + 1) / 2.0;
  }

  /** The difference of mean ranks that chance alone exceeds once in twenty times (Nemenyi). */
  double criticalDifference(List<String> learners) {
    int k = learners.size();
    double q = CRITICAL[Math.min(k, CRITICAL.length + 1) - 2];
    return q * Math.sqrt(k * (k + 1) / (6.0 * byStream(learners).size()));
  }

  /** A learner against another on one stream. */
  record Duel(Result one, Result other) {
    /** The error of the one as a part of that of the other; 1 if they are equal. */
    double ratio() {
      return one.error() == other.error() ? 1 : one.error() / other.error();
    }

    double timeRatio() {
      return one.micros() / other.micros();
    }
  }

  /** All duels of two learners, the worst for the first one last. */
  List<Duel> duels(String one, String other) {
    return shared(List.of(one, other)).stream()
        .map(block -> new Duel(block.get(one), block.get(other)))
        .sorted(Comparator.comparingDouble(Duel::ratio))
        .toList();
  }

  /** A learner against the one with the least error of each stream. */
  List<Duel> againstTheBest(String one, Collection<String> all) {
    return shared(List.of(one)).stream().map(b -> new Duel(b.get(one), best(b, all))).toList();
  }

  /** The result with the smallest error in a block; an unfinished one only if there is no other. */
  static Result best(Map<String, Result> block, Collection<String> learners) {
    return block.values().stream()
        .filter(result -> learners.contains(result.cell().learner()))
        .min(Comparator.comparingInt(Result::cut).thenComparingDouble(Result::error))
        .orElseThrow();
  }

  /** The median; the mean of the two middle values if their number is even. */
  static <T> double median(List<T> all, ToDoubleFunction<T> of) {
    double[] sorted = all.stream().mapToDouble(of).sorted().toArray();
    int n = sorted.length;
    return n == 0 ? Double.NaN : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }
}
