package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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

  private static Void await(CountDownLatch latch) {
    try {
      latch.await();
      return null;
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
