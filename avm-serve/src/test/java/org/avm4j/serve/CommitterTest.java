package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CommitterTest {
  @TempDir Path folder;

  @Test
  void aLargeSnapshotMakesTheServiceRefuseNobody() throws IOException {
    CountDownLatch hold = new CountDownLatch(1);
    Database database = Database.open(folder.resolve(StoreFolder.FILE));
    try (Committer committer =
        new Committer(
            database, new CommitMarker(folder.resolve(StoreFolder.MARK)), Workers.writer(), 1000)) {
      CompletableFuture<Void> snapshot =
          committer.submitOwn(50_000, none -> await(hold), done -> {});
      CompletableFuture<Void> client = committer.submit(900, none -> null, done -> {});
      CompletableFuture<Void> tooMuch = committer.submit(900, none -> null, done -> {});
      assertThat(client).isNotCompletedExceptionally();
      assertThat(tooMuch).isCompletedExceptionally();
      hold.countDown();
      snapshot.join();
      client.join();
    }
  }

  @Test
  void whatComesWhileItClosesIsRefusedAlone() throws Exception {
    CountDownLatch hold = new CountDownLatch(1);
    ThreadPoolExecutor writer =
        new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    Committer committer = committer(writer);
    CompletableFuture<Void> first = committer.submit(1, none -> await(hold), done -> {});
    List<CompletableFuture<Void>> accepted = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      accepted.add(committer.submit(1, none -> null, done -> {}));
    }
    assertThat(writer.getQueue()).as("turns that wait, whatever was handed over").hasSize(1);
    Thread closing = new Thread(() -> assertThatCode(committer::close).doesNotThrowAnyException());
    closing.start();
    while (!writer.isShutdown()) {
      Thread.sleep(1);
    }
    CompletableFuture<Void> late = committer.submit(1, none -> null, done -> {});
    hold.countDown();
    closing.join();
    first.join();
    accepted.forEach(CompletableFuture::join);
    assertThat(late).as("one that may have been taken along, else was refused").isDone();
    assertThat(committer.submit(1, none -> null, done -> {})).isCompletedExceptionally();
  }

  private Committer committer(ExecutorService writer) throws IOException {
    Database database = Database.open(folder.resolve(StoreFolder.FILE));
    CommitMarker mark = new CommitMarker(folder.resolve(StoreFolder.MARK));
    return new Committer(database, mark, writer, 1 << 20);
  }

  private static Void await(CountDownLatch latch) {
    try {
      latch.await();
      return null;
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
