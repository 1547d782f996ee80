package org.avm4j.run;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A buffered stream that is flushed two milliseconds after a write, or when the buffer is full. The
 * answer to a single row is thus visible at once, while the answers to many rows share a write.
 *
 * <p>Another thread flushes; if this fails, the next call throws the exception.
 */
public final class LiveOutput extends OutputStream {
  private static final int BUFFER = 1 << 16;
  private static final long PATIENCE_MILLIS = 2;

  private final OutputStream out;
  private final byte[] buffer = new byte[BUFFER];
  private int length;
  private Thread thread;
  private IOException failure;
  private boolean isClosed;

  /** Writes to a stream, which is closed with this one. */
  public LiveOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int count) throws IOException {
    throwFailure();
    if (length + count > BUFFER) {
      drain();
    }
    if (count > BUFFER) {
      out.write(bytes, from, count);
      return;
    }
    if (length == 0 && count > 0) {
      wake();
    }
    System.arraycopy(bytes, from, buffer, length, count);
    length += count;
  }

  private void wake() {
    if (thread == null) {
      thread = new Thread(this::run, "live-output");
      thread.setDaemon(true);
      thread.start();
    }
    notifyAll();
  }

  private void run() {
    try {
      while (awaitBytes()) {
        Thread.sleep(PATIENCE_MILLIS);
        flushQuietly();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for bytes to write; returns false if the stream is closed. */
  private synchronized boolean awaitBytes() throws InterruptedException {
    while (length == 0 && !isClosed) {
      wait();
    }
    return !isClosed;
  }

  private synchronized void flushQuietly() {
    try {
      if (!isClosed) {
        drain();
        out.flush();
      }
    } catch (IOException lost) {
      failure = lost;
    }
  }

  private void drain() throws IOException {
    int count = length;
    length = 0;
    out.write(buffer, 0, count);
  }

  private void throwFailure() throws IOException {
    if (failure != null) {
      IOException thrown = failure;
      failure = null;
      throw thrown;
    }
  }

  @Override
  public synchronized void flush() throws IOException {
    throwFailure();
    drain();
    out.flush();
  }

  @Override
  public synchronized void close() throws IOException {
    if (isClosed) {
      return;
    }
    try (out) {
      flush();
    } finally {
      isClosed = true;
      notifyAll();
    }
  }
}
