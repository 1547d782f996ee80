package org.avm4j.io;

import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.LibsvmReader;
import org.avm4j.data.Schema;

/**
 * Reads instances from a file or from standard input, whatever their format and compression.
 *
 * <p>A {@link BadDataException} costs one line or record, and {@link #next} may be called again;
 * any other {@link IOException} is final. Memory does not grow with the file.
 */
public final class DataReader implements InstanceReader {
  private final InstanceReader reader;

  private DataReader(InstanceReader reader) {
    this.reader = reader;
  }

  /**
   * Opens a file, or standard input if the name is "-".
   *
   * @param schema what names mean; new ones are added to it unless it is frozen
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

  /** Reads a stream; the name is for messages, and its ending may tell the format. */
  public static DataReader of(String name, InputStream in, ReadOptions options, Schema schema)
      throws IOException {
    InputStream text = Compression.unpack(name, in);
    try {
      return ofText(name, text, options, schema);
    } catch (IOException | RuntimeException e) {
      text.close();
      throw e;
    }
  }

  private static DataReader ofText(
      String name, InputStream text, ReadOptions options, Schema schema) throws IOException {
    skipByteOrderMark(name, text);
    Format format = options.format() == null ? Format.ofName(name) : options.format();
    if (format == null) {
      format = Format.ofContent(text);
    }
    return new DataReader(
        switch (format) {
          case LIBSVM -> new LibsvmReader(name, text, libsvm(options));
          case CSV -> new CsvReader(name, text, options, schema);
          case ARFF -> new ArffReader(name, text, options, schema);
          case JSON -> new JsonReader(name, text, options, schema);
        });
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
  public boolean usesSchema() {
    return reader.usesSchema();
  }

  /**
   * The rest of the same rows, read ahead in a thread of its own. It takes the place of this
   * reader. Nobody else may use the schema meanwhile, unless it is frozen.
   */
  public DataReader ahead() {
    return new DataReader(new ReadAhead(this));
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private static InputStream file(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": is a directory, expected a file");
    }
    if (!Files.exists(file)) {
      throw new IOException(file + ": no such file");
    }
    return new FileInputStream(file.toFile());
  }

  private static LibsvmReader.Options libsvm(ReadOptions options) {
    return new LibsvmReader.Options(options.zeroBased(), options.unsorted(), options.labelled());
  }

  private static void skipByteOrderMark(String name, InputStream in) throws IOException {
    in.mark(3);
    int first = in.read();
    int second = in.read();
    if (first == 0xff && second == 0xfe || first == 0xfe && second == 0xff) {
      throw new BadDataException(name, 1, "expected UTF-8 text, found UTF-16");
    }
    if (first != 0xef || second != 0xbb || in.read() != 0xbf) {
      in.reset();
    }
  }

  /** Standard input belongs to the caller. */
  private static final class Unclosed extends FilterInputStream {
    Unclosed(InputStream in) {
      super(in);
    }

    @Override
    public void close() {}
  }
}
