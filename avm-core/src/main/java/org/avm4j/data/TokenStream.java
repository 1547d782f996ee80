package org.avm4j.data;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Splits a stream of bytes into lines and lines into tokens, without garbage.
 *
 * <p>Tokens are separated by blanks, tabs and carriage returns; {@code #} hides the rest of its
 * line. The buffer has a fixed size, which limits the length of a token but not that of a line. A
 * complete line is returned without reading further, so that rows that arrive slowly through a pipe
 * are seen at once.
 */
final class TokenStream implements Closeable {
  private static final int CAPACITY = 1 << 17;
  private static final int SHOWN = 40;

  private final String name;
  private final InputStream in;
  // One byte more than is ever filled: the newline after the last byte stops every scan.
  private final byte[] buffer = new byte[CAPACITY + 1];
  private int start;
  private int end;
  private int limit;
  private boolean ended;
  private long line = 1;

  TokenStream(String name, InputStream in) {
    this.name = name;
    this.in = in;
    buffer[0] = '\n';
  }

  /** Moves to the first token of the next line that has one; false at the end of the input. */
  boolean nextLine() throws IOException {
    while (!next()) {
      skipToNewline();
      if (end == limit) {
        return false;
      }
      end++;
      line++;
    }
    return true;
  }

  /** Moves to the next token of this line; false at the end of the line. */
  boolean next() throws IOException {
    start = end;
    do {
      while (isBlank(buffer[start])) {
        start++;
      }
      end = start;
    } while (start == limit && refill());
    do {
      while (isToken(buffer[end])) {
        end++;
      }
    } while (end == limit && refill());
    return start < end;
  }

  /** The bytes that hold the token from {@link #start} to before {@link #end}. */
  byte[] bytes() {
    return buffer;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  /** The end of the bytes that were read so far. */
  int limit() {
    return limit;
  }

  /** Continues from a position; the bytes before it have been consumed. */
  void resume(int at) {
    start = at;
    end = at;
  }

  /** The line of the token, counted from 1. */
  long line() {
    return line;
  }

  /** Skips the rest of the line and returns the exception to throw: expectation, then the token. */
  BadDataException bad(String expectation) throws IOException {
    return bad(expectation, shown());
  }

  /** The same with another text in the place of the token. */
  BadDataException bad(String expectation, String found) throws IOException {
    skipToNewline();
    return new BadDataException(name, line, expectation + " '" + found + "'");
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private void skipToNewline() throws IOException {
    do {
      while (buffer[end] != '\n') {
        end++;
      }
      start = end;
    } while (end == limit && refill());
  }

  private String shown() {
    int length = Math.min(end - start, SHOWN);
    String token = new String(buffer, start, length, StandardCharsets.UTF_8);
    return token.replaceAll("\\p{Cntrl}", "?") + (length < end - start ? "..." : "");
  }

  /** Moves the unfinished token to the front and reads more behind it; false at the end. */
  private boolean refill() throws IOException {
    System.arraycopy(buffer, start, buffer, 0, limit - start);
    end -= start;
    limit -= start;
    start = 0;
    if (limit == CAPACITY) {
      throw bad("a number or index:value must be shorter than " + CAPACITY + " bytes, found");
    }
    int count = ended ? -1 : read();
    ended = count < 0;
    limit += Math.max(count, 0);
    buffer[limit] = '\n';
    return !ended;
  }

  private int read() throws IOException {
    try {
      return in.read(buffer, limit, CAPACITY - limit);
    } catch (IOException e) {
      throw new IOException(name + ":" + line + ": cannot read on: " + e.getMessage(), e);
    }
  }

  static boolean isToken(byte b) {
    return b > '#' || b != '\n' && b != '#' && !isBlank(b);
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }
}
