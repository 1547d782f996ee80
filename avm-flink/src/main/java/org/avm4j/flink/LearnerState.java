package org.avm4j.flink;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Pipeline;

/**
 * The learner of a key as Flink keeps it: on the heap while it is used, and as its own bytes after
 * a restore until the first row of its key, and in snapshots.
 *
 * <p>The heap backend hands a snapshot the very object, and asks for a copy when its key is used
 * next. The copy takes the learner over and leaves its bytes behind, so that a learner is encoded
 * when a snapshot needs it and never decoded again while the job runs. The thread of the snapshot
 * and that of the task meet in these methods only, so they are synchronized.
 */
@TypeInfo(ValueTypeFactory.class)
final class LearnerState {
  private byte[] bytes;
  private Pipeline pipeline;
  private RowEncoder rows;
  private RowEncoder answeredRows;
  private long instances;
  private long known;
  private long drifts;

  private LearnerState(byte[] bytes, Pipeline pipeline, long instances) {
    this.bytes = bytes;
    this.pipeline = pipeline;
    this.instances = instances;
  }

  /** A learner on the heap. */
  static LearnerState of(Pipeline pipeline) {
    return new LearnerState(null, pipeline, pipeline.status().instances());
  }

  /** A learner that is decoded when it is first asked for. */
  static LearnerState ofBytes(byte[] bytes, long instances) {
    return new LearnerState(bytes, null, instances);
  }

  /** The learner; whoever asks may change it. */
  synchronized Pipeline pipeline() {
    if (pipeline == null) {
      pipeline = decode(bytes);
    }
    bytes = null;
    return pipeline;
  }

  /** What makes features of rows; whoever asks may change the names that the learner knows. */
  synchronized RowEncoder rows() {
    if (rows == null) {
      rows = new RowEncoder(pipeline().preparation().schema(), Missing.MEAN);
    }
    return rows;
  }

  /** What makes features of rows that are only answered: it leaves out what is unknown. */
  synchronized RowEncoder answeredRows() {
    if (answeredRows == null) {
      Schema known = pipeline().preparation().schema().frozen();
      answeredRows = new RowEncoder(known, Missing.MEAN);
    }
    return answeredRows;
  }

  /** How many rows the learner has learned. */
  long instances() {
    return instances;
  }

  /** Counts a row that the learner has learned; returns how many there are now. */
  long learned() {
    return ++instances;
  }

  /** The learner's own bytes. */
  synchronized byte[] toBytes() {
    return bytes == null ? pipeline.toBytes() : bytes;
  }

  /** A state of its own with the same learner; this one keeps the bytes. */
  synchronized LearnerState takeOver() {
    if (pipeline == null) {
      return ofBytes(bytes, instances);
    }
    bytes = toBytes();
    LearnerState copy = new LearnerState(null, pipeline, instances);
    copy.rows = rows;
    copy.answeredRows = answeredRows;
    copy.known = known;
    copy.drifts = drifts;
    pipeline = null;
    rows = null;
    answeredRows = null;
    return copy;
  }

  /** Whether the learner is on the heap. */
  synchronized boolean isDecoded() {
    return pipeline != null;
  }

  /** Remembers how many bytes the metrics count for this learner; returns the change. */
  long count(long size) {
    long change = size - known;
    known = size;
    return change;
  }

  /** Remembers how many drifts the metrics count for this learner; returns the change. */
  long countDrifts(long now) {
    long change = now - drifts;
    drifts = now;
    return change;
  }

  /** The learner of a model file; one without preparation gets an empty one. */
  static Pipeline decode(byte[] bytes) {
    try {
      return Pipeline.fromBytes(bytes);
    } catch (IOException damaged) {
      throw new UncheckedIOException(damaged);
    }
  }
}
