package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.avm4j.data.Instance;
import org.avm4j.lab.paper.Catalogue;
import org.avm4j.lab.paper.Contender;
import org.avm4j.lab.paper.DataFolder;
import org.avm4j.lab.paper.DataSet;
import org.avm4j.lab.paper.Samples;
import org.avm4j.lab.paper.Settings;
import org.avm4j.lab.paper.SettingsTable;

/**
 * Prequential error against processor seconds: one machine and trees of several sizes, automatic
 * mode, baselines of the paper with the settings of its tables, and trees of MOA, all on the same
 * rows in the same order. Each runs in a thread of its own, which does all its work, and has
 * learned a few thousand rows before, so that its code is compiled.
 */
final class Tradeoff {
  private static final int WARM_UP = 3000;
  private static final int[] MACHINES = {100, 200, 500};
  private static final int[] TREES = {32, 64, 128, 256};
  private static final int FOREST = 10;
  private static final List<Contender> OTHERS =
      List.of(Contender.FOGD, Contender.NOGD, Contender.BOGD, Contender.BSGD_M);

  private final DataSet set;
  private final List<Instance> rows;
  private final long trainingRows;
  private final double limit;

  /** What one run gave: percent of mistakes and processor seconds over its rows. */
  record Turn(String method, String settings, int rows, double error, int size, double seconds) {}

  private Tradeoff(DataSet set, Samples samples, int most, double limit) {
    this.set = set;
    List<Instance> all = Samples.shuffled(samples.all(), 1);
    rows = all.subList(0, Math.min(most, all.size()));
    trainingRows = samples.train().size();
    this.limit = limit;
  }

  static void main(String[] words) throws IOException {
    Arguments arguments = new Arguments(words, List.of("data", "rows", "limit", "out"));
    Path folder = Path.of(arguments.text("out", "avm-bench/target/tradeoff"));
    String data = System.getenv("AVM_DATA");
    DataFolder files = new DataFolder(data == null ? null : Path.of(data));
    PeerTable table =
        new PeerTable(
            "data", "method", "settings", "rows", "errorPercent", "size", "processorSeconds");
    for (String name : arguments.text("data", "ijcnn1,covtype,cod-rna").split(",")) {
      DataSet set = Catalogue.standard().named(name);
      Tradeoff tradeoff =
          new Tradeoff(
              set,
              files.load(set),
              arguments.number("rows", Integer.MAX_VALUE),
              arguments.number("limit", 600));
      List<Turn> turns = tradeoff.measure();
      turns.forEach(turn -> add(table, name, turn));
      Plots.tradeoff(turns.stream().filter(tradeoff::isWhole).toList(), name, folder);
    }
    table.publish(folder, "tradeoff");
  }

  private static void add(PeerTable table, String data, Turn turn) {
    table.add(data, turn.method, turn.settings, turn.rows, turn.error, turn.size, turn.seconds);
  }

  private boolean isWhole(Turn turn) {
    return turn.rows == rows.size();
  }

  private List<Turn> measure() {
    List<Turn> turns = new ArrayList<>();
    for (int cap : MACHINES) {
      addIfKnown(turns, Contender.AVM_NEWTON, Settings.NONE.with("cap", cap));
    }
    for (int size : TREES) {
      addIfKnown(turns, Contender.AVM_TREE, Settings.NONE.with("size", size));
    }
    addIfKnown(turns, Contender.AVM_AUTO, Settings.NONE);
    OTHERS.forEach(other -> addIfKnown(turns, other, Settings.NONE));
    Moa moa = new Moa(Workload.of(set.name(), rows));
    turns.add(turn("MOA HoeffdingTree", "", moa::tree));
    turns.add(turn("MOA AdaptiveRandomForest", FOREST + " trees", () -> moa.forest(FOREST)));
    return turns;
  }

  private void addIfKnown(List<Turn> turns, Contender contender, Settings variant) {
    SettingsTable.standard()
        .find(set, contender)
        .map(found -> set.settings().with(found).with(variant).only(contender.keys()))
        .ifPresent(settings -> turns.add(turn(contender, settings)));
  }

  private Turn turn(Contender contender, Settings settings) {
    Workload workload = Workload.of(set.name(), rows);
    return turn(
        contender.label(),
        settings.toString(),
        () -> Ours.learning(workload, contender.online(set.task(), settings, trainingRows, 1)));
  }

  private Turn turn(String method, String settings, Supplier<Rival> start) {
    ForkJoinPool one = new ForkJoinPool(1);
    try {
      Turn turn = one.submit(() -> turnHere(method, settings, start)).join();
      System.err.printf(
          Locale.ROOT,
          "%s: %s %s: %.3f %% of %,d rows in %.1f s%n",
          set.name(),
          method,
          settings,
          turn.error,
          turn.rows,
          turn.seconds);
      return turn;
    } finally {
      one.shutdown();
    }
  }

  private Turn turnHere(String method, String settings, Supplier<Rival> start) {
    Rival warm = start.get();
    for (int t = 0; t < Math.min(WARM_UP, rows.size()); t++) {
      warm.step(t);
    }
    Rival rival = start.get();
    long begin = Cpu.nanos();
    double end = begin + limit * 1e9;
    int mistakes = 0;
    int t = 0;
    while (t < rows.size() && (t % 256 != 0 || Cpu.nanos() < end)) {
      mistakes += rival.step(t++) ? 0 : 1;
    }
    double seconds = (Cpu.nanos() - begin) / 1e9;
    return new Turn(method, settings, t, 100.0 * mistakes / t, rival.size(), seconds);
  }
}
