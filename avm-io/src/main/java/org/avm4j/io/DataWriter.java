package org.avm4j.io;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.LibsvmWriter;
import org.avm4j.data.Schema;

/** Writes instances in one of the formats that {@link DataReader} reads. */
public interface DataWriter extends Closeable {
  /** Writes one instance; a label that is NaN is written as missing. */
  void write(Features row, double label) throws IOException;

  /**
   * What a writer needs to know before the first row.
   *
   * @param schema the names of columns and labels, empty if there are none
   * @param dimension the number of features of the widest row
   * @param classes the texts of all labels, which ARFF declares; empty if labels are numbers
   */
  record Layout(Schema schema, int dimension, List<String> classes) {
    /** The layout with the text labels of the schema as classes. */
    public Layout(Schema schema, int dimension) {
      this(schema, dimension, schema.labels());
    }
  }

  /** A writer of this format; closing it closes the stream. */
  static DataWriter of(Format format, OutputStream out, Layout layout) throws IOException {
    return switch (format) {
      case LIBSVM -> libsvm(new LibsvmWriter(out));
      case CSV -> new CsvWriter(out, layout);
      case ARFF -> new ArffWriter(out, layout);
      case JSON -> new JsonWriter(out, layout.schema());
    };
  }

  private static DataWriter libsvm(LibsvmWriter writer) {
    return new DataWriter() {
      @Override
      public void write(Features row, double label) throws IOException {
        writer.write(row, label);
      }

      @Override
      public void close() throws IOException {
        writer.close();
      }
    };
  }
}
