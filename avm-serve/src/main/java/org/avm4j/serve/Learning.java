package org.avm4j.serve;

import java.util.Map;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.codec.Savable;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.RowCheck;
import org.avm4j.pipeline.RowLearner;
import org.avm4j.pipeline.RowLimits;

/**
 * The state of a learner that is derived from its rows: the pipeline, its figures, and the number
 * of the last row. The same rows in the same order give the same bits. Only one thread at a time
 * may use it.
 *
 * <p>In the store, kind {@code avm-served}: section {@code progress} with the sequence number of
 * the last row (8), the number of refused rows (8) and why the last was refused (text); section
 * {@code pipeline}; section {@code board}; section {@code refusals} if rows were refused; section
 * {@code drift} if drift is watched.
 */
final class Learning implements Savable {
  private static final String KIND = "avm-served";

  private final Pipeline pipeline;
  private final RowLimits limits;
  private final RowLearner rows;
  private final Scoreboard board;
  private final Refusals refusals;
  private final RiseWatch drift;
  private final long learner;
  private long sequence;

  private Learning(
      Pipeline pipeline,
      RowLimits limits,
      Scoreboard board,
      Refusals refusals,
      RiseWatch drift,
      long learner,
      long sequence) {
    this.learner = learner;
    this.pipeline = pipeline;
    this.limits = limits;
    this.board = board;
    this.refusals = refusals;
    this.drift = drift;
    this.sequence = sequence;
    rows = new RowLearner(pipeline, limits);
  }

  /** An untrained learner, the first of a new model. */
  static Learning of(ModelSpec spec) {
    return of(spec, 0, 0);
  }

  /**
   * An untrained learner.
   *
   * @param learner its number within the model
   * @param begun the last row before the first that it learns
   */
  static Learning of(ModelSpec spec, long learner, long begun) {
    return of(spec.pipeline(), spec, learner, begun);
  }

  /** A new model that starts with a trained pipeline. */
  static Learning of(Pipeline pipeline, ModelSpec spec) {
    return of(pipeline, spec, 0, 0);
  }

  private static Learning of(Pipeline pipeline, ModelSpec spec, long learner, long begun) {
    return new Learning(
        pipeline,
        spec.limits(),
        new Scoreboard(),
        new Refusals(),
        spec.watchesDrift() ? new RiseWatch(pipeline.preparation().schema()) : null,
        learner,
        begun);
  }

  Pipeline pipeline() {
    return pipeline;
  }

  /** Checks rows against the present state of the learner. */
  RowCheck check() {
    return RowCheck.of(pipeline, limits);
  }

  /** The number of the learner within its model. */
  long learner() {
    return learner;
  }

  Scoreboard board() {
    return board;
  }

  /** The sequence number of the last row that was learned or refused. */
  long sequence() {
    return sequence;
  }

  /** The rises of the error, with what changed; null if drift is not watched. */
  RiseWatch.Rises rises() {
    return drift == null ? null : drift.rises();
  }

  Refusals.Counted refused() {
    return refusals.counted();
  }

  /**
   * The result of a row.
   *
   * @param answer the answer from before it was learned; null if it was not answered
   * @param refusal why it was not learned, null if it was
   */
  record Taken(Prediction answer, Refusal refusal) {}

  /**
   * Learns the next row, or counts it as refused. Any exception of the learner is a refusal, so
   * that a row on disk cannot keep a service from starting.
   */
  Taken take(ServedRow row) {
    sequence++;
    try {
      return new Taken(learn(row), null);
    } catch (RuntimeException thrown) {
      Refusal refusal = Refusal.of(sequence, thrown);
      refusals.add(refusal);
      return new Taken(null, refusal);
    }
  }

  /**
   * Learns a row. An observed row is answered first; so is a row that another learner answered when
   * it arrived, because that answer says nothing about this learner.
   */
  private Prediction learn(ServedRow row) {
    boolean isByAnother = row.pastAnswer() != null && row.pastAnswer().learner() != learner;
    boolean isAnswered = row.purpose() == ServedRow.Purpose.OBSERVE || isByAnother;
    RowLearner.Learned learned =
        isAnswered ? rows.answerAndLearn(row.row()) : rows.learn(row.row());
    Prediction answer = learned.answer();
    if (row.row().label() == null && !pipeline.task().isUnsupervised()) {
      return answer;
    }
    if (answer != null) {
      judge(row, learned.label(), answer.label(), answer.scores());
    } else if (row.pastAnswer() != null) {
      judge(row, learned.label(), row.pastAnswer().label(), row.pastAnswer().scores());
    }
    return answer;
  }

  private void judge(ServedRow row, double label, double answer, double[] scores) {
    board.add(pipeline, label, answer, scores);
    if (drift != null) {
      drift.add(row.row(), label, answer, pipeline.task().isRegression());
    }
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    Refusals.Counted refused = refused();
    out.section(
        "progress",
        section -> {
          section.int64(sequence);
          section.int64(refused.total());
          section.text(refused.lastSentence());
        });
    out.section("pipeline", pipeline::encode);
    out.section("board", board::encode);
    if (refused.total() > 0) {
      out.section("refusals", refusals::encode);
    }
    out.optional("drift", drift, RiseWatch::encode);
  }

  private record Progress(long sequence, Refusals refusals) {
    static Progress decode(Decoder in) throws ModelFileException {
      long sequence = in.count("the rows");
      return new Progress(sequence, Refusals.earlier(in.count("the refused rows"), in.text()));
    }
  }

  private static Learning decode(Decoder in, ModelSpec spec, long learner)
      throws ModelFileException {
    Progress progress = in.section("progress", Progress::decode);
    Pipeline pipeline = in.section("pipeline", Pipeline::decode);
    Scoreboard board = in.section("board", Scoreboard::decode);
    Refusals refusals = in.optional("refusals", Refusals::decode).orElse(progress.refusals);
    Schema names = pipeline.preparation().schema();
    RiseWatch none = spec.watchesDrift() ? new RiseWatch(names) : null;
    RiseWatch drift = in.optional("drift", part -> RiseWatch.decode(part, names)).orElse(none);
    return new Learning(
        pipeline, spec.limits(), board, refusals, drift, learner, progress.sequence);
  }

  /**
   * The state that a snapshot holds.
   *
   * @param learner the number of the learner within its model
   */
  static Learning fromBytes(byte[] bytes, ModelSpec spec, long learner) throws ModelFileException {
    return ModelFile.parse(bytes).read(Map.of(KIND, in -> decode(in, spec, learner)));
  }
}
