package org.avm4j.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The tables of few labels, asking, intervals and clusters. Of several versions of a learner the
 * last result counts; figures are means over the orders of a stream.
 */
final class FurtherTables {
  private static final String AVM = "avm";
  private static final String ONLY = "avm-labels-only";
  private static final String ASK = "avm-ask";
  private static final String CLUSTER = "avm-cluster";

  private final Map<Cell, Result> latest = new LinkedHashMap<>();
  private final Map<String, Map<String, Double>> ratios = new LinkedHashMap<>();

  FurtherTables(Collection<Result> results) {
    for (Result one : results) {
      Cell c = one.cell();
      if (!one.hasFailed() && one.cut() == 0 && c.delay() == 0) {
        latest.put(new Cell(c.stream(), c.order(), c.most(), c.learner(), 0, c.labels(), ""), one);
      }
    }
  }

  /** All tables, in the order of the page. */
  Map<String, PeerTable> all() {
    Map<String, PeerTable> tables = new LinkedHashMap<>();
    tables.put("few-labels", few());
    tables.put("asking", asking());
    tables.put("intervals-90", intervals("-90"));
    tables.put("intervals-95", intervals("-95"));
    tables.put("clusters", clusters());
    tables.put("further-duels", duels());
    return tables;
  }

  /** The results of a learner on a stream, one for each order. */
  private Stream<Result> of(Cell at, String learner) {
    return latest.values().stream()
        .filter(r -> r.cell().learner().equals(learner) && at.equals(stream(r.cell())));
  }

  /** A cell without order and learner. */
  private static Cell stream(Cell c) {
    return new Cell(c.stream(), "", c.most(), "", 0, c.labels(), "");
  }

  private double mean(Cell at, String learner, ToDoubleFunction<Result> measure) {
    return of(at, learner).mapToDouble(measure).average().orElse(Double.NaN);
  }

  private double error(Cell at, String learner) {
    return mean(at, learner, Result::error);
  }

  private double more(Cell at, String learner, String measure) {
    return mean(at, learner, r -> r.more().getOrDefault(measure, Double.NaN));
  }

  /** The streams on which all of some learners have results, by name and share of labels. */
  private List<Cell> streams(String... learners) {
    return latest.keySet().stream()
        .map(FurtherTables::stream)
        .distinct()
        .filter(at -> Stream.of(learners).allMatch(one -> of(at, one).findAny().isPresent()))
        .sorted(Comparator.comparing(Cell::stream).thenComparing(Cell::labels))
        .toList();
  }

  /** Name, rows and number of orders of a stream, which a row of a table begins with. */
  private List<Object> row(Cell at, String learner) {
    int rows = (int) mean(at, learner, Result::rows);
    return new ArrayList<>(List.of(at.stream(), rows, of(at, learner).count()));
  }

  /** The learner of a group, ours excepted, that has the most of a measure. */
  private String best(Cell at, String group, String ending, ToDoubleFunction<String> measure) {
    return Contestant.names(group).stream()
        .filter(one -> one.endsWith(ending) && !Contestant.named(one).isOurs())
        .filter(one -> of(at, one).findAny().isPresent())
        .max(Comparator.comparingDouble(measure))
        .orElse("");
  }

  private void compare(String what, String where, double ours, double theirs) {
    ratios.computeIfAbsent(what, any -> new LinkedHashMap<>()).put(where, ours / theirs);
  }

  private PeerTable few() {
    List<String> others = List.of(ONLY, "ARF-10", "ARF-10-self-training");
    String columns = "stream, rows, orders, labels, %s, %s, %s, %s, with all labels, gap closed";
    PeerTable table =
        new PeerTable(columns.formatted(AVM, others.get(0), others.get(1), others.get(2)));
    for (Cell at : streams(AVM, ONLY, others.get(1), others.get(2))) {
      double least = error(at.with(0, 100), AVM);
      double gap = error(at, ONLY) - least;
      List<Object> row = row(at, AVM);
      row.add(at.labels() + " %");
      row.add(error(at, AVM));
      others.forEach(other -> row.add(error(at, other)));
      row.add(least);
      row.add("%.0f %%".formatted(100 * (error(at, ONLY) - error(at, AVM)) / gap));
      if (at.labels() < 100) {
        table.add(row.toArray());
        String where = at.stream() + " " + at.labels() + " %";
        others.forEach(one -> compare("few labels: " + one, where, error(at, AVM), error(at, one)));
      }
    }
    return table;
  }

  private PeerTable asking() {
    PeerTable table = new PeerTable("stream, rows, orders, asked, at random, ratio, labels");
    for (Cell at : streams(ASK, AVM)) {
      List<Object> row = row(at, ASK);
      row.add(error(at, ASK));
      row.add(error(at, AVM));
      row.add(error(at, ASK) / error(at, AVM));
      row.add("%.2f %%".formatted(more(at, ASK, "labels")));
      table.add(row.toArray());
      compare("asking: labels drawn at random", at.stream(), error(at, ASK), error(at, AVM));
    }
    return table;
  }

  /** Ours beside the narrowest of MOA's at equal coverage. */
  private PeerTable intervals(String level) {
    String figures = "coverage, worst window, width, at equal coverage";
    PeerTable table =
        new PeerTable("stream, rows, orders, " + figures + ", narrowest of MOA, " + figures);
    String ours = "avm-interval" + level;
    for (Cell at : streams(ours)) {
      List<Object> row = row(at, ours);
      String best = best(at, "interval", level, one -> -more(at, one, "equal"));
      for (String one : List.of(ours, best)) {
        Stream.of("coverage", "window", "width", "equal").forEach(m -> row.add(more(at, one, m)));
      }
      row.add(7, best);
      table.add(row.toArray());
      String what = "width of intervals" + level + ": the narrowest of MOA";
      compare(what, at.stream(), more(at, ours, "equal"), more(at, best, "equal"));
    }
    return table;
  }

  private PeerTable clusters() {
    PeerTable table =
        new PeerTable(
            "stream, rows, orders, ARI, NMI, purity, NMI with --forget 1000, purity with --forget"
                + " 1000, best NMI of MOA, by, best purity of MOA, by");
    for (Cell at : streams(CLUSTER)) {
      List<Object> row = row(at, CLUSTER);
      row.add(more(at, CLUSTER, "ari"));
      for (String one : List.of(CLUSTER, CLUSTER + "-1000")) {
        Stream.of("nmi", "purity").forEach(m -> row.add(more(at, one, m)));
      }
      for (String measure : List.of("nmi", "purity")) {
        String best = best(at, "cluster", "", one -> more(at, one, measure));
        row.add(more(at, best, measure));
        row.add(best);
      }
      table.add(row.toArray());
    }
    return table;
  }

  /** Ratios of ours to others, below 1 where ours is better. */
  private PeerTable duels() {
    PeerTable table =
        new PeerTable("ours against, cells, lower, higher, median ratio, worst, worst on");
    ratios.forEach(
        (what, some) -> {
          List<Map.Entry<String, Double>> sorted = new ArrayList<>(some.entrySet());
          sorted.sort(Map.Entry.comparingByValue());
          int n = sorted.size();
          Map.Entry<String, Double> worst = sorted.get(n - 1);
          double median = Standings.median(sorted, Map.Entry::getValue);
          long lower = some.values().stream().filter(ratio -> ratio < 1).count();
          long higher = some.values().stream().filter(ratio -> ratio > 1).count();
          table.add(what, n, lower, higher, median, worst.getValue(), worst.getKey());
        });
    return table;
  }
}
