package org.avm4j.serve;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.avm4j.Prediction;
import org.avm4j.Task;
import org.avm4j.data.Schema;

/** A task that learns the rows of a request, which are on disk. */
final class LearnTask implements ModelTask {
  private final RowStore.Batch batch;
  private final CompletableFuture<Outcome> learned;
  private final LatestRows latest;
  private final List<Answer> answers = new ArrayList<>();
  private final List<Refusal> refused = new ArrayList<>();
  private final LongSupplier nanoTime;
  private final long since;
  private int next;

  /**
   * The result of learning rows.
   *
   * @param answers the answers from before each row was learned, null for a row that was refused;
   *     empty if none were asked for
   * @param refused the rows that were not learned, in their order
   */
  record Outcome(List<Answer> answers, List<Refusal> refused) {
    static final Outcome NONE = new Outcome(List.of(), List.of());
  }

  /**
   * A task of which no row is learned yet.
   *
   * @param learned completes when they are learned, exceptionally if the learner fails first
   * @param nanoTime the clock that measures turns
   */
  LearnTask(
      RowStore.Batch batch,
      CompletableFuture<Outcome> learned,
      LatestRows latest,
      LongSupplier nanoTime) {
    this.batch = batch;
    this.learned = learned;
    this.latest = latest;
    this.nanoTime = nanoTime;
    since = nanoTime.getAsLong();
  }

  RowStore.Batch batch() {
    return batch;
  }

  @Override
  public void run(LearningActor actor, long end) {
    actor.learn(this, end);
  }

  @Override
  public long first() {
    return batch.first();
  }

  @Override
  public long bytes() {
    return batch.bytes();
  }

  @Override
  public int taken() {
    return next;
  }

  @Override
  public double waited() {
    return (nanoTime.getAsLong() - since) / 1e9;
  }

  /** The number of rows that are still to be learned. */
  int left() {
    return batch.rows().size() - next;
  }

  /**
   * Learns at least one row, and more until all are learned or the turn ends.
   *
   * @return the number of rows that were learned, without refused ones
   */
  int learn(Learning learning, long end) {
    int before = next - refused.size();
    do {
      learnNext(learning);
    } while (left() > 0 && nanoTime.getAsLong() < end);
    return next - refused.size() - before;
  }

  private void learnNext(Learning learning) {
    ServedRow row = batch.rows().get(next);
    Learning.Taken taken = learning.take(row);
    Answer answer = answer(learning, taken.answer(), row.id());
    if (row.purpose() == ServedRow.Purpose.OBSERVE) {
      answers.add(answer);
    }
    if (taken.refusal() != null) {
      refused.add(taken.refusal());
    } else if (left() <= LatestRows.KEPT) {
      latest.add(batch.first() + next, row, shown(learning, row, answer));
    }
    next++;
  }

  private static Answer answer(Learning learning, Prediction answer, String id) {
    Task task = learning.pipeline().task();
    Schema schema = learning.pipeline().preparation().schema();
    return answer == null
        ? null
        : Answer.of(answer, task, schema, Answer.classes(answer.classes(), task, schema), id);
  }

  private static Object shown(Learning learning, ServedRow row, Answer answer) {
    if (answer != null) {
      return answer.label();
    }
    return row.pastAnswer() == null
        ? null
        : Answer.label(
            row.pastAnswer().label(),
            learning.pipeline().task(),
            learning.pipeline().preparation().schema());
  }

  void complete() {
    learned.complete(new Outcome(answers, refused));
  }

  /** Reports a failure to the caller; the rows are learned again from the first one later. */
  @Override
  public boolean abort(Problem problem) {
    learned.completeExceptionally(problem);
    answers.clear();
    refused.clear();
    next = 0;
    return false;
  }
}
