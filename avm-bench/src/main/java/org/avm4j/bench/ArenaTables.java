package org.avm4j.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.avm4j.bench.Standings.Duel;

/**
 * The tables of the arena, by name. All are made of the results of one limit of rows and the latest
 * version of each of our learners, with all labels known at once.
 */
final class ArenaTables {
  private static final String AVM = "avm";
  private static final List<String> CORE = Contestant.names("yardstick", "core");
  private static final List<String> ALL = Contestant.names("yardstick", "core", "slow");

  /**
   * A stream is too easy to compare learners if a rule makes fewer mistakes than this, in percent.
   */
  private static final double TRIVIAL = 0.1;

  private final List<Result> whole;
  private final List<Result> fitting;

  /** The latest version of each of our learners. */
  private final Map<String, String> builds = new LinkedHashMap<>();

  ArenaTables(Collection<Result> results, int most) {
    whole = results.stream().filter(r -> r.cell().with(0, 100).equals(r.cell())).toList();
    List<Result> wanted =
        whole.stream()
            .filter(r -> r.cell().most() == CellPlan.rows(r.cell().order(), most))
            .toList();
    wanted.stream()
        .filter(ArenaTables::isOurs)
        .forEach(r -> builds.put(r.cell().learner(), r.cell().build()));
    fitting = wanted.stream().filter(this::isLatest).toList();
  }

  private boolean isLatest(Result result) {
    return !isOurs(result) || result.cell().build().equals(builds.get(result.cell().learner()));
  }

  private static boolean isOurs(Result result) {
    return Contestant.named(result.cell().learner()).isOurs();
  }

  private static Stream<Result> of(List<Result> results, String learner) {
    return results.stream().filter(result -> result.cell().learner().equals(learner));
  }

  private long count(Predicate<Result> which) {
    return fitting.stream().filter(which).count();
  }

  private Standings streams(boolean isRegression, Predicate<Result> which) {
    return new Standings(
        fitting.stream()
            .filter(r -> !r.cell().isSplit() && r.isRegression() == isRegression)
            .filter(which)
            .toList());
  }

  /** The standings of one task, without streams that are too easy and cells that were cut. */
  Standings contest(boolean isRegression) {
    return streams(isRegression, r -> r.cut() == 0 && (isRegression || r.rule() >= TRIVIAL));
  }

  private Standings splits() {
    return new Standings(fitting.stream().filter(result -> result.cell().isSplit()).toList());
  }

  /** All tables, in the order of the page. */
  Map<String, PeerTable> all() {
    List<String> forTables = new ArrayList<>(List.of("constant", "linear"));
    forTables.addAll(Contestant.names("batch"));
    Map<String, PeerTable> tables = new LinkedHashMap<>();
    tables.put("what-was-run", state());
    tables.put("duels-classes", duels(contest(false), AVM, ALL));
    tables.put("ranks-classes", ranks(contest(false)));
    tables.put("duels-numbers", duels(contest(true), AVM, ALL));
    tables.put("ranks-numbers", ranks(contest(true)));
    tables.put("where-automatic-mode-loses", lost());
    tables.put("automatic-mode-without-a-part", ablation());
    tables.put("tables", errors(splits(), forTables));
    tables.put("tables-duels", duels(splits(), "avm-train", forTables));
    tables.put("published-accuracies", published());
    tables.put("mistakes-in-percent", errors(streams(false, r -> true), CORE));
    tables.put("rmse", errors(streams(true, r -> true), CORE));
    tables.put("slow-learners", errors(streams(false, r -> true), Contestant.names("slow")));
    tables.put("automatic-mode-in-detail", detail());
    return tables;
  }

  private PeerTable state() {
    double hours = fitting.stream().mapToDouble(Result::seconds).sum() / 3600;
    int blocks = streams(false, r -> true).blocks.size() + streams(true, r -> true).blocks.size();
    return new PeerTable("what, value")
        .add("versions of our learners", versions())
        .add("cells", fitting.size())
        .add("of these ours", count(ArenaTables::isOurs))
        .add("streams in their orders", blocks)
        .add("tables in their splits", splits().blocks.size())
        .add("cut by the limit of time", count(result -> result.cut() > 0))
        .add("failed", count(Result::hasFailed))
        .add("processor hours", hours);
  }

  /** Each version of ours with its learners. */
  private String versions() {
    Map<String, List<String>> learners = new LinkedHashMap<>();
    builds.forEach((name, b) -> learners.computeIfAbsent(b, key -> new ArrayList<>()).add(name));
    return learners.entrySet().stream()
        .map(one -> "`" + one.getKey() + "`: " + String.join(" ", one.getValue()))
        .collect(Collectors.joining("; "));
  }

  /** A learner against each of some others, on the streams on which both have results. */
  private static PeerTable duels(Standings standings, String one, List<String> others) {
    PeerTable table =
        new PeerTable("against, streams, won, lost, error ratio, worst, worst on, time ratio");
    for (String other : others) {
      List<Duel> duels = standings.duels(one, other);
      if (!other.equals(one) && !duels.isEmpty()) {
        long won = duels.stream().filter(duel -> duel.ratio() < 1).count();
        long lost = duels.stream().filter(duel -> duel.ratio() > 1).count();
        Duel worst = duels.get(duels.size() - 1);
        double error = Standings.median(duels, Duel::ratio);
        double time = Standings.median(duels, Duel::timeRatio);
        String where = worst.one().cell().block();
        table.add(other, duels.size(), won, lost, error, worst.ratio(), where, time);
      }
    }
    return table;
  }

  private static PeerTable ranks(Standings standings) {
    PeerTable table = new PeerTable("learner, mean rank, error to the best, µs a row");
    List<String> present = standings.present(CORE);
    Map<String, Double> ranks = standings.ranks(present);
    for (String name : ranks.keySet()) {
      List<Duel> duels = standings.againstTheBest(name, present);
      double micros = Standings.median(duels, duel -> duel.one().micros());
      table.add(name, ranks.get(name), Standings.median(duels, Duel::ratio), micros);
    }
    return table;
  }

  /** The streams on which another learner beats automatic mode, the worst first. */
  private PeerTable lost() {
    PeerTable table = new PeerTable("stream, automatic mode, best, its error, ratio");
    for (Duel duel : duels(standings -> standings.againstTheBest(AVM, ALL))) {
      Cell best = duel.other().cell();
      double error = duel.other().error();
      if (duel.ratio() > 1) {
        table.add(best.block(), duel.one().error(), best.learner(), error, duel.ratio());
      }
    }
    return table;
  }

  /** Duels of classification and of regression, the worst first. */
  private List<Duel> duels(Function<Standings, List<Duel>> of) {
    return Stream.of(contest(false), contest(true))
        .flatMap(standings -> of.apply(standings).stream())
        .sorted(Comparator.comparingDouble(Duel::ratio).reversed())
        .toList();
  }

  /** The effect of leaving out a part on error and time, by results of one version. */
  private PeerTable ablation() {
    PeerTable table = new PeerTable("without, streams, error, worst, worst on, best, time");
    for (String name : Contestant.names("without")) {
      List<Duel> duels = duels(standings -> standings.duels(name, AVM));
      boolean isSameVersion = Objects.equals(builds.get(name), builds.get(AVM));
      if (isSameVersion && !duels.isEmpty()) {
        Duel worst = duels.get(0);
        String part = name.substring("avm-without-".length()).replace('-', ' ');
        String error = percent(Standings.median(duels, Duel::ratio));
        String time = percent(Standings.median(duels, Duel::timeRatio));
        String most = percent(worst.ratio());
        String where = worst.one().cell().block();
        String least = percent(duels.get(duels.size() - 1).ratio());
        table.add(part, duels.size(), error, most, where, least, time);
      }
    }
    return table;
  }

  private static String percent(double ratio) {
    return "%+.1f %%".formatted(100 * (ratio - 1));
  }

  /** Learners side by side; the least error is bold, a cell that was cut has a star. */
  private static PeerTable errors(Standings standings, List<String> learners) {
    List<String> present =
        learners.stream().filter(one -> !standings.shared(List.of(one)).isEmpty()).toList();
    PeerTable table = new PeerTable("stream, rows, " + String.join(", ", present));
    standings.blocks.forEach(
        (name, block) -> {
          if (present.stream().anyMatch(block::containsKey)) {
            Result best = Standings.best(block, present);
            List<Object> row = new ArrayList<>(List.of(name, best.rows()));
            present.forEach(one -> row.add(shown(block.get(one), best)));
            table.add(row.toArray());
          }
        });
    return table;
  }

  private static String shown(Result result, Result best) {
    if (result == null) {
      return "";
    }
    String mark = result.cut() == 0 && result.error() == best.error() ? "**" : "";
    return mark + PeerTable.shown(result.error()) + mark + (result.cut() > 0 ? " *" : "");
  }

  /** Figures that others have published, beside the run of the same learner with the most rows. */
  private PeerTable published() {
    PeerTable table = new PeerTable("stream, learner, published, here, difference, rows");
    for (String words : Resource.plan("published")) {
      String[] word = words.split("/");
      Optional<Result> most =
          of(whole, word[1])
              .filter(r -> r.cell().block().equals(word[0]) && !r.hasFailed())
              .max(Comparator.comparingInt(Result::rows));
      if (most.isPresent()) {
        double there = Double.parseDouble(word[2]);
        double here = 100 - most.get().error();
        table.add(word[0], word[1], there, here, here - there, most.get().rows());
      }
    }
    return table;
  }

  /** Automatic mode in detail, with what its answers can be checked by. */
  private PeerTable detail() {
    PeerTable table =
        new PeerTable("stream, rows, error, to the rule, KappaM, KappaT, worst, µs, bytes, digest");
    for (Result r : of(fitting, AVM).filter(r -> !r.cell().isSplit()).toList()) {
      double rule = r.error() / r.rule();
      double m = r.kappa(r.constant());
      double t = r.kappa(r.noChange());
      String name = r.cell().block();
      String crc = "`" + r.digest() + "`";
      table.add(name, r.rows(), r.error(), rule, m, t, r.worst(), r.micros(), r.bytes(), crc);
    }
    return table;
  }
}
