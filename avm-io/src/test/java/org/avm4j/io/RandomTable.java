package org.avm4j.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.avm4j.data.Decimal;

/**
 * Rows with columns of numbers and of texts, as maps, CSV and JSON. Names and texts hold quotes,
 * delimiters, ends of lines and letters of many scripts; some values are missing, some numbers are
 * given as text and, in columns of texts, some texts are numbers.
 */
final class RandomTable {
  private static final int SIZE = 30;
  private static final String[] NAMES = {
    "age", "hair, colour", "say \"hi\"", "größe", "名前", "a=b", "x 1", "tab\tbed", "😀", "17", "A"
  };
  private static final String[] TEXTS = {
    "red",
    "light, blue",
    "\"quoted\"",
    "two\nlines",
    "größer",
    "赤い",
    "😀",
    "it's",
    "semi;colon",
    "-",
    "nano",
    "?!",
    "e5",
    "{}",
    "null and void",
    "\\n"
  };

  private final Random random;
  private final List<String> names;
  private final int texts;
  private final List<Map<String, Object>> rows = new ArrayList<>();
  private final List<Object> labels = new ArrayList<>();

  RandomTable(long seed) {
    random = new Random(seed);
    List<String> shuffled = new ArrayList<>(Arrays.asList(NAMES));
    Collections.shuffle(shuffled, random);
    names = shuffled.subList(0, 2 + random.nextInt(6));
    texts = TEXTS.length / 2;
    boolean areNamed = random.nextBoolean();
    for (int i = 0; i < SIZE; i++) {
      rows.add(randomRow(i > SIZE / 2));
      labels.add(randomLabel(areNamed));
    }
  }

  private RandomTable(List<String> names, int texts, Random random) {
    this.names = names;
    this.texts = texts;
    this.random = random;
  }

  /** Rows with the same columns in another order, unknown ones among them, and unknown texts. */
  RandomTable other() {
    List<String> mixed = new ArrayList<>(names);
    mixed.add("unknown");
    mixed.add("neu\"");
    Collections.shuffle(mixed, random);
    RandomTable other = new RandomTable(mixed, TEXTS.length, random);
    for (int i = 0; i < SIZE; i++) {
      other.rows.add(other.randomRow(true));
      other.labels.add(random.nextInt(5) == 0 ? null : labels.get(i));
    }
    return other;
  }

  /** The same rows, where the last column that is not unknown is absent. */
  RandomTable withoutLastColumn() {
    List<String> fewer = new ArrayList<>(names);
    fewer.removeIf(name -> name.equals(lastKnown()));
    RandomTable table = new RandomTable(fewer, texts, random);
    table.labels.addAll(labels);
    for (Map<String, Object> row : rows) {
      Map<String, Object> copy = new LinkedHashMap<>(row);
      copy.keySet().retainAll(fewer);
      table.rows.add(copy);
    }
    return table;
  }

  private String lastKnown() {
    List<String> known = new ArrayList<>(names);
    known.removeAll(List.of("unknown", "neu\""));
    return known.get(known.size() - 1);
  }

  int size() {
    return rows.size();
  }

  Map<String, Object> row(int i) {
    return rows.get(i);
  }

  /** A number, a text, or null. */
  Object label(int i) {
    return labels.get(i);
  }

  /** A value as it stands in a file, null if it is missing. */
  static String text(Object value) {
    if (value instanceof Number number) {
      return Decimal.text(number);
    }
    return value instanceof Boolean bit ? bit ? "1" : "0" : (String) value;
  }

  /** With a header; the label is the last column. */
  String csv() {
    StringBuilder csv = new StringBuilder();
    names.forEach(name -> csv.append(quoted(name)).append(','));
    csv.append("is a\n");
    for (int i = 0; i < size(); i++) {
      row(i).values().forEach(value -> csv.append(field(value)).append(','));
      csv.append(field(label(i))).append('\n');
    }
    return csv.toString();
  }

  String json() throws IOException {
    StringWriter json = new StringWriter();
    for (int i = 0; i < size(); i++) {
      try (JsonGenerator out = new JsonFactory().createGenerator(json)) {
        out.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        writeObject(out, row(i), label(i));
      }
      json.append('\n');
    }
    return json.toString();
  }

  private static void writeObject(JsonGenerator out, Map<String, Object> row, Object label)
      throws IOException {
    out.writeStartObject();
    out.writeObjectFieldStart("features");
    for (Map.Entry<String, Object> field : row.entrySet()) {
      out.writeFieldName(field.getKey());
      writeValue(out, field.getValue());
    }
    out.writeEndObject();
    out.writeFieldName("is a");
    writeValue(out, label);
    out.writeEndObject();
  }

  private static void writeValue(JsonGenerator out, Object value) throws IOException {
    if (value instanceof Number) {
      out.writeNumber(text(value));
    } else if (value instanceof Boolean bit) {
      out.writeBoolean(bit);
    } else {
      out.writeString((String) value);
    }
  }

  private String field(Object value) {
    String[] missing = {"", "?", "NA", "nan", "null"};
    String text = text(value);
    return text == null ? missing[random.nextInt(missing.length)] : quoted(text);
  }

  private String quoted(String text) {
    boolean mayBePlain = text.chars().noneMatch(c -> ",\"\n;\t".indexOf(c) >= 0);
    return mayBePlain && random.nextBoolean() ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  /** A row; once columns have shown their kind, a value may also be of the other. */
  private Map<String, Object> randomRow(boolean isMixed) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (String name : names) {
      boolean isText = name.length() % 2 == 0;
      Object value = isText ? randomText() : randomNumber();
      if (isMixed && random.nextInt(6) == 0) {
        value = isText ? randomNumber() : text(value);
      }
      row.put(name, random.nextInt(6) == 0 ? null : value);
    }
    return row;
  }

  private Object randomLabel(boolean isNamed) {
    if (random.nextInt(6) == 0) {
      return null;
    }
    return isNamed ? TEXTS[random.nextInt(4)] : (Object) (random.nextInt(20) / 4.0);
  }

  private Object randomText() {
    return TEXTS[random.nextInt(texts)];
  }

  private Object randomNumber() {
    return switch (random.nextInt(9)) {
      case 0 -> random.nextInt(10);
      case 1 -> random.nextLong() >> 14;
      case 2 -> random.nextGaussian();
      case 3 -> random.nextFloat();
      case 4 -> random.nextBoolean();
      case 5 -> BigDecimal.valueOf(random.nextInt(), random.nextInt(8));
      case 6 -> Math.scalb(random.nextDouble(), random.nextInt(340) - 300);
      case 7 -> (double) random.nextInt(100);
      default -> -random.nextInt(1000);
    };
  }
}
