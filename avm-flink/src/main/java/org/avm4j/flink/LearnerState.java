package org.avm4j.flink;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.RowLearner;
import org.avm4j.pipeline.RowLimits;

/**
 * The learner of a key as Flink keeps it: on the heap while it is used, and as its own bytes after
 * a restore until the first row of its key, and in snapshots.
 *
 * <p>The heap backend hands a snapshot the very object, and asks for a copy when its key is used
 * next. The copy takes the learner over and leaves its bytes behind, so that a learner is encoded
 * when a snapshot needs it and never decoded again while the job runs. The snapshot thread and the
 * task thread share only these methods, which are therefore synchronized.
 */
@TypeInfo(ValueTypeFactory.class)
final class LearnerState {
  private byte[] bytes;
  private RowLearner learner;
  private long instances;
  private long known;
  private long drifts;

  private LearnerState(byte[] bytes, RowLearner learner, long instances) {
    this.bytes = bytes;
    this.learner = learner;
    this.instances = instances;
  }

  /** A learner on the heap. */
  static LearnerState of(Pipeline pipeline) {
    return new LearnerState(null, rows(pipeline), pipeline.status().instances());
  }

  /** A learner that is decoded when it is first asked for. */
  static LearnerState ofBytes(byte[] bytes, long instances) {
    return new LearnerState(bytes, null, instances);
  }

  private static RowLearner rows(Pipeline pipeline) {
    return new RowLearner(pipeline, RowLimits.SHARED);
  }

  /** The learner; the caller may change it. */
  synchronized RowLearner learner() {
    if (learner == null) {
      learner = rows(decode(bytes));
    }
    bytes = null;
    return learner;
  }

  /** The row learner of the {@link #learner}; the caller may change it. */
  Pipeline pipeline() {
    return learner().pipeline();
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
    return bytes == null ? learner.pipeline().toBytes() : bytes;
  }

  /** A state of its own with the same learner; this one keeps the bytes. */
  synchronized LearnerState takeOver() {
    if (learner == null) {
      return ofBytes(bytes, instances);
    }
    bytes = toBytes();
    LearnerState copy = new LearnerState(null, learner, instances);
    copy.known = known;
    copy.drifts = drifts;
    learner = null;
    return copy;
  }

  /** Whether the learner is on the heap. */
  synchronized boolean isDecoded() {
    return learner != null;
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
