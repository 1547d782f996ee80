package org.avm4j.data;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.avm4j.Features;

/**
 * Reads LIBSVM text: a label, then the non-zero entries as {@code index:value} with ascending
 * indices from 1, one instance a line. The label {@code ?} is read as NaN.
 *
 * <p>Blank lines, comments after {@code #} and {@code qid:} tokens are skipped. A line that breaks
 * the format throws a {@link BadDataException} that shows the token; the caller may continue with
 * the next line. Any other {@link IOException} is final.
 */
public final class LibsvmReader implements InstanceReader {
  private static final byte[] QUERY = {'q', 'i', 'd', ':'};
  private static final String TWICE = "an index must appear once in a row, found again";
  private static final byte UNKNOWN = '?';
  private static final int MAX_DIGITS = 15;
  private static final int MAX_INDEX_DIGITS = 7;
  private static final int TOO_LARGE = 1 << 27;

  private final TokenStream tokens;
  private final Options options;
  private final Features.Buffer row = new Features.Buffer();
  private final Entries unsorted = new Entries();
  private double label = Double.NaN;
  private long line;

  /**
   * How the file departs from the usual format.
   *
   * @param zeroBased indices count from 0
   * @param unsorted indices come in any order, to be sorted
   * @param labelled rows begin with a label; otherwise it may be absent and is ignored
   */
  public record Options(boolean zeroBased, boolean unsorted, boolean labelled) {
    /** Indices ascend from 1 and every row has a label. */
    public static final Options DEFAULT = new Options(false, false);

    /** Rows with a label. */
    public Options(boolean zeroBased, boolean unsorted) {
      this(zeroBased, unsorted, true);
    }
  }

  /** A reader of this stream; the name is for messages. */
  public LibsvmReader(String name, InputStream in, Options options) {
    this.tokens = new TokenStream(name, in);
    this.options = options;
  }

  /** A reader of this file, plain or gzip. */
  public static LibsvmReader open(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    try {
      return new LibsvmReader(file.toString(), unpacked(in), Options.DEFAULT);
    } catch (IOException e) {
      in.close();
      throw new IOException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public boolean next() throws IOException {
    clear();
    if (!tokens.nextLine()) {
      return false;
    }
    line = tokens.line();
    if (options.labelled || !tokenHas(':')) {
      readLabel();
    } else {
      readEntry();
    }
    readPlainEntries();
    while (tokens.next()) {
      readEntry();
      readPlainEntries();
    }
    if (options.unsorted) {
      addCollected();
    }
    return true;
  }

  @Override
  public Features features() {
    return row.features();
  }

  @Override
  public double label() {
    return label;
  }

  @Override
  public long line() {
    return line;
  }

  @Override
  public void close() throws IOException {
    tokens.close();
  }

  private static InputStream unpacked(InputStream in) throws IOException {
    in.mark(2);
    boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
    in.reset();
    return gzip ? new GZIPInputStream(in, 1 << 16) : in;
  }

  private void clear() {
    row.clear();
    unsorted.clear();
    label = Double.NaN;
  }

  private void readLabel() throws IOException {
    if (tokens.end() - tokens.start() == 1 && tokens.bytes()[tokens.start()] == UNKNOWN) {
      return;
    }
    double value = Decimal.parse(tokens.bytes(), tokens.start(), tokens.end());
    if (!Double.isFinite(value)) {
      throw tokens.bad(
          tokenHas(',') ? "expected one label, found" : "expected a finite number as label, found");
    }
    label = options.labelled ? value : Double.NaN;
  }

  /**
   * The hot loop: reads entries of a plain form, with one blank before and at most 15 digits, as
   * long as they ascend. It stops before any other entry, which is left to {@link #readEntry}.
   */
  private void readPlainEntries() {
    byte[] bytes = tokens.bytes();
    int limit = options.unsorted ? 0 : tokens.limit();
    int base = options.zeroBased ? 0 : 1;
    int least = row.features().dimension() + base;
    int done = tokens.end();
    while (done < limit) {
      int at = bytes[done] == ' ' ? done + 1 : done;
      int from = at;
      int index = 0;
      while (Decimal.isDigit(bytes[at])) {
        index = 10 * index + (bytes[at++] - '0');
      }
      int indexDigits = at - from;
      if (bytes[at] != ':' || indexDigits == 0 || indexDigits > MAX_INDEX_DIGITS || index < least) {
        break;
      }
      boolean negative = bytes[++at] == '-';
      at += negative ? 1 : 0;
      from = at;
      long mantissa = 0;
      while (Decimal.isDigit(bytes[at])) {
        mantissa = 10 * mantissa + (bytes[at++] - '0');
      }
      int fraction = 0;
      if (bytes[at] == '.') {
        int point = at++;
        from++;
        while (Decimal.isDigit(bytes[at])) {
          mantissa = 10 * mantissa + (bytes[at++] - '0');
        }
        fraction = at - point - 1;
      }
      int digits = at - from;
      if (digits == 0 || digits > MAX_DIGITS || TokenStream.isToken(bytes[at]) || at >= limit) {
        break;
      }
      row.add(index - base, Decimal.signed(negative, Decimal.scaled(mantissa, -fraction)));
      least = index + 1;
      done = at;
    }
    tokens.resume(done);
  }

  private void readEntry() throws IOException {
    byte[] bytes = tokens.bytes();
    int at = tokens.start();
    int end = tokens.end();
    int index = 0;
    while (at < end && Decimal.isDigit(bytes[at])) {
      index = Math.min(10 * index + (bytes[at++] - '0'), TOO_LARGE);
    }
    if (at > tokens.start() && at < end && bytes[at] == ':') {
      add(index, Decimal.parse(bytes, at + 1, end));
    } else if (!isQuery(bytes, tokens.start(), end)) {
      throw tokens.bad("expected index:value, found");
    }
  }

  private void add(int written, double value) throws IOException {
    if (!Double.isFinite(value)) {
      throw tokens.bad("expected a finite number after the colon, found");
    }
    int index = options.zeroBased ? written : written - 1;
    if (index < 0) {
      throw tokens.bad("indices start at 1 (--zero-based lets them start at 0), found");
    }
    if (index >= Features.MAX_DIMENSION) {
      throw tokens.bad("an index must not exceed " + Features.MAX_DIMENSION + ", found");
    }
    if (options.unsorted) {
      collect(index, value);
    } else {
      append(index, value);
    }
  }

  private void append(int index, double value) throws IOException {
    int dimension = row.features().dimension();
    if (index == dimension - 1) {
      throw tokens.bad(TWICE);
    }
    if (index < dimension) {
      throw tokens.bad("indices must ascend (--unsorted sorts them), found");
    }
    row.add(index, value);
  }

  private void collect(int index, double value) throws IOException {
    if (unsorted.count() == Features.MAX_DIMENSION) {
      throw tokens.bad(TWICE);
    }
    unsorted.add(index, value);
  }

  private void addCollected() throws IOException {
    int twice = unsorted.sortInto(row);
    if (twice != Entries.ALL_DIFFERENT) {
      throw tokens.bad(TWICE, Integer.toString(options.zeroBased ? twice : twice + 1));
    }
  }

  private boolean tokenHas(char wanted) {
    int at = tokens.start();
    while (at < tokens.end() && tokens.bytes()[at] != wanted) {
      at++;
    }
    return at < tokens.end();
  }

  private static boolean isQuery(byte[] bytes, int from, int to) {
    return to - from >= QUERY.length
        && Arrays.equals(bytes, from, from + QUERY.length, QUERY, 0, QUERY.length);
  }
}
