package org.avm4j.io;

import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.data.Schema;

/** Writes CSV with a header; the label is the last column. */
final class CsvWriter implements DataWriter {
  private final de.siegmar.fastcsv.writer.CsvWriter out;
  private final Schema schema;
  private final RowText cells;
  private final String[] record;

  CsvWriter(OutputStream out, Layout layout) throws IOException {
    this.out =
        de.siegmar.fastcsv.writer.CsvWriter.builder()
            .lineDelimiter(LineDelimiter.LF)
            .build(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    schema = layout.schema();
    cells = new RowText(layout);
    record = Arrays.copyOf(cells.names().toArray(String[]::new), cells.names().size() + 1);
    record[record.length - 1] = cells.labelName();
    writeRecord();
  }

  @Override
  public void write(Features row, double label) throws IOException {
    String[] texts = cells.of(row);
    System.arraycopy(texts, 0, record, 0, texts.length);
    record[texts.length] = Double.isNaN(label) ? null : schema.labelText(label);
    writeRecord();
  }

  private void writeRecord() throws IOException {
    try {
      out.writeRecord(record);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
