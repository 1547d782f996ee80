package org.avm4j.serve;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * Reads the bodies of requests without keeping a thread waiting, within bounds of size, of memory
 * for all bodies together, and of time.
 */
final class BodyReader {
  private static final long SECONDS = 60;

  private final int maxBody;
  private final long maxTotal;
  private final AtomicLong total = new AtomicLong();

  BodyReader(int maxBody) {
    this.maxBody = maxBody;
    maxTotal = Math.max(2L * maxBody, MemoryShare.of(32));
  }

  /** The body; what it takes of memory is given back by {@link #release}. */
  CompletableFuture<byte[]> read(Request request) {
    long announced = request.getLength();
    if (announced > maxBody) {
      throw tooLarge();
    }
    CompletableFuture<byte[]> whole = new CompletableFuture<>();
    new Reading(request, whole, (int) Math.max(0, announced)).run();
    return whole.isDone() ? whole : whole.orTimeout(SECONDS, TimeUnit.SECONDS);
  }

  void release(byte[] body) {
    total.addAndGet(-body.length);
  }

  private Problem tooLarge() {
    return new Problem(413, "a body must have at most " + maxBody + " bytes");
  }

  private final class Reading implements Runnable {
    private final Request request;
    private final CompletableFuture<byte[]> whole;
    private final ByteArrayOutputStream body;

    Reading(Request request, CompletableFuture<byte[]> whole, int announced) {
      this.request = request;
      this.whole = whole;
      body = new ByteArrayOutputStream(Math.min(announced, 1 << 16));
    }

    @Override
    public void run() {
      while (!whole.isDone()) {
        Content.Chunk chunk = request.read();
        if (chunk == null) {
          request.demand(this);
          return;
        }
        if (Content.Chunk.isFailure(chunk)) {
          end(Problem.malformed("the body ended before it was whole"));
          return;
        }
        take(chunk.getByteBuffer());
        boolean isLast = chunk.isLast();
        chunk.release();
        if (isLast) {
          whole.complete(body.toByteArray());
        }
      }
      if (whole.isCompletedExceptionally()) {
        giveBack();
      }
    }

    private void take(ByteBuffer bytes) {
      int n = bytes.remaining();
      if (body.size() + n > maxBody) {
        end(tooLarge());
      } else if (total.addAndGet(n) > maxTotal) {
        total.addAndGet(-n);
        end(Problem.busy("too many bodies are being read; try later"));
      } else {
        byte[] copy = new byte[n];
        bytes.get(copy);
        body.write(copy, 0, n);
      }
    }

    private void end(Problem problem) {
      whole.completeExceptionally(problem);
      giveBack();
    }

    private void giveBack() {
      total.addAndGet(-body.size());
      body.reset();
    }
  }
}
