package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The benchmarks of learning and scoring, timed by the processor time of the thread, because the
 * wall-clock times of JMH are unreliable on a shared machine. All are measured in turn, for several
 * rounds; the first warms up and does not count.
 */
final class Pieces {
  private static final int ROUNDS = 5;
  private static final long NANOS = 100_000_000;

  private final PeerTable table = new PeerTable("piece, data, nanos, least, most, bytes");
  private final List<Piece> pieces = new ArrayList<>();

  /** One thing to measure, with what was measured. */
  private record Piece(String name, String data, Runnable step, double[] nanos, double[] bytes) {}

  static void main(String[] words) throws IOException {
    Arguments arguments = new Arguments(words, List.of("data", "out"));
    String data = arguments.text("data", "a9a-like,ijcnn1-like,covtype-like");
    Path folder = Path.of(arguments.text("out", "avm-bench/target/pieces"));
    measure(List.of(data.split(",")), Workload.GENERATED).publish(folder, "pieces");
  }

  static PeerTable measure(List<String> names, int rows) {
    Pieces all = new Pieces();
    ExpBenchmark exp = new ExpBenchmark();
    exp.n = 500;
    exp.setUp();
    all.add("exp of 500", "", exp::ours);
    all.add("Math.exp of 500", "", exp::math);
    for (String name : names) {
      all.add("score", name, score(name, rows)::one);
      all.add("learn sgd", name, learn(name, "sgd", rows)::learn);
      all.add("learn newton", name, learn(name, "newton", rows)::learn);
    }
    return all.measured();
  }

  private static ScoreBenchmark score(String name, int rows) {
    ScoreBenchmark benchmark = new ScoreBenchmark();
    benchmark.data = name;
    benchmark.rows = rows;
    benchmark.setUp();
    return benchmark;
  }

  private static LearnBenchmark learn(String name, String update, int rows) {
    LearnBenchmark benchmark = new LearnBenchmark();
    benchmark.data = name;
    benchmark.update = update;
    benchmark.rows = rows;
    benchmark.setUp();
    return benchmark;
  }

  private void add(String name, String data, Runnable step) {
    pieces.add(new Piece(name, data, step, new double[ROUNDS], new double[ROUNDS]));
  }

  private PeerTable measured() {
    for (int round = -1; round < ROUNDS; round++) {
      for (Piece piece : pieces) {
        measure(piece, Math.max(0, round));
      }
    }
    for (Piece piece : pieces) {
      Sample nanos = new Sample(piece.nanos);
      table.add(piece.name, piece.data, nanos, new Sample(piece.bytes).median());
    }
    return table;
  }

  private static void measure(Piece piece, int round) {
    long bytes = Cpu.allocated();
    long start = Cpu.nanos();
    long spent = 0;
    long steps = 0;
    while (spent < NANOS) {
      for (int i = 0; i < 500; i++) {
        piece.step.run();
      }
      steps += 500;
      spent = Cpu.nanos() - start;
    }
    piece.nanos[round] = (double) spent / steps;
    piece.bytes[round] = (double) (Cpu.allocated() - bytes) / steps;
  }
}
