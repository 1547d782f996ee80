package org.avm4j.serve;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * Reads the bodies of requests without blocking a thread, with limits on size, on the memory of all
 * bodies together, and on time.
 */
final class BodyReader {
  private static final long SECONDS = 60;

  private final int maxBody;
  private final long maxTotal;
  private final AtomicLong total = new AtomicLong();
  private final AtomicInteger open = new AtomicInteger();

  BodyReader(int maxBody) {
    this.maxBody = maxBody;
    maxTotal = Math.max(2L * maxBody, MemoryShare.of(32));
  }

  /** The number of unanswered requests that are to be finished before the service ends. */
  int open() {
    return open.get();
  }

  /** Counts a request until it is answered. */
  void begin(Exchange exchange) {
    exchange.isCounted = true;
    open.incrementAndGet();
  }

  /** Ends the count of a request that was answered. */
  void done(Exchange exchange) {
    if (exchange.isCounted) {
      exchange.isCounted = false;
      open.decrementAndGet();
    }
  }

  /** Reads the body and then runs the action; the memory of the body is released at the end. */
  void read(Exchange exchange, Consumer<byte[]> action) {
    boolean isPacked = GzipBody.isPacked(exchange.header("Content-Encoding"));
    CompletableFuture<byte[]> whole = read(exchange.request);
    begin(exchange);
    whole.whenComplete(
        (body, failed) -> {
          if (failed != null) {
            exchange.fail(
                failed instanceof TimeoutException
                    ? new Problem(408, "the body must arrive within 60 seconds")
                    : failed);
            return;
          }
          try {
            if (isPacked) {
              runUnpacked(body, action);
            } else {
              action.accept(body);
            }
          } catch (OutOfMemoryError tooMuch) {
            exchange.fail(
                Problem.busy("not enough memory for this request now; send a smaller one"));
          } catch (RuntimeException | Error wrong) {
            exchange.fail(wrong);
          } finally {
            release(body);
          }
        });
  }

  /** Reads the body once a result is available, on this thread if it is available now. */
  void readAfter(
      CompletableFuture<?> result, Exchange exchange, Executor threads, Consumer<byte[]> action) {
    if (result.isDone() && !result.isCompletedExceptionally()) {
      read(exchange, action);
    } else {
      exchange.reply(result, threads, ready -> read(exchange, action));
    }
  }

  private void runUnpacked(byte[] body, Consumer<byte[]> action) {
    byte[] unpacked = GzipBody.unpack(body, maxBody);
    try {
      if (total.addAndGet(unpacked.length) > maxTotal) {
        throw tooMany();
      }
      action.accept(unpacked);
    } finally {
      release(unpacked);
    }
  }

  private static Problem tooMany() {
    return Problem.busy("too many request bodies are being read; try again later");
  }

  /** Completes with the body, whose bytes count as used until {@link #release}. */
  private CompletableFuture<byte[]> read(Request request) {
    long announced = request.getLength();
    if (announced > maxBody) {
      throw tooLarge();
    }
    CompletableFuture<byte[]> whole = new CompletableFuture<>();
    new Reading(request, whole, (int) Math.max(0, announced)).run();
    return whole.isDone() ? whole : whole.orTimeout(SECONDS, TimeUnit.SECONDS);
  }

  private void release(byte[] body) {
    total.addAndGet(-body.length);
  }

  private Problem tooLarge() {
    return new Problem(413, "a body must have at most " + maxBody + " bytes");
  }

  private final class Reading implements Runnable {
    private final Request request;
    private final CompletableFuture<byte[]> whole;
    private final int announced;
    private byte[] body;
    private int size;

    Reading(Request request, CompletableFuture<byte[]> whole, int announced) {
      this.request = request;
      this.whole = whole;
      this.announced = announced;
      body = new byte[0];
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
          end(Problem.malformed("the body is incomplete"));
          return;
        }
        take(chunk.getByteBuffer());
        boolean isLast = chunk.isLast();
        chunk.release();
        if (isLast) {
          whole.complete(body.length == size ? body : Arrays.copyOf(body, size));
        }
      }
      if (whole.isCompletedExceptionally()) {
        giveBack();
      }
    }

    private void take(ByteBuffer bytes) {
      int n = bytes.remaining();
      if (size + n > maxBody) {
        end(tooLarge());
      } else if (total.addAndGet(n) > maxTotal) {
        total.addAndGet(-n);
        end(tooMany());
      } else {
        if (size + n > body.length) {
          body = Arrays.copyOf(body, capacity(size + n));
        }
        bytes.get(body, size, n);
        size += n;
      }
    }

    /**
     * The capacity of the buffer: the announced length once a quarter of it has arrived, else twice
     * what is needed.
     */
    private int capacity(int needed) {
      return announced >= needed && announced <= 4L * needed ? announced : 2 * needed;
    }

    private void end(Problem problem) {
      whole.completeExceptionally(problem);
      giveBack();
    }

    private void giveBack() {
      total.addAndGet(-size);
      size = 0;
      body = new byte[0];
    }
  }
}
