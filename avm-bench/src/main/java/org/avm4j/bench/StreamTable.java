package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.AutoOptions;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.LibsvmReader;

/**
 * Automatic mode and learners of MOA on streams that change: files in the order of their rows, and
 * streams of MOA's generators. All get the same rows; each runs in a thread of its own, which does
 * all its work.
 */
final class StreamTable {
  private static final int WINDOWS = 50;

  private final String name;
  private final List<Instance> rows;
  private final double limit;

  /** What one run gave; the error of each window is in percent. */
  record Turn(String method, int rows, double error, double micros, List<Double> windows) {}

  private StreamTable(String name, List<Instance> rows, double limit) {
    this.name = name;
    this.rows = rows;
    this.limit = limit;
  }

  static void main(String[] words) throws IOException {
    Arguments arguments = new Arguments(words, List.of("data", "rows", "limit", "methods", "out"));
    Path folder = Path.of(arguments.text("out", "avm-bench/target/streams"));
    PeerTable table = new PeerTable("stream", "method", "rows", "errorPercent", "microseconds");
    PeerTable parts = new PeerTable("stream", "method", "part", "errorPercent");
    List<String> methods = List.of(arguments.text("methods", "all").split(","));
    for (String name : arguments.text("data", "elec,covtype,generated").split(",")) {
      for (String one : name.equals("generated") ? DriftingStreams.names() : List.of(name)) {
        List<Instance> rows = rows(one, arguments.number("rows", 50_000));
        List<Turn> turns =
            new StreamTable(one, rows, arguments.number("limit", 600)).measure(methods);
        for (Turn turn : turns) {
          table.add(one, turn.method, turn.rows, turn.error, turn.micros);
          for (int i = 0; i < turn.windows.size(); i++) {
            parts.add(one, turn.method, i + 1, turn.windows.get(i));
          }
        }
        Plots.windows(turns, one, folder);
        Files.writeString(folder.resolve("streams.csv"), table.csv());
        Files.writeString(folder.resolve("streams-parts.csv"), parts.csv());
      }
    }
    table.publish(folder, "streams");
  }

  private static List<Instance> rows(String name, int most) throws IOException {
    if (DriftingStreams.names().contains(name)) {
      return DriftingStreams.rows(name, most);
    }
    String folder = System.getenv("AVM_DATA");
    Path file = folder == null ? null : Path.of(folder, name + ".libsvm.gz");
    if (file == null || !Files.exists(file)) {
      throw new IllegalArgumentException(
          "AVM_DATA must name a folder with %s.libsvm.gz, or the stream be one of %s: %s"
              .formatted(name, DriftingStreams.names(), folder));
    }
    List<Instance> rows = new ArrayList<>();
    try (InstanceReader reader = LibsvmReader.open(file)) {
      while (rows.size() < most && reader.next()) {
        rows.add(new Instance(reader.features().copy(), reader.label()));
      }
    }
    return rows;
  }

  private List<Turn> measure(List<String> asked) {
    Workload workload = Workload.of(name, rows);
    Moa moa = new Moa(workload);
    Map<String, Supplier<Rival>> all = new LinkedHashMap<>();
    all.put("avm", () -> Ours.learning(workload, new AutoAvm()));
    all.put("avm-change-none", () -> Ours.learning(workload, new AutoAvm(withoutChange())));
    all.put("no-change", this::noChange);
    all.put("HoeffdingAdaptiveTree", moa::adaptiveTree);
    all.put("AdaptiveRandomForest-10", () -> moa.forest(10));
    all.put("LeveragingBag", moa::leveragingBag);
    all.put("StreamingRandomPatches-10", () -> moa.randomPatches(10));
    all.put("SAMkNN", moa::selfAdjustingNeighbours);
    all.put("AdaptiveRandomForest-100", () -> moa.forest(100));
    List<Turn> turns = new ArrayList<>();
    all.forEach(
        (method, start) -> {
          if (asked.contains("all") || asked.contains(method)) {
            turns.add(turn(method, start));
          }
        });
    return turns;
  }

  /** Automatic mode that never forgets. */
  private static AutoOptions withoutChange() {
    AutoOptions all = AutoOptions.all();
    EnumSet<AutoOptions.Choice> free = EnumSet.allOf(AutoOptions.Choice.class);
    free.remove(AutoOptions.Choice.CHANGE);
    return new AutoOptions(all.base(), all.scaling(), free);
  }

  private Rival noChange() {
    return Ours.contender(t -> t > 0 && rows.get(t).label() == rows.get(t - 1).label(), () -> 1);
  }

  private Turn turn(String method, Supplier<Rival> start) {
    ForkJoinPool one = new ForkJoinPool(1);
    try {
      Turn turn = one.submit(() -> turnHere(method, start.get())).join();
      System.err.printf(
          Locale.ROOT,
          "%s: %s: %.3f %% of %,d rows, %.0f µs an instance%n",
          name,
          method,
          turn.error,
          turn.rows,
          turn.micros);
      return turn;
    } finally {
      one.shutdown();
    }
  }

  private Turn turnHere(String method, Rival rival) {
    int window = Math.max(1, rows.size() / WINDOWS);
    List<Double> windows = new ArrayList<>();
    long begin = Cpu.nanos();
    double end = begin + limit * 1e9;
    int mistakes = 0;
    int inWindow = 0;
    int t = 0;
    while (t < rows.size() && (t % 256 != 0 || Cpu.nanos() < end)) {
      int wrong = rival.step(t++) ? 0 : 1;
      mistakes += wrong;
      inWindow += wrong;
      if (t % window == 0) {
        windows.add(100.0 * inWindow / window);
        inWindow = 0;
      }
    }
    double micros = (Cpu.nanos() - begin) / 1e3 / t;
    return new Turn(method, t, 100.0 * mistakes / t, micros, windows);
  }
}
