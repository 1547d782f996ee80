package org.avm4j.serve;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.Callback;

/**
 * Server-sent events: sends the current state to each open page once a second. The number of pages
 * is limited, in all and of each token.
 */
final class Events implements Closeable {
  private static final int MAX = 100;

  /** So that one token cannot take all of them. */
  private static final int MAX_OF_A_TOKEN = 20;

  private static final long PERIOD_MILLIS = 1000;

  private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService clock = Workers.clock("avm-events");

  Events(ServeLog log) {
    Workers.every(clock, PERIOD_MILLIS, () -> streams.forEach(Stream::tick), log);
  }

  int open() {
    return streams.size();
  }

  private long open(String name) {
    return streams.stream().filter(each -> name.equals(each.exchange.caller.name())).count();
  }

  /**
   * Replies with a stream of states, which ends when the client disconnects.
   *
   * @param state throws a {@link Problem} if the stream must end
   */
  void stream(Exchange exchange, Supplier<Map<String, Object>> state) {
    String name = exchange.caller.name();
    if (streams.size() >= MAX || name != null && open(name) >= MAX_OF_A_TOKEN) {
      throw Problem.busy("too many pages are open; try again later");
    }
    if (exchange.isHead) {
      exchange.send(200, "text/event-stream", new byte[0]);
      return;
    }
    exchange.begin(200, "text/event-stream");
    exchange.response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    Stream stream = new Stream(exchange, state);
    streams.add(stream);
    stream.tick();
  }

  @Override
  public void close() {
    clock.shutdownNow();
    streams.forEach(Stream::end);
  }

  private final class Stream implements Callback {
    private final Exchange exchange;
    private final Supplier<Map<String, Object>> state;
    private boolean isWriting;
    private boolean isEnded;

    Stream(Exchange exchange, Supplier<Map<String, Object>> state) {
      this.exchange = exchange;
      this.state = state;
    }

    /** Sends the state, unless the client has not read the previous one. */
    synchronized void tick() {
      if (isWriting || isEnded) {
        return;
      }
      isWriting = true;
      try {
        String event = "data: " + JsonValues.text(state.get()) + "\n\n";
        exchange.response.write(
            false, ByteBuffer.wrap(event.getBytes(StandardCharsets.UTF_8)), this);
      } catch (Problem gone) {
        end();
      } catch (RuntimeException | Error failed) {
        failed(failed);
      }
    }

    synchronized void end() {
      if (!isEnded) {
        isEnded = true;
        streams.remove(this);
        exchange.response.write(true, null, exchange.callback);
      }
    }

    @Override
    public synchronized void succeeded() {
      isWriting = false;
    }

    @Override
    public synchronized void failed(Throwable gone) {
      if (!isEnded) {
        isEnded = true;
        streams.remove(this);
        exchange.callback.failed(gone);
      }
    }
  }
}
