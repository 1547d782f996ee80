package org.avm4j.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import org.avm4j.Features;
import org.avm4j.data.Decimal;
import org.avm4j.data.Schema;

/** Writes one JSON object a line; zeros are left out. */
final class JsonWriter implements DataWriter {
  private static final JsonFactory JSON = new JsonFactoryBuilder().rootValueSeparator("").build();

  private final JsonGenerator out;
  private final Schema schema;

  JsonWriter(OutputStream out, Schema schema) throws IOException {
    this.out = JSON.createGenerator(out);
    this.schema = schema;
  }

  @Override
  public void write(Features row, double label) throws IOException {
    out.writeStartObject();
    out.writeFieldName("label");
    writeLabel(label);
    out.writeObjectFieldStart("features");
    for (int i = 0; i < row.count(); i++) {
      writeValue(row.index(i), row.value(i));
    }
    out.writeEndObject();
    out.writeEndObject();
    out.writeRaw('\n');
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  private void writeLabel(double label) throws IOException {
    if (Double.isNaN(label)) {
      out.writeNull();
    } else if (schema.labels().isEmpty()) {
      out.writeNumber(Decimal.text(label));
    } else {
      out.writeString(schema.labelText(label));
    }
  }

  private void writeValue(int feature, double value) throws IOException {
    String category = feature < schema.dimension() ? schema.categoryOf(feature) : null;
    if (category == null) {
      out.writeFieldName(schema.featureName(feature));
      out.writeNumber(Decimal.text(value));
    } else {
      out.writeStringField(schema.columnOf(feature).name(), category);
    }
  }
}
