package org.avm4j.data;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.avm4j.Features;

/**
 * Writes instances as LIBSVM text: the label, then the non-zero entries as {@code index:value} with
 * ascending indices from 1. Numbers are the shortest that {@link LibsvmReader} reads back exactly.
 */
public final class LibsvmWriter implements Closeable {
  private final Writer out;

  /** A writer to this stream. */
  public LibsvmWriter(OutputStream out) {
    this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.US_ASCII), 1 << 16);
  }

  /** Writes one instance; a label of NaN is written as 0, because the format requires a label. */
  public void write(Features row, double label) throws IOException {
    out.write(Double.isNaN(label) ? "0" : Decimal.text(label));
    for (int i = 0; i < row.count(); i++) {
      out.write(' ');
      out.write(Integer.toString(row.index(i) + 1));
      out.write(':');
      out.write(Decimal.text(row.value(i)));
    }
    out.write('\n');
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
