package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.avm4j.Avm;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;

/**
 * A learner over a stream that is never kept: what a step costs, what is allocated and what the
 * heap holds, for each tenth. Rows are generated between the measurements, so only learning is
 * timed.
 */
final class LongRun {
  private static final int BLOCK = 2000;
  private static final int TENTHS = 10;

  private final Instance[] block = new Instance[BLOCK];
  private final Likeness stream;
  private final SplitMix random = new SplitMix(1);
  private final Avm avm;

  private LongRun(String name, String update) {
    Workload workload = Workload.of(name, 1);
    stream = Likeness.named(name);
    avm = new Avm(LearnBenchmark.options(workload, update));
  }

  static void main(String[] words) throws IOException {
    Arguments arguments = new Arguments(words, List.of("data", "update", "instances", "out"));
    String name = arguments.text("data", "covtype-like");
    String update = arguments.text("update", "sgd");
    PeerTable table = measure(name, update, arguments.number("instances", 5_000_000));
    Path folder = Path.of(arguments.text("out", "avm-bench/target/long"));
    table.publish(folder, "long-" + name + "-" + update);
    System.out.printf(
        Locale.ROOT,
        "last tenth over the tenth after saturation: %.3f%nmost memory allowed: %,d MB%n",
        lastOverSaturated(table),
        Runtime.getRuntime().maxMemory() >> 20);
  }

  static PeerTable measure(String name, String update, int instances) {
    LongRun run = new LongRun(name, update);
    PeerTable table =
        new PeerTable("data, update, instances, nanos, bytesAllocated, size, heapBytes");
    for (int tenth = 0; tenth < TENTHS; tenth++) {
      int blocks = Math.max(1, instances / TENTHS / BLOCK);
      long nanos = 0;
      long bytes = 0;
      for (int b = 0; b < blocks; b++) {
        run.generate();
        long allocated = Cpu.allocated();
        long start = Cpu.nanos();
        run.learn();
        nanos += Cpu.nanos() - start;
        bytes += Cpu.allocated() - allocated;
      }
      Arrays.fill(run.block, null);
      double rows = (double) blocks * BLOCK;
      long t = run.avm.instances();
      int size = run.avm.size();
      table.add(name, update, t, nanos / rows, bytes / rows, size, Cpu.used());
      System.err.printf(Locale.ROOT, "%,d: %.0f ns%n", t, nanos / rows);
    }
    return table;
  }

  private void generate() {
    for (int t = 0; t < BLOCK; t++) {
      block[t] = stream.next(random);
    }
  }

  private void learn() {
    for (Instance row : block) {
      avm.learn(row.features(), row.label());
    }
  }

  /** The first tenth that ends with 95 % of the vectors is that of saturation. */
  static double lastOverSaturated(PeerTable table) {
    List<Object> sizes = table.column("size");
    List<Object> nanos = table.column("nanos");
    int saturation = 0;
    while ((Integer) sizes.get(saturation) < 0.95 * (Integer) sizes.get(TENTHS - 1)) {
      saturation++;
    }
    int after = Math.min(TENTHS - 1, saturation + 1);
    return (Double) nanos.get(TENTHS - 1) / (Double) nanos.get(after);
  }
}
