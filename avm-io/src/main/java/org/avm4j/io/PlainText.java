package org.avm4j.io;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import org.avm4j.data.BadDataException;

/** Turns text of other systems into UTF-8 with lines that end by a line feed. */
final class PlainText {
  private static final int HEAD = 1 << 13;

  /** Minimum number of control characters, and of bytes for each of them, in what is no text. */
  private static final int FEWEST_CONTROLS = 4;

  private static final int BYTES_OF_A_CONTROL = 32;

  private PlainText() {}

  /**
   * The text in UTF-8: UTF-16 with a byte order mark is converted, and of a text whose first part
   * has carriage returns and no line feed, carriage returns become line feeds.
   *
   * @param name the name of the file, for messages
   * @param in a stream that supports mark
   * @param delimiter the character between fields, which may be a control character; null if it is
   *     not given
   * @throws BadDataException if the first part is full of control characters
   */
  static InputStream of(String name, InputStream in, Character delimiter) throws IOException {
    byte[] head = new byte[HEAD];
    in.mark(HEAD);
    int length = Math.max(in.read(head), 0);
    in.reset();
    boolean isUtf16 =
        length > 1
            && (head[0] == (byte) 0xff && head[1] == (byte) 0xfe
                || head[0] == (byte) 0xfe && head[1] == (byte) 0xff);
    if (isUtf16) {
      return of(name, new BufferedInputStream(new Converted(in), HEAD), delimiter);
    }
    if (isBinary(head, length, delimiter)) {
      in.close();
      throw new BadDataException(name, "is not text, expected a table such as CSV");
    }
    return hasOldLines(head, length) ? new BufferedInputStream(new OldLines(in)) : in;
  }

  private static boolean isBinary(byte[] head, int length, Character delimiter) {
    int controls = 0;
    for (int i = 0; i < length; i++) {
      boolean isControl = head[i] > 0 && head[i] < ' ' && !Character.isWhitespace(head[i]);
      boolean isDelimiter = delimiter != null && head[i] == delimiter;
      controls += isControl && !isDelimiter ? 1 : 0;
    }
    return controls >= FEWEST_CONTROLS && controls >= length / BYTES_OF_A_CONTROL;
  }

  /** Whether there are ends of lines, all of them a carriage return alone. */
  private static boolean hasOldLines(byte[] head, int length) {
    boolean isOld = false;
    for (int i = 0; i < length; i++) {
      if (head[i] == '\n') {
        return false;
      }
      isOld |= head[i] == '\r' && i + 1 < length;
    }
    return isOld;
  }

  /** Converts UTF-16 to UTF-8. */
  private static final class Converted extends InputStream {
    private final Reader reader;
    private final char[] chars = new char[HEAD];
    private byte[] bytes = {};
    private int at;

    Converted(InputStream in) {
      reader = new InputStreamReader(in, StandardCharsets.UTF_16);
    }

    @Override
    public int read() throws IOException {
      return at < bytes.length || fill() ? bytes[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (at == bytes.length && !fill()) {
        return -1;
      }
      int count = Math.min(length, bytes.length - at);
      System.arraycopy(bytes, at, target, from, count);
      at += count;
      return count;
    }

    /** Converts more text; whole characters, which may be pairs of surrogates. */
    private boolean fill() throws IOException {
      int count = reader.read(chars, 0, HEAD - 1);
      if (count > 0 && Character.isHighSurrogate(chars[count - 1])) {
        int low = reader.read();
        chars[count] = (char) low;
        count += low < 0 ? 0 : 1;
      }
      bytes =
          count <= 0 ? new byte[0] : new String(chars, 0, count).getBytes(StandardCharsets.UTF_8);
      at = 0;
      return bytes.length > 0;
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  /** Replaces carriage returns by line feeds. */
  private static final class OldLines extends FilterInputStream {
    OldLines(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      return next == '\r' ? '\n' : next;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      int count = super.read(target, from, length);
      for (int i = from; i < from + count; i++) {
        target[i] = target[i] == '\r' ? (byte) '\n' : target[i];
      }
      return count;
    }
  }
}
