package org.avm4j.io;

import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.LibsvmReader;
import org.avm4j.data.Note;
import org.avm4j.data.Schema;

/**
 * Reads instances from a file or from standard input, whatever their format and compression.
 *
 * <p>A {@link BadDataException} costs one line or record, and {@link #next} may be called again;
 * any other {@link IOException} is final. Memory does not grow with the file.
 */
public final class DataReader implements InstanceReader {
  private final InstanceReader reader;
  private final BooleanSupplier isSlow;

  private DataReader(InstanceReader reader, BooleanSupplier isSlow) {
    this.reader = reader;
    this.isSlow = isSlow;
  }

  private DataReader(RowReader reader) {
    this(reader, reader::isSlow);
  }

  /**
   * Opens a file, or standard input if the name is "-".
   *
   * @param schema the columns and labels; new ones are added to it unless it is frozen
   */
  public static DataReader open(String nameOrDash, ReadOptions options, Schema schema)
      throws IOException {
    if (nameOrDash.equals("-")) {
      return of("standard input", new Unclosed(System.in), options, schema);
    }
    InputStream in = file(Path.of(nameOrDash));
    try {
      return of(nameOrDash, in, options, schema);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /** Reads a stream; the name is for messages, and its extension may determine the format. */
  public static DataReader of(String name, InputStream in, ReadOptions options, Schema schema)
      throws IOException {
    InputStream text =
        PlainText.of(name, Compression.unpack(name, in, options.sheet()), options.delimiter());
    try {
      return ofText(name, text, options, schema);
    } catch (IOException | RuntimeException e) {
      text.close();
      throw e;
    }
  }

  /**
   * Opens a CSV file without examining its rows; null if the file has another format. Its columns
   * are not added to the schema.
   */
  static CsvReader table(String file, ReadOptions options, Schema schema) throws IOException {
    return ofFormat(
        Format.CSV, file, options, text -> new CsvReader(file, text, options, schema, false));
  }

  /**
   * Opens a JSON file whose rows are to be examined; null if the file has another format. Its
   * columns are not added to a schema.
   *
   * @param known knows the label of earlier files
   */
  static JsonReader json(String file, ReadOptions options, Schema known) throws IOException {
    Schema seen = new Schema();
    seen.describe(known.origin());
    return ofFormat(Format.JSON, file, options, text -> new JsonReader(file, text, options, seen));
  }

  /** Makes a reader from a text. */
  private interface ReaderOf<R> {
    R open(InputStream text) throws IOException;
  }

  /** Opens a file; null if it has another format. */
  private static <R> R ofFormat(
      Format wanted, String file, ReadOptions options, ReaderOf<R> readers) throws IOException {
    InputStream text =
        PlainText.of(
            file,
            Compression.unpack(file, file(Path.of(file)), options.sheet()),
            options.delimiter());
    try {
      R reader = format(file, text, options) == wanted ? readers.open(text) : null;
      if (reader == null) {
        text.close();
      }
      return reader;
    } catch (IOException | RuntimeException e) {
      text.close();
      throw e;
    }
  }

  /** A note on which sheet of a workbook is read, if it has several visible ones. */
  static Optional<String> sheetNote(String file, ReadOptions options) throws IOException {
    try (InputStream in = new BufferedInputStream(file(Path.of(file)))) {
      return WorkbookText.isWorkbook(in)
          ? WorkbookText.note(file, in, options.sheet())
          : Optional.empty();
    }
  }

  private static Format format(String name, InputStream text, ReadOptions options)
      throws IOException {
    skipByteOrderMark(text);
    checkEncoding(name, text);
    Format format = options.format() == null ? Format.ofName(name) : options.format();
    return format == null ? Format.ofContent(text) : format;
  }

  private static DataReader ofText(
      String name, InputStream text, ReadOptions options, Schema schema) throws IOException {
    return switch (format(name, text, options)) {
      case LIBSVM -> {
        TimedInput timed = new TimedInput(text);
        yield new DataReader(libsvm(name, timed, options, schema), timed::isSlow);
      }
      case CSV -> new DataReader(new CsvReader(name, text, options, schema));
      case ARFF -> new DataReader(new ArffReader(name, text, options, schema));
      case JSON -> new DataReader(new JsonReader(name, text, options, schema));
    };
  }

  @Override
  public boolean next() throws IOException {
    return reader.next();
  }

  @Override
  public Features features() {
    return reader.features();
  }

  @Override
  public double label() {
    return reader.label();
  }

  @Override
  public String unknownLabel() {
    return reader.unknownLabel();
  }

  @Override
  public long line() {
    return reader.line();
  }

  @Override
  public double weight() {
    return reader.weight();
  }

  @Override
  public long skipped() {
    return reader.skipped();
  }

  @Override
  public List<Note> notes() {
    return reader.notes();
  }

  @Override
  public void undo() {
    reader.undo();
  }

  @Override
  public boolean usesSchema() {
    return reader.usesSchema();
  }

  /**
   * Whether rows arrive too slowly to wait for many more: the total waiting time exceeds {@link
   * #patience}.
   */
  public boolean isSlow() {
    return isSlow.getAsBoolean();
  }

  /** How long a reader waits for the first rows of a slow stream. */
  public static Duration patience() {
    return TimedInput.PATIENCE;
  }

  /**
   * The rest of the rows, read ahead by another thread. Use the result instead of this reader.
   * Unless the schema is frozen, no other thread may use it meanwhile.
   */
  public DataReader ahead() {
    return new DataReader(new ReadAhead(this), () -> false);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private static InputStream file(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": is a folder, expected a file");
    }
    if (!Files.exists(file)) {
      throw new IOException(file + ": no such file");
    }
    return new FileInputStream(file.toFile());
  }

  private static LibsvmReader libsvm(
      String name, InputStream text, ReadOptions options, Schema schema) throws IOException {
    if (schema.isFrozen() && !isNumbered(schema)) {
      throw new BadDataException(
          name,
          1,
          "the model needs columns by name, such as '"
              + schema.columns().get(0).name()
              + "', but LIBSVM files have no column names");
    }
    return new LibsvmReader(
        name,
        text,
        new LibsvmReader.Options(options.zeroBased(), options.unsorted(), options.labelled()));
  }

  /** Whether all columns are numeric and called x1, x2, …, as those of LIBSVM are. */
  private static boolean isNumbered(Schema schema) {
    return schema.columns().stream()
        .allMatch(column -> column.isNumeric() && column.name().equals("x" + (column.index() + 1)));
  }

  /**
   * Throws an exception for text in which every other byte is zero: UTF-16 without a byte order
   * mark.
   */
  private static void checkEncoding(String name, InputStream in) throws IOException {
    in.mark(4);
    byte[] head = in.readNBytes(4);
    in.reset();
    boolean isWide =
        head.length == 4
            && (head[0] == 0 && head[2] == 0 && head[1] != 0
                || head[1] == 0 && head[3] == 0 && head[0] != 0);
    if (isWide) {
      throw new BadDataException(
          name, 1, "expected UTF-8 text, found UTF-16 without a byte order mark");
    }
  }

  private static void skipByteOrderMark(InputStream in) throws IOException {
    in.mark(3);
    if (in.read() != 0xef || in.read() != 0xbb || in.read() != 0xbf) {
      in.reset();
    }
  }

  /** Does not close standard input, which belongs to the caller. */
  private static final class Unclosed extends FilterInputStream {
    Unclosed(InputStream in) {
      super(in);
    }

    @Override
    public void close() {}
  }
}
