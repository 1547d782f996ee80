package org.avm4j.export;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;
import org.avm4j.data.Column;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.DateParts;
import org.avm4j.data.Missing;
import org.avm4j.data.NumericColumn;
import org.avm4j.data.Schema;
import org.avm4j.data.TextWords;
import org.avm4j.data.Units;

/** Writes the columns of a table, and how their values become features. */
final class JsonColumns {
  private final JsonGenerator out;
  private final Schema schema;

  JsonColumns(JsonGenerator out, Schema schema) {
    this.out = out;
    this.schema = schema;
  }

  void write() throws IOException {
    JsonForms.writeArray(out, "missing", Missing.words(), out::writeString);
    JsonForms.writeArray(out, "marks", Missing.marks(), out::writeString);
    JsonForms.writeArray(out, "columns", schema.columns(), this::write);
  }

  private void write(Column column) throws IOException {
    out.writeStartObject();
    out.writeStringField("name", column.name());
    switch (column.kind()) {
      case NUMBER, DECIMAL_COMMA, GROUPED, UNITS -> writeNumber((NumericColumn) column);
      case CATEGORIES, CAPPED -> writeTexts(column);
      case DATE, DATE_MONTH_FIRST -> writeDates(column);
      case WORDS -> writeWords(column);
      default -> throw ExportPlan.notExported(column);
    }
    out.writeEndObject();
  }

  private void writeNumber(NumericColumn column) throws IOException {
    out.writeNumberField("feature", column.index());
    out.writeNumberField("mean", schema.origin().fill(column));
    Units units = column.units();
    ColumnKind notation = units == null ? column.kind() : units.notation();
    if (notation != ColumnKind.NUMBER) {
      boolean isComma = notation == ColumnKind.DECIMAL_COMMA;
      out.writeStringField("notation", isComma ? "decimal-comma" : "grouped");
    }
    if (units != null) {
      out.writeObjectFieldStart("units");
      for (Map.Entry<String, Double> unit : units.factors().entrySet()) {
        out.writeNumberField(unit.getKey(), unit.getValue());
      }
      out.writeEndObject();
    }
  }

  private void writeTexts(Column column) throws IOException {
    writeFeatures("categories", column);
    if (column.otherIndex() != Schema.NONE) {
      out.writeNumberField("other", column.otherIndex());
    }
  }

  private void writeDates(Column column) throws IOException {
    writeFeatures("parts", column);
    out.writeBooleanField("monthFirst", column.kind() == ColumnKind.DATE_MONTH_FIRST);
    out.writeNumberField("meanYear", schema.origin().fill(column, DateParts.YEAR));
  }

  private void writeWords(Column column) throws IOException {
    out.writeNumberField("buckets", TextWords.BUCKETS);
    out.writeObjectFieldStart("words");
    for (String bucket : column.categories()) {
      out.writeNumberField(
          Integer.toString(TextWords.number(bucket)), schema.index(column, bucket));
    }
    out.writeEndObject();
  }

  private void writeFeatures(String name, Column column) throws IOException {
    out.writeObjectFieldStart(name);
    for (String category : column.categories()) {
      out.writeNumberField(category, schema.index(column, category));
    }
    out.writeEndObject();
  }
}
