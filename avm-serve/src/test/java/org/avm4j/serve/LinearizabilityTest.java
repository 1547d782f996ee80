package org.avm4j.serve;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.avm4j.data.Row;
import org.avm4j.serve.ServedRow.Purpose;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The queue of a learner, promotions, and what answers while versions are published and pinned, by
 * threads that Lincheck runs side by side or in turns: each result must be one that some order of
 * the operations gives.
 */
@Timeout(120)
@Tag("slow")
class LinearizabilityTest {
  private static final ModelSpec SPEC =
      ModelSpec.of(
          Map.of("task", "binary", "update", "sgd", "gamma", 2, "delta", 0.3, "lambda", 1e-4));

  private static void check(Class<?> operations) {
    new StressOptions()
        .iterations(5)
        .invocationsPerIteration(250)
        .threads(3)
        .actorsPerThread(3)
        .check(operations);
  }

  @Test
  void whatIsHandedToALearnerComesOnceAndInOrder() {
    check(Queue.class);
  }

  @Test
  void whoWaitsForARowIsToldWhenItIsPublished() {
    check(Publishing.class);
  }

  @Test
  void whatIsPinnedAnswersWhateverIsPublished() {
    check(Pinning.class);
  }

  /** The interleaving that this finds is too rare for threads that merely run side by side. */
  @Test
  void aLearnerThatIsPromotedTakesNoRowBeforeThoseThatItLacks() {
    new ModelCheckingOptions()
        .iterations(15)
        .invocationsPerIteration(300)
        .threads(2)
        .actorsBefore(1)
        .actorsPerThread(3)
        .actorsAfter(0)
        .check(Promotion.class);
  }

  private static ServedRow row(long i) {
    return new ServedRow(Row.named(Map.of("x", i % 2), i % 2), null, Purpose.LEARN, null);
  }

  /** Rows by the thread that commits, read tasks by any, and one thread that learns. */
  public static class Queue {
    private final Inbox inbox =
        new Inbox(null, 1, new LearnBacklog(), new LatestRows(), System::nanoTime);
    private long handed;
    private long learned;

    @Operation(nonParallelGroup = "committer")
    public void rows() {
      inbox.add(new RowStore.Batch(++handed, List.of(row(handed)), 1), new CompletableFuture<>());
    }

    @Operation
    public void read(@Param(gen = IntGen.class, conf = "1:3") int id) {
      inbox.add(new ReadTask<>(learning -> null, CompletableFuture.completedFuture(id)));
    }

    /** The number of a row, or that of a read task with a minus sign; 0 for nothing. */
    @Operation(nonParallelGroup = "learner")
    public long take() throws IOException {
      ModelTask next = inbox.next(learned);
      if (next == null) {
        return 0;
      }
      inbox.remove();
      if (next instanceof ReadTask<?> task) {
        return -((Number) task.done().join()).longValue();
      }
      learned = ((LearnTask) next).batch().last();
      return learned;
    }
  }

  /**
   * One thread commits rows, which go to another learner until this one is promoted; one takes what
   * is next. There is no store: an attempt to read from it stands for the row that is read.
   */
  public static class Promotion {
    private static final long READ = -1;

    private final Inbox inbox =
        new Inbox(null, 1, new LearnBacklog(), new LatestRows(), System::nanoTime);
    private boolean isLeader;
    private long written;

    @Operation(nonParallelGroup = "committer")
    public void rows() {
      written++;
      if (isLeader) {
        inbox.add(new RowStore.Batch(written, List.of(row(written)), 1), new CompletableFuture<>());
      }
    }

    @Operation(nonParallelGroup = "committer", runOnce = true)
    public void promote() {
      inbox.readTo(written);
      isLeader = true;
    }

    /** The row that a learner without any row takes, 0 for none. */
    @Operation(nonParallelGroup = "learner", runOnce = true)
    public long take() throws IOException {
      try {
        ModelTask next = inbox.next(0);
        return next == null ? 0 : next.first();
      } catch (NullPointerException noStore) {
        return READ;
      }
    }
  }

  /** One thread learns and publishes; others look, or wait for a row. */
  public static class Publishing {
    private final Learning learning = Learning.of(SPEC);
    private final Publisher publisher = new Publisher(SPEC, System::nanoTime);

    @Operation(nonParallelGroup = "learner")
    public void publish() {
      learning.take(row(learning.sequence()));
      publisher.publish(learning);
    }

    @Operation
    public long now() {
      return publisher.now().sequence();
    }

    /** Whether what answers has learned a row; if so, who waits for it must be told. */
    @Operation
    public boolean isPublished(@Param(gen = IntGen.class, conf = "1:3") int row) {
      CompletableFuture<Published> told = publisher.atLeast(row);
      return publisher.now().sequence() >= row && told.join().sequence() >= row;
    }
  }

  /** One thread learns and publishes, one pins and unpins, and others are answered. */
  public static class Pinning {
    private final Learning learning = Learning.of(SPEC);
    private final Publisher publisher = new Publisher(SPEC, System::nanoTime);
    private final ChampionSelector selector = new ChampionSelector(publisher);
    private final Published version = Published.of(learning, SPEC, 1);

    @Operation(nonParallelGroup = "learner")
    public void publish() {
      learning.take(row(learning.sequence()));
      publisher.publish(learning);
    }

    @Operation(nonParallelGroup = "committer")
    public void pin() {
      selector.pin(version);
    }

    @Operation(nonParallelGroup = "committer")
    public void unpin() {
      selector.pin(null);
    }

    /** The last row that what answers has learned, -1 for the version that is pinned. */
    @Operation
    public long answer() {
      Published now = selector.now();
      return now.version() > 0 ? -1 : now.sequence();
    }
  }
}
