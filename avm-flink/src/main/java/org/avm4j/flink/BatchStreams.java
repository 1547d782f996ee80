package org.avm4j.flink;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.functions.MapPartitionFunction;
import org.apache.flink.api.common.functions.RichMapPartitionFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.Collector;
import org.avm4j.AvmModel;
import org.avm4j.Features;
import org.avm4j.batch.BatchNewton;
import org.avm4j.data.Row;

/**
 * Exact batch training over partitions, in a few passes: each subtask sums over its rows, one
 * subtask adds the sums, and the client solves. Apart from rounding, the result does not depend on
 * the parallelism.
 */
public final class BatchStreams {
  /** Maximum number of bytes in a record; Flink limits the size of messages. */
  private static final int CHUNK = 1 << 19;

  private BatchStreams() {}

  /** A bounded stream that is read once in each pass. */
  @FunctionalInterface
  public interface Source {
    /** Indexed rows with prepared features and labels; must be the same in each pass. */
    DataStream<AvmRow> rows(StreamExecutionEnvironment env) throws IOException;
  }

  /** Creates the environment of a pass. */
  @FunctionalInterface
  public interface Environments {
    /** A new environment. */
    StreamExecutionEnvironment next();
  }

  /**
   * Trains on all rows of a source.
   *
   * @param batch must have covered a sample that contains all classes
   * @param passes the maximum number of passes over the rows
   */
  public static AvmModel train(
      BatchNewton batch, Source source, Environments environments, int passes) throws Exception {
    for (int pass = 1; pass <= passes; pass++) {
      BatchNewton.Sums sums = pass(batch, source, environments.next(), pass);
      if (batch.solve(sums)) {
        break;
      }
    }
    return batch.model();
  }

  private static BatchNewton.Sums pass(
      BatchNewton batch, Source source, StreamExecutionEnvironment env, int number)
      throws Exception {
    env.setRuntimeMode(RuntimeExecutionMode.BATCH);
    byte[] part = batch.toPart();
    DataStream<ModelUpdate> sums =
        source
            .rows(env)
            .fullWindowPartition()
            .mapPartition(new Summing(part))
            .returns(new ValueType<>(ModelUpdate.class))
            .name("sum")
            .global()
            .fullWindowPartition()
            .mapPartition(new Adding(part))
            .returns(new ValueType<>(ModelUpdate.class))
            .setParallelism(1)
            .name("add");
    Chunks all = new Chunks();
    CloseableIterator<ModelUpdate> results = sums.executeAndCollect("avm batch, pass " + number);
    results.forEachRemaining(all::add);
    results.close();
    return batch.sums(all.join("sums"));
  }

  /** Sums up the rows of a subtask. */
  private static final class Summing extends RichMapPartitionFunction<AvmRow, ModelUpdate> {
    private static final long serialVersionUID = 1L;

    private final byte[] part;

    Summing(byte[] part) {
      this.part = part;
    }

    @Override
    public void mapPartition(Iterable<AvmRow> rows, Collector<ModelUpdate> out) throws IOException {
      BatchNewton.Sums sums = BatchNewton.part(part).sums();
      for (AvmRow row : rows) {
        Features x = ((Row.Indexed) row.values()).features();
        sums.add(x, (Double) row.label());
      }
      int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
      Chunks.send(String.format("%08d", subtask), sums.toBytes(), out);
    }
  }

  /** Adds the sums of all subtasks, in the order of their numbers. */
  private static final class Adding implements MapPartitionFunction<ModelUpdate, ModelUpdate> {
    private static final long serialVersionUID = 1L;

    private final byte[] part;

    Adding(byte[] part) {
      this.part = part;
    }

    @Override
    public void mapPartition(Iterable<ModelUpdate> sums, Collector<ModelUpdate> out)
        throws IOException {
      BatchNewton batch = BatchNewton.part(part);
      Chunks all = new Chunks();
      sums.forEach(all::add);
      Iterator<String> subtasks = all.names().iterator();
      BatchNewton.Sums total = batch.sums(all.join(subtasks.next()));
      while (subtasks.hasNext()) {
        total.merge(batch.sums(all.join(subtasks.next())));
      }
      Chunks.send("sums", total.toBytes(), out);
    }
  }

  /** Splits long byte arrays into records, and joins them again. */
  private static final class Chunks implements Serializable {
    private static final long serialVersionUID = 1L;

    private final TreeMap<String, TreeMap<Integer, byte[]>> pieces = new TreeMap<>();

    static void send(String name, byte[] bytes, Collector<ModelUpdate> out) {
      for (int from = 0; from < bytes.length; from += CHUNK) {
        byte[] piece = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + CHUNK));
        out.collect(new ModelUpdate(name, Integer.toString(from), piece));
      }
    }

    void add(ModelUpdate piece) {
      pieces
          .computeIfAbsent(piece.key(), name -> new TreeMap<>())
          .put(Integer.parseInt(piece.version()), piece.bytes());
    }

    Iterable<String> names() {
      return pieces.keySet();
    }

    byte[] join(String name) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (Map.Entry<Integer, byte[]> piece : pieces.get(name).entrySet()) {
        bytes.writeBytes(piece.getValue());
      }
      return bytes.toByteArray();
    }
  }
}
