package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The command that runs all learners on all streams under the same rules. */
final class Arena {
  private static final int ENDLESS = 1_000_000;

  private final Arguments arguments;
  private final Streams streams;
  private final int rows;

  private Arena(Arguments arguments) {
    this.arguments = arguments;
    String folder = arguments.text("data", System.getenv("AVM_DATA"));
    streams = new Streams(folder == null ? null : Path.of(folder));
    if (folder == null) {
      System.err.println("AVM_DATA and --data name no folder: only generated streams are known");
    }
    int usual = arguments.has("quick") ? 5000 : 50_000;
    rows = arguments.has("all") ? Integer.MAX_VALUE : arguments.number("rows", usual);
  }

  static void main(String[] words) throws Exception {
    String help = Resource.text("help.txt");
    Arguments arguments = new Arguments(words, options(help, "[A-Z]"), options(help, " "));
    if (arguments.has("help")) {
      System.out.print(help);
    } else {
      new Arena(arguments).run();
    }
  }

  /** The options that the help lists, with a value or without one. */
  private static List<String> options(String help, String next) {
    return Pattern.compile("(?m)^  --([a-z]+) " + next)
        .matcher(help)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private void run() throws Exception {
    Path file = Path.of(arguments.text("results", "docs/research/arena/results.csv"));
    Set<String> unread = Set.of();
    if (!arguments.has("report")) {
      Collection<Cell> cells = cells();
      try (ResultFile results = new ResultFile(file)) {
        unread = new ArenaRun(streams, results, limits()).run(cells);
      }
    }
    ArenaReport report = new ArenaReport(ResultFile.read(file).values(), rows);
    report.write(Path.of(arguments.text("out", "avm-bench/target/arena")));
    if (arguments.has("publish")) {
      report.publish(Path.of("docs", "research"));
    }
    if (!unread.isEmpty()) {
      throw new IllegalArgumentException("these streams could not be read: " + unread);
    }
  }

  private ArenaRun.Limits limits() {
    boolean isTiming = arguments.has("timing");
    boolean isAll = arguments.has("all");
    int cores = isTiming ? 1 : Runtime.getRuntime().availableProcessors();
    int seconds = arguments.number("seconds", isAll ? ENDLESS : 60);
    int minutes = arguments.number("minutes", isAll ? ENDLESS : 600);
    return new ArenaRun.Limits(seconds, minutes, arguments.number("threads", cores), isTiming);
  }

  private Collection<Cell> cells() throws IOException {
    List<Integer> delays = arguments.numbers("delay", 0);
    List<Integer> labels = arguments.numbers("labels", 100);
    if (delays.size() > 1) {
      throw new IllegalArgumentException("--delay must be one number: " + delays);
    }
    int delay = delays.get(0);
    Collection<Cell> chosen = chosen();
    return labels.stream()
        .flatMap(share -> chosen.stream().map(cell -> cell.with(delay, share)))
        .toList();
  }

  private Collection<Cell> chosen() throws IOException {
    CellPlan plan = new CellPlan(streams, rows);
    List<String> learners = arguments.list("learners", Contestant.names("yardstick", "core"));
    learners.forEach(Contestant::named);
    Set<Cell> cells = new LinkedHashSet<>();
    if (arguments.has("plan")) {
      String name = arguments.text("plan", "");
      if (arguments.has("streams") || arguments.has("orders")) {
        throw new IllegalArgumentException("--plan has its own streams and orders");
      }
      if (Resource.plan(name + "-learners").isEmpty()) {
        throw new IllegalArgumentException("--plan must be one of plan.txt: " + name);
      }
      return plan.cross(
          cells,
          CellPlan.shuffled(Resource.plan(name), arguments.number("shuffles", 3)),
          arguments.list("learners", Resource.plan(name + "-learners")));
    }
    if (Stream.of("streams", "learners", "orders").anyMatch(arguments::has)) {
      List<String> names = arguments.list("streams", streams.all());
      names.forEach(streams::check);
      for (String order : arguments.list("orders", List.of(Streams.FILE))) {
        Streams.checkOrder(order);
        plan.cross(cells, CellPlan.ordered(names, order), learners);
      }
      return cells;
    }
    int shuffles = arguments.number("shuffles", 3);
    return arguments.has("quick")
        ? plan.cross(cells, Resource.plan("quick"), learners)
        : plan.whole(shuffles, arguments.number("splits", 5), arguments.has("all"));
  }
}
