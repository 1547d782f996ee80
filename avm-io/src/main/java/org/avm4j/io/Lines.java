package org.avm4j.io;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.avm4j.data.BadDataException;

/** Reads the lines of a stream of UTF-8 text, one at a time, into a reused buffer. */
final class Lines implements Closeable {
  private static final int MAX_LINE = 1 << 26;

  /** The character with which Java replaces bytes that are not UTF-8. */
  private static final char REPLACED = '\ufffd';

  private static final Charset WINDOWS = Charset.forName("windows-1252");

  private final String name;
  private final TimedInput in;
  private byte[] buffer = new byte[1 << 16];
  private int start;
  private int end = -1;
  private int limit;
  private boolean ended;
  private boolean isCutOff;
  private long line;
  private volatile long firstForeign; // another thread may ask for it during a read

  Lines(String name, InputStream in) {
    this.name = name;
    this.in = new TimedInput(in);
  }

  /** Moves to the next line; false at the end of the input. */
  boolean next() throws IOException {
    start = Math.min(end + 1, limit);
    end = start;
    line++;
    do {
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
    } while (end == limit && refill());
    isCutOff = start < limit ? end == limit : isCutOff;
    return start < limit;
  }

  /** Whether the last line that was read has no line feed. */
  boolean isCutOff() {
    return isCutOff;
  }

  /** The name of the file, for messages. */
  String name() {
    return name;
  }

  /** Whether another whole line is in the buffer, so that it can be read without waiting. */
  boolean hasNext() {
    for (int i = end + 1; i < limit; i++) {
      if (buffer[i] == '\n') {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether lines arrive too slowly to wait for many: the reader has waited long, and no further
   * line is available.
   */
  boolean isSlow() {
    return in.isSlow() && !ended && !hasNext();
  }

  /** The bytes that hold the line from {@link #start} to before {@link #end}. */
  byte[] bytes() {
    return buffer;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  /**
   * The line without its end. A line that is not UTF-8 is read as Windows-1252, which older
   * programs write; {@link #firstForeign} gives the number of the first one.
   *
   * @throws BadDataException if there is a zero byte
   */
  String text() throws BadDataException {
    int to = end > start && buffer[end - 1] == '\r' ? end - 1 : end;
    String text = new String(buffer, start, to - start, StandardCharsets.UTF_8);
    if (text.indexOf(0) >= 0) {
      throw new BadDataException(name, line, "expected text, found a zero byte");
    }
    if (text.indexOf(REPLACED) < 0) {
      return text;
    }
    firstForeign = firstForeign == 0 ? line : firstForeign;
    return new String(buffer, start, to - start, WINDOWS);
  }

  /** The number of the first line that is not UTF-8; 0 if there was none. */
  long firstForeign() {
    return firstForeign;
  }

  /** The number of this line, counted from 1. */
  long number() {
    return line;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Moves the unfinished line to the front and reads more behind it; false at the end. */
  private boolean refill() throws IOException {
    System.arraycopy(buffer, start, buffer, 0, limit - start);
    end -= start;
    limit -= start;
    start = 0;
    if (limit == MAX_LINE) {
      throw tooLong();
    }
    if (limit == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * limit);
    }
    return read();
  }

  private boolean read() throws IOException {
    int count = ended ? -1 : in.read(buffer, limit, buffer.length - limit);
    ended = count < 0;
    limit += Math.max(count, 0);
    return !ended;
  }

  private BadDataException tooLong() throws IOException {
    do {
      end = 0;
      limit = 0;
      read();
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
    } while (end == limit && !ended);
    return new BadDataException(name, line, "a line must be shorter than " + MAX_LINE + " bytes");
  }
}
