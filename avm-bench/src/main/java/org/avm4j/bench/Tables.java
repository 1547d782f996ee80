package org.avm4j.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.avm4j.data.Instance;
import org.avm4j.lab.paper.Samples;

/**
 * {@code avm train} without flags and XGBoost on tables: both learn the same random four fifths of
 * the rows and answer the rest. Seconds are elapsed and of all processors, from a file of the rows
 * to a model for ours, from rows in memory to a model for XGBoost.
 */
final class Tables {
  private static final int FIFTHS = 5;

  private final Boosting boosting;
  private final int splits;
  private final List<String> methods;
  private final PeerTable turns =
      new PeerTable("data", "method", "split", "measure", "error", "seconds", "processorSeconds");

  /** What one method made of one split; the error is in percent or an RMSE. */
  record Turn(double error, double seconds, double processor) {
    /** The mean of several. */
    static Turn mean(List<Turn> turns) {
      return new Turn(
          turns.stream().mapToDouble(Turn::error).average().orElse(Double.NaN),
          turns.stream().mapToDouble(Turn::seconds).average().orElse(Double.NaN),
          turns.stream().mapToDouble(Turn::processor).average().orElse(Double.NaN));
    }
  }

  /** Learns rows, and says what it answers to others. */
  interface Method {
    double[] answers(List<Instance> train, List<Instance> test) throws Exception;
  }

  private Tables(Boosting boosting, int splits, List<String> methods) {
    this.boosting = boosting;
    this.splits = splits;
    this.methods = methods;
  }

  static void main(String[] words) throws Exception {
    Arguments arguments =
        new Arguments(
            words, List.of("data", "rows", "splits", "rounds", "threads", "methods", "out"));
    int threads = arguments.number("threads", Runtime.getRuntime().availableProcessors());
    Tables tables =
        new Tables(
            new Boosting(arguments.number("rounds", 400), threads),
            arguments.number("splits", 5),
            List.of(arguments.text("methods", "avm,xgboost").split(",")));
    String names = arguments.text("data", String.join(",", TableRows.names()));
    PeerTable summary =
        tables.measure(List.of(names.split(",")), arguments.number("rows", Integer.MAX_VALUE));
    System.out.print(summary.markdown());
    tables.turns.write(Path.of(arguments.text("out", "avm-bench/target/tables")), "tables");
  }

  /** One line a data set, the means over the splits. */
  private PeerTable measure(List<String> names, int most) throws Exception {
    PeerTable summary =
        new PeerTable(
            "data",
            "rows",
            "measure",
            "avm train",
            "XGBoost",
            "ratio",
            "avm s",
            "avm processor s",
            "XGBoost s",
            "XGBoost processor s");
    for (String name : names) {
      List<Instance> rows = TableRows.of(name, most);
      TableTask task = TableTask.of(rows);
      Turn ours = turn("avm", name, rows, task, TrainedFile::answers);
      Turn theirs =
          turn("xgboost", name, rows, task, (train, test) -> boosting.answers(task, train, test));
      summary.add(
          name,
          rows.size(),
          task.measure(),
          ours.error,
          theirs.error,
          ours.error / theirs.error,
          ours.seconds,
          ours.processor,
          theirs.seconds,
          theirs.processor);
    }
    return summary;
  }

  private Turn turn(String method, String name, List<Instance> rows, TableTask task, Method learner)
      throws Exception {
    List<Turn> all = new ArrayList<>();
    for (int split = 1; split <= splits && methods.contains(method); split++) {
      Turn turn = turn(Samples.shuffled(rows, split), task, learner);
      all.add(turn);
      turns.add(name, method, split, task.measure(), turn.error, turn.seconds, turn.processor);
      System.err.printf(
          Locale.ROOT,
          "%s: %s, split %d: %.5g %s, %.1f s elapsed, %.1f s of processors%n",
          name,
          method,
          split,
          turn.error,
          task.measure(),
          turn.seconds,
          turn.processor);
    }
    return Turn.mean(all);
  }

  private static Turn turn(List<Instance> mixed, TableTask task, Method learner) throws Exception {
    int held = Math.max(1, mixed.size() / FIFTHS);
    List<Instance> train = mixed.subList(held, mixed.size());
    List<Instance> test = mixed.subList(0, held);
    long elapsed = System.nanoTime();
    long processor = Cpu.processNanos();
    double[] answers = learner.answers(train, test);
    double seconds = (System.nanoTime() - elapsed) / 1e9;
    return new Turn(task.error(test, answers), seconds, (Cpu.processNanos() - processor) / 1e9);
  }
}
