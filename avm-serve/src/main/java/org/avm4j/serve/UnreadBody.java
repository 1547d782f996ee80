package org.avm4j.serve;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * The unread rest of a body whose request is answered early. Over HTTP/1.1 the next request on the
 * connection begins after this rest. A short rest is therefore read and dropped before the reply;
 * otherwise the reply announces that the connection will be closed.
 */
final class UnreadBody {
  /**
   * Maximum number of bytes that are dropped: twice the largest body of a service with default
   * limits. Many clients read the reply only after they have sent everything, and Java's client
   * waits forever over HTTP/2.
   */
  private static final long MOST = 16 << 20;

  /** How long a reply waits for these bytes, in milliseconds. */
  private static final long MILLIS = 5_000;

  private final Request request;
  private final Response response;
  private final Consumer<Throwable> failed;
  private long left = MOST;

  /**
   * The body of a request.
   *
   * @param failed called if a reply that waited could not be sent
   */
  UnreadBody(Request request, Response response, Consumer<Throwable> failed) {
    this.request = request;
    this.response = response;
    this.failed = failed;
  }

  /** Sends a reply when the rest has arrived, or has turned out to be too long or too slow. */
  void drop(Runnable reply) {
    if (response.getHeaders().contains(HttpHeader.CONNECTION, "close") || isDropped()) {
      reply.run();
    } else if (left < 0 || request.getLength() > MOST || isHeldBack()) {
      endConnection();
      reply.run();
    } else {
      CompletableFuture<Boolean> end = new CompletableFuture<>();
      request.demand(() -> dropMore(end));
      end.completeOnTimeout(false, MILLIS, TimeUnit.MILLISECONDS)
          .thenAccept(
              isDropped -> {
                if (!isDropped) {
                  endConnection();
                }
                reply.run();
              })
          .exceptionally(
              wrong -> {
                failed.accept(wrong);
                return null;
              });
    }
  }

  /** Drops what has arrived, before a reply that does not wait for the rest. */
  void dropOrEnd() {
    if (!isDropped()) {
      endConnection();
    }
  }

  /** Whether the client waits for {@code 100 Continue} before it sends its body. */
  private boolean isHeldBack() {
    return request.getHeaders().contains(HttpHeader.EXPECT);
  }

  private void dropMore(CompletableFuture<Boolean> end) {
    if (end.isDone()) {
      return;
    }
    boolean isDropped = isDropped();
    if (isDropped || left < 0) {
      end.complete(isDropped);
    } else {
      request.demand(() -> dropMore(end));
    }
  }

  /** Drops what has arrived, and returns whether that was all. */
  private boolean isDropped() {
    while (left >= 0) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        return false;
      }
      left = Content.Chunk.isFailure(chunk) ? -1 : left - chunk.remaining();
      boolean isLast = chunk.isLast();
      chunk.release();
      if (isLast && left >= 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Announces that the connection will be closed. HTTP/2 has no such header and closes only the
   * stream.
   */
  private void endConnection() {
    if (request.getConnectionMetaData().getHttpVersion().getVersion() < 20) {
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
    }
  }
}
