package org.avm4j.flink;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.RowLearner;
import org.avm4j.pipeline.RowLimits;

/**
 * The learner of a key as Flink state: an object on the heap while it is used; bytes in snapshots,
 * and after a restore until the first row of its key.
 *
 * <p>The heap backend gives the object itself to a snapshot, and requests a copy when the key is
 * used next. The copy takes over the learner, and its bytes stay in the original. So a learner is
 * encoded only for a snapshot, and never decoded again while the job runs. The snapshot thread and
 * the task thread share only these methods, which are therefore synchronized.
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

  static LearnerState of(Pipeline pipeline) {
    return new LearnerState(null, rows(pipeline), pipeline.status().instances());
  }

  /** A learner that is decoded on first use. */
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

  /** The pipeline of the {@link #learner}; the caller may change it. */
  Pipeline pipeline() {
    return learner().pipeline();
  }

  /** The number of rows that the learner has learned. */
  long instances() {
    return instances;
  }

  /** Counts a learned row; returns the new number. */
  long learned() {
    return ++instances;
  }

  synchronized byte[] toBytes() {
    return bytes == null ? learner.pipeline().toBytes() : bytes;
  }

  /** A new state that takes over the learner; this one keeps its bytes. */
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

  synchronized boolean isDecoded() {
    return learner != null;
  }

  /** Sets the number of bytes that the metrics count for this learner; returns the change. */
  long count(long size) {
    long change = size - known;
    known = size;
    return change;
  }

  /** Sets the number of drifts that the metrics count for this learner; returns the change. */
  long countDrifts(long now) {
    long change = now - drifts;
    drifts = now;
    return change;
  }

  /** Decodes the learner of a model file; a learner without a preparation gets an empty one. */
  static Pipeline decode(byte[] bytes) {
    try {
      return Pipeline.fromBytes(bytes);
    } catch (IOException damaged) {
      throw new UncheckedIOException(damaged);
    }
  }
}
