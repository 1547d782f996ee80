package org.avm4j.io;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Decompresses in another thread, some blocks ahead of the caller, who gets the same bytes and the
 * same exception after them. The thread starts with the first read and closes the stream at its
 * end.
 */
final class UnpackAhead extends BlockInputStream {
  private static final int BLOCK = 1 << 16;
  private static final int BLOCKS = 8;

  /**
   * A block of bytes. A block of length 0 ends the stream, regularly if {@code failure} is null.
   */
  private record Block(byte[] bytes, int length, Throwable failure) {}

  private final InputStream in;
  private final BlockingQueue<Block> blocks = new ArrayBlockingQueue<>(BLOCKS);
  private Thread thread;
  private Block current = new Block(new byte[0], 0, null);
  private int at;
  private boolean isEnded;

  UnpackAhead(InputStream in) {
    this.in = in;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (at == current.length && !advance()) {
      return -1;
    }
    int count = Math.min(length, current.length - at);
    System.arraycopy(current.bytes, at, bytes, from, count);
    at += count;
    return count;
  }

  private boolean advance() throws IOException {
    if (isEnded) {
      return false;
    }
    if (thread == null) {
      thread = new Thread(this::run, "unpack-ahead");
      thread.setDaemon(true);
      thread.start();
    }
    current = take();
    at = 0;
    isEnded = current.length == 0;
    if (current.failure instanceof IOException failure) {
      throw failure;
    }
    if (current.failure instanceof OutOfMemoryError full) {
      throw full;
    }
    if (current.failure != null) {
      throw new IOException(current.failure.toString(), current.failure);
    }
    return !isEnded;
  }

  private Block take() throws IOException {
    try {
      return blocks.take();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for data", stopped);
    }
  }

  private void run() {
    try (in) {
      Block block;
      do {
        block = unpacked();
        blocks.put(block);
      } while (block.length > 0);
    } catch (InterruptedException | IOException closed) {
      // The caller has closed the stream, or closing it failed.
    }
  }

  private Block unpacked() {
    byte[] bytes = new byte[BLOCK];
    try {
      return new Block(bytes, Math.max(0, in.read(bytes)), null);
    } catch (Throwable failure) {
      return new Block(bytes, 0, failure);
    }
  }

  @Override
  public void close() throws IOException {
    isEnded = true;
    at = current.length;
    if (thread == null) {
      in.close();
    } else {
      thread.interrupt();
    }
  }
}
