package org.avm4j.serve;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.Closeable;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.util.Callback;

/**
 * The connections of clients. A connection that does not complete the head of a request in time is
 * closed. If there are too many, the one that has been idle longest is closed, so that idle clients
 * cannot keep others out.
 */
final class Connections implements Connection.Listener, Closeable {
  private static final int MOST = 10_000;
  private static final long SCAN_MILLIS = 250;

  /** Number of scans between two lines of the log. */
  private static final int LOG_SCANS = 20;

  private final int most;
  private final long headNanos;
  private final ServeLog log;
  private final Map<Connection, ConnectionState> open = new ConcurrentHashMap<>();
  private final AtomicInteger slow = new AtomicInteger();
  private final AtomicInteger crowded = new AtomicInteger();
  private final ScheduledExecutorService clock = Workers.clock("avm-connections");
  private int scans;

  /** Whether a connection works on requests or is idle, and since when. */
  private static final class ConnectionState {
    private final boolean isMultiplexed;
    private int working;
    private boolean isUsed;
    private long since = System.nanoTime();
    private long idleSince = since;
    private long bytes;

    /**
     * The state of a new connection.
     *
     * @param isMultiplexed whether requests share the connection, as in HTTP/2; arriving bytes then
     *     need not belong to the head of a request
     */
    ConnectionState(boolean isMultiplexed) {
      this.isMultiplexed = isMultiplexed;
    }

    synchronized void begin() {
      working++;
      isUsed = true;
    }

    synchronized void end(long bytesNow) {
      working--;
      since = System.nanoTime();
      idleSince = since;
      bytes = bytesNow;
    }

    synchronized boolean isSlow(long now, long bytesNow, long headNanos) {
      if (working > 0) {
        return false;
      }
      if (isUsed && (isMultiplexed || bytesNow == bytes)) {
        since = now;
      }
      return now - since > headNanos;
    }

    synchronized long idleSince() {
      return working > 0 ? Long.MAX_VALUE : idleSince;
    }
  }

  /**
   * Watches connections.
   *
   * @param most the maximum number of connections; 0 to derive it from the limit of file
   *     descriptors
   * @param head the time within which the head of a request must arrive
   */
  Connections(int most, Duration head, ServeLog log) {
    this.most = most == 0 ? affordable() : most;
    headNanos = head.toNanos();
    this.log = log;
    Workers.every(clock, SCAN_MILLIS, this::scan, log);
  }

  /**
   * The default limit: three quarters of the file descriptors, at most 10,000. The store and the
   * class path need the rest.
   */
  private static int affordable() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? (int) Math.max(1, Math.min(MOST, unix.getMaxFileDescriptorCount() * 3 / 4))
        : MOST;
  }

  int count() {
    return open.size();
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof SslConnection) {
      return;
    }
    open.put(connection, new ConnectionState(connection instanceof HTTP2Connection));
    while (open.size() > most) {
      open.entrySet().stream()
          .min(Comparator.comparingLong(entry -> entry.getValue().idleSince()))
          .ifPresent(entry -> close(entry.getKey(), crowded, "too many connections"));
    }
  }

  @Override
  public void onClosed(Connection connection) {
    open.remove(connection);
  }

  /**
   * Closes a connection and counts it, unless another thread does so already. Over HTTP/2 the
   * client is notified first, so that it sends nothing more; if it does not read the notice, the
   * connection is closed after one second.
   */
  private void close(Connection connection, AtomicInteger counter, String reason) {
    if (open.remove(connection) == null) {
      return;
    }
    counter.incrementAndGet();
    Runnable end = connection.getEndPoint()::close;
    if (connection instanceof HTTP2Connection multiplexed) {
      multiplexed.getSession().close(ErrorCode.NO_ERROR.code, reason, Callback.from(end));
      clock.schedule(end, 1, TimeUnit.SECONDS);
    } else {
      end.run();
    }
  }

  /** Notes that the head of a request has arrived. */
  void begin(Connection connection) {
    ConnectionState state = open.get(connection);
    if (state != null) {
      state.begin();
    }
  }

  /** Notes that a request was answered. */
  void end(Connection connection) {
    ConnectionState state = open.get(connection);
    if (state != null) {
      state.end(connection.getBytesIn());
    }
  }

  private void scan() {
    long now = System.nanoTime();
    open.forEach(
        (connection, state) -> {
          if (state.isSlow(now, connection.getBytesIn(), headNanos)) {
            close(connection, slow, "a request took too long to arrive");
          }
        });
    if (++scans % LOG_SCANS == 1) {
      logClosed();
    }
  }

  /** Writes how many connections were closed since the last line, if any. */
  private void logClosed() {
    int late = slow.getAndSet(0);
    int many = crowded.getAndSet(0);
    if (late + many > 0) {
      log.write(
          "connections",
          JsonValues.members(
              "open", open.size(),
              "limit", most,
              "closedForSlowHeads", late,
              "closedForRoom", many));
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    logClosed();
  }
}
