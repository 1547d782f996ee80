package org.avm4j.serve;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Decimal;
import org.avm4j.data.LibsvmReader;
import org.avm4j.data.Missing;
import org.avm4j.data.Row;
import org.avm4j.serve.ServedRow.Purpose;

/** Parses the body of a request into rows: JSON, NDJSON, CSV with a header, or LIBSVM. */
final class RowParser {
  /** The query parameter for the column of the label in CSV. */
  static final String LABEL = "label";

  private static final int MAX_ID = 200;
  private static final double MAX_EXACT = 1e15;
  private static final Pattern WHOLE = Pattern.compile("^(-?\\d+)\\.0+$");
  private static final Set<String> LABELS = Set.of("label", "class", "target", "y");

  private final ModelSpec spec;
  private final Purpose purpose;
  private final boolean isLabelled;
  private final String givenLabel;
  private final RequestCost cost;

  /**
   * A parser for one request.
   *
   * @param isLabelled whether rows may have a label; otherwise labels are dropped
   * @param label the name of the label's column in CSV; null to find it by the usual names
   * @param cost refuses requests that take too much memory
   */
  RowParser(ModelSpec spec, Purpose purpose, boolean isLabelled, String label, RequestCost cost) {
    this.spec = spec;
    this.purpose = purpose;
    this.isLabelled = isLabelled;
    this.givenLabel = label;
    this.cost = cost;
  }

  static RowParser of(Exchange exchange, ServedModel model, Purpose purpose, boolean isLabelled) {
    boolean isAnswered = purpose == Purpose.OBSERVE || !isLabelled;
    RequestCost cost = isAnswered ? RequestCost.answered(model.published()) : RequestCost.stored();
    return new RowParser(model.spec(), purpose, isLabelled, exchange.query(LABEL), cost);
  }

  List<ServedRow> parse(byte[] body, String contentType) {
    List<ServedRow> rows =
        switch (form(body, contentType)) {
          case "csv" -> csv(body);
          case "libsvm" -> libsvm(body);
          case "json" -> json(body);
          default ->
              throw new Problem(
                  415,
                  "the content type must be application/json, application/x-ndjson, text/csv or"
                      + " text/x-libsvm");
        };
    if (rows.isEmpty()) {
      throw Problem.malformed("the body contains no rows");
    }
    return rows;
  }

  static boolean isJson(byte[] body, String contentType) {
    return form(body, contentType).equals("json");
  }

  private static String form(byte[] body, String contentType) {
    String type =
        contentType == null ? "" : contentType.split(";")[0].strip().toLowerCase(Locale.ROOT);
    return switch (type) {
      case "application/json", "application/x-ndjson", "application/jsonl" -> "json";
      case "text/csv" -> "csv";
      case "text/x-libsvm", "application/x-libsvm" -> "libsvm";
      default -> looksLikeJson(body) ? "json" : "other";
    };
  }

  /** Whether a body of an unknown type is JSON, or has nothing in it. */
  private static boolean looksLikeJson(byte[] body) {
    int at = 0;
    while (at < body.length && body[at] <= ' ' && body[at] >= 0) {
      at++;
    }
    return at == body.length || body[at] == '{' || body[at] == '[';
  }

  private List<ServedRow> json(byte[] body) {
    List<ServedRow> rows = new ArrayList<>();
    try (JsonParser in = JsonValues.FACTORY.createParser(body)) {
      for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
        if (token != JsonToken.START_ARRAY && token != JsonToken.END_ARRAY) {
          rows.add(jsonRow(in, rows.size() + 1));
          GiveWay.afterRow(rows.size());
        } else if (in.getParsingContext().getNestingDepth() > 1) {
          throw JsonValues.malformed(in, "a row must be an object, found an array");
        }
      }
    } catch (IOException wrong) {
      throw JsonValues.malformed(wrong).atRow(rows.size() + 1);
    }
    return rows;
  }

  private ServedRow jsonRow(JsonParser in, int number) throws IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw JsonValues.malformed(in, "a row must be a JSON object").atRow(number);
    }
    cost.addRow();
    Map<String, Object> values = new LinkedHashMap<>();
    int n = 0;
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      if (!in.nextToken().isScalarValue()) {
        throw JsonValues.malformed(in, "a value must be a number, a string, true, false or null")
            .atRow(number)
            .with("column", name);
      }
      cost.addValues(1);
      values.put(name, JsonValues.scalar(in));
      JsonValues.checkNew(in, name, ++n, values);
    }
    Object label = values.remove(spec.label());
    boolean isWeighted = values.containsKey(spec.weight());
    double weight = isWeighted ? weight(values.remove(spec.weight())) : 1;
    String id = id(values.remove(spec.id()), number);
    if (values.isEmpty()) {
      throw JsonValues.malformed(in, "a row must have at least one column").atRow(number);
    }
    return served(new Row.Named(values), label, weight, id);
  }

  private ServedRow served(Row.Values values, Object label, double weight, String id) {
    return new ServedRow(new Row(values, isLabelled ? label : null, weight), id, purpose, null);
  }

  /**
   * Converts a weight, which may be a text that spells a number. Any other value becomes NaN, which
   * every learner refuses.
   */
  static double weight(Object value) {
    if (value instanceof String text) {
      return Decimal.parse(text);
    }
    return value instanceof Number weight ? weight.doubleValue() : Double.NaN;
  }

  /** Converts an id to text; 677, 677.0 and "677" are the same id. */
  static String id(Object value, int number) {
    if (value == null) {
      return null;
    }
    String id = value instanceof Number numeric ? Decimal.text(numeric) : value.toString();
    boolean isExact = !(value instanceof Double large) || Math.abs(large) < MAX_EXACT;
    boolean isText = !(value instanceof Boolean) && !id.isEmpty() && id.length() <= MAX_ID;
    if (!isExact || !isText || !StandardCharsets.UTF_8.newEncoder().canEncode(id)) {
      throw Problem.refused(
              "an id must be a Unicode string of 1 to " + MAX_ID + " characters, or a number")
          .atRow(number);
    }
    return id;
  }

  /** Converts a field of CSV to an id; "677.0" is the same id as "677". */
  private static String csvId(String field, int number) {
    return id(field.isEmpty() ? null : WHOLE.matcher(field).replaceFirst("$1"), number);
  }

  private List<ServedRow> csv(byte[] body) {
    String text = utf8(body);
    List<ServedRow> rows = new ArrayList<>();
    int end = text.indexOf('\n');
    char delimiter = delimiter(end < 0 ? text : text.substring(0, end));
    try (CsvReader<CsvRecord> in =
        CsvReader.builder()
            .fieldSeparator(delimiter)
            .skipEmptyLines(true)
            .allowUnclosedQuote(false)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE) // csvRow refuses both
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .build(CsvRecordHandler.of(each -> each.maxFields(Features.MAX_DIMENSION)), text)) {
      List<String> header = null;
      String label = null;
      for (CsvRecord record : in) {
        if (header == null) {
          header = header(record);
          label = isLabelled ? label(header) : spec.label();
        } else {
          rows.add(csvRow(header, record, label, rows.size() + 1));
          GiveWay.afterRow(rows.size());
        }
      }
    } catch (CsvParseException | IOException wrong) {
      throw Problem.malformed(
              "malformed CSV: a quoted field must end with a quote, followed by a delimiter or the"
                  + " end of the line")
          .atRow(rows.size() + 1);
    }
    return rows;
  }

  private static List<String> header(CsvRecord record) {
    List<String> names = record.getFields().stream().map(String::strip).toList();
    Set<String> distinct = new LinkedHashSet<>(names);
    if (distinct.size() < names.size() || distinct.contains("")) {
      throw Problem.malformed("the header must give each column a unique name").with("line", 1);
    }
    return names;
  }

  /**
   * Finds the column of the label as the command line does: by its name, else the last column. Null
   * if the model takes rows without a label and the header does not name the label.
   */
  private String label(List<String> header) {
    String wanted = givenLabel == null ? spec.label() : givenLabel;
    if (header.contains(wanted)) {
      return wanted;
    }
    if (givenLabel == null && spec.takesUnlabelled()) {
      return null;
    }
    if (givenLabel != null || !spec.label().equals("label")) {
      throw Problem.refused("the header has no column '" + wanted + "'").with("line", 1);
    }
    return header.stream()
        .filter(LABELS::contains)
        .findFirst()
        .orElse(header.get(header.size() - 1));
  }

  private ServedRow csvRow(List<String> header, CsvRecord record, String labelName, int number) {
    if (record.getFieldCount() != header.size()) {
      throw Problem.malformed(
              "expected " + header.size() + " fields, found " + record.getFieldCount())
          .atRow(number)
          .with("line", record.getStartingLineNumber());
    }
    cost.addRow();
    cost.addValues(header.size());
    Map<String, String> values = new LinkedHashMap<>();
    String label = null;
    double weight = 1;
    String id = null;
    for (int i = 0; i < header.size(); i++) {
      String name = header.get(i);
      String field = record.getField(i).strip();
      if (name.equals(labelName)) {
        label = Missing.isMissing(field) ? null : field;
      } else if (name.equals(spec.weight())) {
        weight = weight(field);
      } else if (name.equals(spec.id())) {
        id = csvId(field, number);
      } else {
        values.put(name, field);
      }
    }
    return served(new Row.Texts(values), label, weight, id);
  }

  private static char delimiter(String line) {
    char best = ',';
    for (char candidate : new char[] {';', '\t'}) {
      best = count(line, candidate) > count(line, best) ? candidate : best;
    }
    return best;
  }

  private static long count(String line, char wanted) {
    return line.chars().filter(c -> c == wanted).count();
  }

  private List<ServedRow> libsvm(byte[] body) {
    List<ServedRow> rows = new ArrayList<>();
    LibsvmReader.Options options = new LibsvmReader.Options(false, false, isLabelled);
    try (LibsvmReader in = new LibsvmReader("body", new ByteArrayInputStream(body), options)) {
      while (in.next()) {
        cost.addRow();
        cost.addValues(in.features().count());
        Object label = Double.isNaN(in.label()) ? null : in.label();
        rows.add(served(new Row.Indexed(in.features().copy()), label, 1, null));
        GiveWay.afterRow(rows.size());
      }
    } catch (BadDataException wrong) {
      throw Problem.malformed(wrong.getMessage()).atRow(rows.size() + 1);
    } catch (IOException impossible) {
      throw Problem.malformed("expected LIBSVM");
    }
    return rows;
  }

  private static String utf8(byte[] body) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException wrong) {
      throw Problem.malformed("expected text in UTF-8");
    }
  }
}
