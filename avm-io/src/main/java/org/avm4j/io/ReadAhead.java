package org.avm4j.io;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Note;

/**
 * Reads rows ahead of the caller in another thread. The caller gets the same rows and the same
 * exceptions in the same order. A row is passed on as soon as it is read.
 *
 * <p>Memory is bounded in rows and in entries. The thread closes the reader; {@link #close} only
 * signals it, so that it does not block on a reader that waits for input.
 */
final class ReadAhead implements InstanceReader {
  private static final int MOST_ROWS = 1024;
  private static final int MOST_ENTRIES = 1 << 18;

  /**
   * An entry of the queue.
   *
   * @param row the row
   * @param label its label
   * @param weight its weight
   * @param line the line it started on
   * @param skipped the number of rows left out so far
   * @param failure why the row could not be read, in which case {@code row} is null; else null
   */
  private record Item(
      Features row, double label, double weight, long line, long skipped, Throwable failure) {
    /** An entry without a row: a failure, or the end if that is null. */
    static Item without(long skipped, Throwable failure) {
      return new Item(null, Double.NaN, Double.NaN, 0, skipped, failure);
    }

    boolean isEnd() {
      return row == null && !(failure instanceof BadDataException);
    }
  }

  private final BlockingQueue<Item> items = new ArrayBlockingQueue<>(MOST_ROWS);
  private final Semaphore entries = new Semaphore(MOST_ENTRIES);
  private final Queue<Item> taken = new ArrayDeque<>();
  private final Thread thread;
  private final DataReader source;
  private Item current;
  private boolean isDone;

  /** Starts to read ahead from the next row of a reader. */
  ReadAhead(DataReader reader) {
    source = reader;
    thread = new Thread(() -> run(reader), "read-ahead");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public boolean next() throws IOException {
    if (isDone) {
      return false;
    }
    free(current);
    current = take();
    isDone = current.isEnd();
    if (current.failure instanceof IOException failure) {
      throw failure;
    }
    if (current.failure instanceof OutOfMemoryError full) {
      throw full;
    }
    if (current.failure != null) {
      throw new IllegalStateException("reading failed", current.failure);
    }
    return !isDone;
  }

  private Item take() throws IOException {
    try {
      if (taken.isEmpty()) {
        taken.add(items.take());
        items.drainTo(taken);
      }
      return taken.remove();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for data", stopped);
    }
  }

  private void free(Item item) {
    if (item != null && item.row != null) {
      entries.release(permits(item.row));
    }
  }

  private static int permits(Features row) {
    return Math.min(MOST_ENTRIES, row.count());
  }

  @Override
  public Features features() {
    return current.row;
  }

  @Override
  public double label() {
    return current.label;
  }

  @Override
  public long line() {
    return current.line;
  }

  @Override
  public double weight() {
    return current.weight;
  }

  @Override
  public long skipped() {
    return current == null ? 0 : current.skipped;
  }

  @Override
  public List<Note> notes() {
    return source.notes();
  }

  @Override
  public void close() {
    isDone = true;
    thread.interrupt();
  }

  private void run(DataReader reader) {
    try (reader) {
      Item item;
      do {
        item = read(reader);
        put(item);
      } while (!item.isEnd());
    } catch (InterruptedException | IOException closed) {
      // The caller has closed the reader, or closing it failed.
    }
  }

  private static Item read(DataReader reader) {
    try {
      return reader.next() ? row(reader) : Item.without(reader.skipped(), null);
    } catch (Throwable failure) {
      return Item.without(reader.skipped(), failure);
    }
  }

  private static Item row(DataReader reader) {
    return new Item(
        reader.features().copy(),
        reader.label(),
        reader.weight(),
        reader.line(),
        reader.skipped(),
        null);
  }

  private void put(Item item) throws InterruptedException {
    if (item.row != null) {
      entries.acquire(permits(item.row));
    }
    items.put(item);
  }
}
