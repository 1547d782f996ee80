package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.avm4j.data.Row;
import org.avm4j.serve.ServedRow.Purpose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InboxTest {
  @TempDir Path folder;
  private final LearnBacklog total = new LearnBacklog();

  private static List<ServedRow> rows(int n) {
    List<ServedRow> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      rows.add(new ServedRow(Row.named(Map.of("x", i), 1L), null, Purpose.LEARN, null));
    }
    return rows;
  }

  /** Takes all that is there, a request at a time, and returns the first row of each. */
  private static List<Long> taken(Inbox inbox, long learned) throws IOException {
    List<Long> first = new ArrayList<>();
    long last = learned;
    for (ModelTask next = inbox.next(last); next != null; next = inbox.next(last)) {
      if (next instanceof LearnTask rows) {
        first.add(rows.batch().first());
        inbox.learned(rows.left());
        last = rows.batch().last();
      } else {
        first.add(-last);
      }
      inbox.remove();
    }
    assertThat(inbox.isDone(last)).isTrue();
    return first;
  }

  @Test
  void eachRowComesOnceFromTheStoreOrFromWhoHandsItOver() throws IOException {
    try (Store store = Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC())) {
      long model = store.create("m", "{}", null).join().id();
      Inbox inbox = new Inbox(store.rows(), model, total, new LatestRows(), System::nanoTime);
      List<RowStore.Batch> batches = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        store.rows().append(model, null, rows(3), batches::add).join();
      }
      inbox.readTo(3);
      inbox.add(batches.get(1), new CompletableFuture<>());
      inbox.add(new ReadTask<>(learning -> null, new CompletableFuture<>()));
      inbox.add(batches.get(2), new CompletableFuture<>());
      inbox.readTo(15);
      inbox.readTo(9);
      inbox.add(new ReadTask<>(learning -> null, new CompletableFuture<>()));
      inbox.add(batches.get(5), new CompletableFuture<>());
      assertThat(taken(inbox, 0)).containsExactly(1L, 4L, -6L, 7L, 10L, 13L, -15L, 16L);
      assertThat(inbox.backlog()).isZero();
      assertThat(total.bytes()).isZero();
      inbox.readTo(19);
      assertThatThrownBy(() -> inbox.next(18)).hasMessageContaining("row 19 is not in the store");
    }
  }

  @Test
  void afterAFailureRowsAreReadAgainAndThoseHandedOverWait() throws IOException {
    try (Store store = Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC())) {
      long model = store.create("m", "{}", null).join().id();
      Inbox inbox = new Inbox(store.rows(), model, total, new LatestRows(), System::nanoTime);
      List<RowStore.Batch> batches = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        store.rows().append(model, null, rows(3), batches::add).join();
      }
      inbox.readTo(3);
      inbox.add(batches.get(1), new CompletableFuture<>());
      ModelTask next = inbox.next(0);
      Learning learning = Learning.of(ModelSpec.parse("{}"));
      ((LearnTask) next).learn(learning, Long.MIN_VALUE);
      inbox.learned(1);
      inbox.abort(new Problem(500, "injected"));
      assertThat(inbox.backlog()).isEqualTo(3);
      assertThat(taken(inbox, 0)).containsExactly(1L, 4L);
      assertThat(inbox.backlog()).isZero();
      assertThat(total.bytes()).isZero();
    }
  }

  @Test
  void whatIsDiscardedIsToldAndNoLongerCounted() throws IOException {
    try (Store store = Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC())) {
      long model = store.create("m", "{}", null).join().id();
      Inbox inbox = new Inbox(store.rows(), model, total, new LatestRows(), System::nanoTime);
      List<CompletableFuture<?>> waiting = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        CompletableFuture<LearnTask.Outcome> learned = new CompletableFuture<>();
        waiting.add(learned);
        store.rows().append(model, null, rows(3), batch -> inbox.add(batch, learned)).join();
      }
      CompletableFuture<Object> read = new CompletableFuture<>();
      waiting.add(read);
      inbox.add(new ReadTask<>(learning -> null, read));
      ((LearnTask) inbox.next(0)).learn(Learning.of(ModelSpec.parse("{}")), Long.MIN_VALUE);
      inbox.learned(1);
      inbox.discard(new Problem(404, "deleted"));
      assertThat(waiting).allMatch(CompletableFuture::isCompletedExceptionally);
      assertThat(inbox.isEmpty()).isTrue();
      assertThat(inbox.backlog()).isZero();
      assertThat(total.bytes()).isZero();
    }
  }
}
