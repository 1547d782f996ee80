package org.avm4j.export;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.PreparedModel;

/**
 * Compares the time that ONNX Runtime takes for a row with that of the library, one thread each.
 * The two take turns, so that both see the same load of the machine. {@code ./avm-export/agreement
 * --speed} runs it.
 */
final class ExportSpeed {
  /** Rows of a batch. */
  static final int BATCH = 1000;

  /** Rows that are asked one by one, the same in every turn. */
  private static final int SINGLES = 200;

  /** Turns before the first that counts: both compilers have then seen enough. */
  private static final int WARM_UP = 5;

  /** Turns that count; their median is told. */
  private static final int TURNS = 21;

  /**
   * Microseconds a row.
   *
   * @param ours of the library
   * @param theirs of ONNX Runtime
   */
  record Times(double ours, double theirs) {
    double ratio() {
      return theirs / ours;
    }
  }

  /** Answers all rows of a turn. */
  private interface Turn {
    void run() throws OrtException;
  }

  private final PreparedModel model;
  private final Runtime runtime;
  private final List<Features> rows;

  /** Keeps the compiler from leaving out the scores. */
  private double sum;

  private ExportSpeed(PreparedModel model, Runtime runtime, List<Features> rows) {
    this.model = model;
    this.runtime = runtime;
    this.rows = rows;
  }

  /** The times for single rows, and for batches. */
  static List<Times> of(PreparedModel frozen, List<Features> asked, int turns) throws OrtException {
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(frozen))) {
      ExportSpeed speed = new ExportSpeed(frozen.detached(), runtime, asked);
      return List.of(speed.singles(turns), speed.batches(turns));
    }
  }

  private Times singles(int turns) throws OrtException {
    List<Features> some = rows.subList(0, Math.min(SINGLES, rows.size()));
    List<OnnxTensor> tensors = new ArrayList<>();
    for (Features x : some) {
      tensors.add(runtime.tensor(List.of(x)));
    }
    Times times = times(some, tensors, turns);
    tensors.forEach(OnnxTensor::close);
    return times;
  }

  private Times batches(int turns) throws OrtException {
    List<Features> some = rows.subList(0, Math.min(BATCH, rows.size()));
    try (OnnxTensor all = runtime.tensor(some)) {
      return times(some, List.of(all), turns);
    }
  }

  private Times times(List<Features> some, List<OnnxTensor> tensors, int turns)
      throws OrtException {
    double[] ours = new double[turns];
    double[] theirs = new double[turns];
    for (int turn = -WARM_UP; turn < turns; turn++) {
      double first = micros(() -> score(some)) / some.size();
      double second = micros(() -> run(tensors)) / some.size();
      if (turn >= 0) {
        ours[turn] = first;
        theirs[turn] = second;
      }
    }
    return new Times(median(ours), median(theirs));
  }

  private void score(List<Features> some) {
    for (Features x : some) {
      sum += model.score(x)[0];
    }
  }

  private void run(List<OnnxTensor> tensors) throws OrtException {
    for (OnnxTensor x : tensors) {
      try (OrtSession.Result result = runtime.session().run(Map.of("x", x))) {
        sum += result.size();
      }
    }
  }

  /** Microseconds of a call that only hands its row back: ONNX Runtime takes no less. */
  private static double leastMicros(int width) throws OrtException {
    Graph graph = new Graph();
    graph.input("x", Graph.DOUBLE, width, "");
    graph.output("y", "x", Graph.DOUBLE, width, "");
    byte[] onnx = OnnxExport.modelOf(graph).build().toByteArray();
    try (Runtime runtime = new Runtime(onnx);
        OnnxTensor x = runtime.tensor(List.of(Features.dense(1)))) {
      ExportSpeed speed = new ExportSpeed(null, runtime, List.of());
      double[] all = new double[TURNS];
      for (int turn = -WARM_UP; turn < TURNS; turn++) {
        double time = micros(() -> speed.run(Collections.nCopies(SINGLES, x))) / SINGLES;
        all[Math.max(0, turn)] = time;
      }
      return median(all);
    }
  }

  private static double micros(Turn turn) throws OrtException {
    long start = System.nanoTime();
    turn.run();
    return (System.nanoTime() - start) / 1e3;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private static String line(String set, ExportAgreement.Kind kind, int points, List<Times> all) {
    StringBuilder line = new StringBuilder();
    line.append("| %s | %s | %,d |".formatted(set, kind.word(), points));
    for (Times times : all) {
      String part = " %.1f | %.1f | %.2f |";
      line.append(String.format(Locale.ROOT, part, times.ours, times.theirs, times.ratio()));
    }
    return line.toString();
  }

  /** Arguments: the rows to learn, and the names of sets in AVM_DATA. */
  public static void main(String[] args) throws Exception {
    int learned = Integer.parseInt(args[0]);
    System.out.println(
        "| data set | model | points | one row: ours, µs | ONNX Runtime, µs | ratio |"
            + " batches: ours, µs a row | ONNX Runtime, µs a row | ratio |");
    System.out.println("|---|---|---|---|---|---|---|---|---|");
    for (String name : Arrays.asList(args).subList(1, args.length)) {
      List<Instance> rows = Streams.data(name, 0, learned + BATCH);
      int first = rows.size() - BATCH;
      List<Features> rest =
          rows.subList(first, rows.size()).stream().map(Instance::features).toList();
      for (ExportAgreement.Kind kind : ExportAgreement.Kind.values()) {
        PreparedModel model = kind.learned(rows.subList(0, first));
        List<Times> times = of(model, rest, TURNS);
        System.out.println(line(name, kind, model.detached().status().size(), times));
      }
    }
    String least = "A call of ONNX Runtime that only hands its row back takes %.1f µs.";
    System.out.println(least.formatted(leastMicros(10)));
  }
}
