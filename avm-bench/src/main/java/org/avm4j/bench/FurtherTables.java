package org.avm4j.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The tables of few labels, asking, intervals and clusters. Of several versions of a learner the
 * last result counts; figures are means over the orders of a stream.
 */
final class FurtherTables {
  private static final String AVM = "avm";
  private static final int[] SHARES = {1, 5, 10};
  private static final int ASKED = 5;
  private static final List<String> INTERVALS = Contestant.names("interval");
  private static final List<String> CLUSTERERS =
      Contestant.names("cluster").stream().filter(c -> !Contestant.named(c).isOurs()).toList();

  private final Map<Cell, Result> latest = new LinkedHashMap<>();
  private final PeerTable duels =
      new PeerTable("what, against, cells, lower, higher, median ratio, worst, worst on");

  FurtherTables(Collection<Result> results) {
    for (Result one : results) {
      Cell c = one.cell();
      if (!one.hasFailed() && one.cut() == 0) {
        latest.put(new Cell(c.stream(), c.order(), c.most(), c.learner(), 0, c.labels(), ""), one);
      }
    }
  }

  /** All tables, in the order of the page. */
  Map<String, PeerTable> all() {
    Map<String, PeerTable> tables = new LinkedHashMap<>();
    tables.put("few-labels", few());
    tables.put("asking", asking());
    tables.put("intervals-90", intervals(90));
    tables.put("intervals-95", intervals(95));
    tables.put("clusters", clusters());
    tables.put("further-duels", duels);
    return tables;
  }

  /** A stream cut to a number of rows, a share of its labels, and whose results it has. */
  private final class Block {
    private final List<Result> results;

    Block(String stream, int most, int labels) {
      results =
          latest.values().stream()
              .filter(r -> r.cell().stream().equals(stream))
              .filter(r -> r.cell().most() == most && r.cell().labels() == labels)
              .toList();
    }

    private Stream<Result> of(String learner) {
      return results.stream().filter(r -> r.cell().learner().equals(learner));
    }

    boolean has(String... learners) {
      return Stream.of(learners).allMatch(one -> of(one).findAny().isPresent());
    }

    double mean(String learner, ToDoubleFunction<Result> measure) {
      return of(learner).mapToDouble(measure).average().orElse(Double.NaN);
    }

    double error(String learner) {
      return mean(learner, Result::error);
    }

    double more(String learner, String measure) {
      return mean(learner, r -> r.more().getOrDefault(measure, Double.NaN));
    }

    Object orders() {
      return results.stream().map(r -> r.cell().order()).distinct().count();
    }

    /** The learner with the least of a measure. */
    String best(List<String> learners, ToDoubleFunction<String> measure) {
      return learners.stream()
          .filter(this::has)
          .min(Comparator.comparingDouble(measure))
          .orElse("");
    }
  }

  /** A ratio of ours to theirs. */
  private record Ratio(String where, double value) {}

  private void tell(String what, String against, List<Ratio> ratios) {
    if (!ratios.isEmpty()) {
      List<Ratio> sorted = new ArrayList<>(ratios);
      sorted.sort(Comparator.comparingDouble(Ratio::value));
      int n = sorted.size();
      double median = (sorted.get(n / 2).value() + sorted.get((n - 1) / 2).value()) / 2;
      long lower = sorted.stream().filter(one -> one.value() < 1).count();
      long higher = sorted.stream().filter(one -> one.value() > 1).count();
      Ratio worst = sorted.get(n - 1);
      duels.add(what, against, n, lower, higher, median, worst.value(), worst.where());
    }
  }

  /** The streams of which a learner has results with a share of labels, each as stream and rows. */
  private Collection<Map.Entry<String, Integer>> streams(String learner, int labels) {
    Collection<Map.Entry<String, Integer>> found =
        new TreeSet<>(
            Map.Entry.<String, Integer>comparingByKey()
                .thenComparing(Map.Entry.comparingByValue()));
    latest.keySet().stream()
        .filter(c -> c.learner().equals(learner) && c.labels() == labels)
        .forEach(c -> found.add(Map.entry(c.stream(), c.most())));
    return found;
  }

  private PeerTable few() {
    String only = "avm-labels-only";
    String self = "ARF-10-self-training";
    PeerTable table =
        new PeerTable(
            "stream, labels, orders, labels only, with observe, all labels, gap closed, ARF-10,"
                + " ARF-10 self-training");
    Map<String, List<Ratio>> ratios = new LinkedHashMap<>();
    for (Map.Entry<String, Integer> stream : streams(only, SHARES[0])) {
      for (int share : SHARES) {
        Block block = new Block(stream.getKey(), stream.getValue(), share);
        if (block.has(AVM, only, "ARF-10", self)) {
          double ours = block.error(AVM);
          double least = new Block(stream.getKey(), stream.getValue(), 100).error(AVM);
          double closed = (block.error(only) - ours) / (block.error(only) - least);
          String where = stream.getKey() + " " + share + " %";
          table.add(
              stream.getKey(),
              share + " %",
              block.orders(),
              block.error(only),
              ours,
              least,
              "%.0f %%".formatted(100 * closed),
              block.error("ARF-10"),
              block.error(self));
          for (String other : List.of(only, "ARF-10", self)) {
            ratios
                .computeIfAbsent(other, any -> new ArrayList<>())
                .add(new Ratio(where, ours / block.error(other)));
          }
        }
      }
    }
    ratios.forEach((other, some) -> tell("few labels", other, some));
    return table;
  }

  private PeerTable asking() {
    PeerTable table = new PeerTable("stream, rows, orders, asked, at random, ratio, labels");
    List<Ratio> ratios = new ArrayList<>();
    for (Map.Entry<String, Integer> stream : streams("avm-ask", ASKED)) {
      Block block = new Block(stream.getKey(), stream.getValue(), ASKED);
      if (block.has(AVM) && block.error(AVM) > 0) {
        double asked = block.error("avm-ask");
        double ratio = asked / block.error(AVM);
        String labels = "%.2f %%".formatted(block.more("avm-ask", "labels"));
        int rows = (int) block.mean("avm-ask", Result::rows);
        table.add(stream.getKey(), rows, block.orders(), asked, block.error(AVM), ratio, labels);
        ratios.add(new Ratio(stream.getKey(), ratio));
      }
    }
    tell("asking", "labels drawn at random", ratios);
    return table;
  }

  /** Ours beside the narrowest of MOA's at equal coverage. */
  private PeerTable intervals(int percent) {
    String ours = "avm-interval-" + percent;
    List<String> others =
        INTERVALS.stream().filter(one -> one.endsWith("-" + percent) && !one.equals(ours)).toList();
    PeerTable table =
        new PeerTable(
            "stream, coverage, worst window, width, at equal coverage, narrowest of MOA, coverage,"
                + " worst window, width, at equal coverage");
    List<Ratio> ratios = new ArrayList<>();
    for (Map.Entry<String, Integer> stream : streams(ours, 100)) {
      Block block = new Block(stream.getKey(), stream.getValue(), 100);
      String best = block.best(others, one -> block.more(one, "equal"));
      if (!best.isEmpty()) {
        List<Object> row = new ArrayList<>(List.of(stream.getKey()));
        for (String one : List.of(ours, best)) {
          Stream.of("coverage", "window", "width", "equal")
              .forEach(name -> row.add(block.more(one, name)));
        }
        row.add(5, best.substring(0, best.length() - 3));
        table.add(row.toArray());
        double ratio = block.more(ours, "equal") / block.more(best, "equal");
        ratios.add(new Ratio(stream.getKey(), ratio));
      }
    }
    tell("width at " + percent + " %", "the narrowest of MOA", ratios);
    return table;
  }

  private PeerTable clusters() {
    PeerTable table =
        new PeerTable(
            "stream, rows, orders, ARI, NMI, purity, NMI with --forget 1000, purity, best NMI of"
                + " MOA, by, best purity, by");
    for (Map.Entry<String, Integer> stream : streams("avm-cluster", 100)) {
      Block block = new Block(stream.getKey(), stream.getValue(), 100);
      List<Object> row =
          new ArrayList<>(List.of(stream.getKey(), (int) block.mean("avm-cluster", Result::rows)));
      row.add(block.orders());
      Stream.of("ari", "nmi", "purity").forEach(name -> row.add(block.more("avm-cluster", name)));
      for (String name : List.of("nmi", "purity")) {
        row.add(block.more("avm-cluster-1000", name));
      }
      for (String name : List.of("nmi", "purity")) {
        String best = block.best(CLUSTERERS, one -> -block.more(one, name));
        row.add(block.more(best, name));
        row.add(best);
      }
      table.add(row.toArray());
    }
    return table;
  }
}
