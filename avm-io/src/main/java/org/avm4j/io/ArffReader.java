package org.avm4j.io;

import static org.avm4j.data.BadDataException.quote;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Column;
import org.avm4j.data.Decimal;
import org.avm4j.data.Schema;

/**
 * Reads ARFF, dense and sparse. Numeric attributes are numbers, nominal ones are categories in the
 * order of their declaration, those of type string are categories as they appear, and dates are
 * days since 1970; attributes of any other type are refused.
 */
final class ArffReader extends TableReader {
  private final List<Attribute> attributes = new ArrayList<>();
  private final Header table;
  private ArffLine line;

  /**
   * A declared attribute.
   *
   * @param values its nominal values; null for type string, empty if it is numeric
   * @param dates the format of its dates; null if it is not a date
   */
  private record Attribute(String name, Set<String> values, ArffDate dates) {
    static Attribute number(String name) {
      return new Attribute(name, Set.of(), null);
    }

    boolean isOpen() {
      return values == null;
    }

    boolean numeric() {
      return !isOpen() && values.isEmpty();
    }

    /** The value that a sparse row may leave out; null for a string. */
    String defaultValue() {
      return isOpen() ? null : numeric() ? "0" : values.iterator().next();
    }
  }

  ArffReader(String name, InputStream in, ReadOptions options, Schema schema) throws IOException {
    super(new Lines(name, in), options, schema);
    readHeader();
    List<String> names = attributes.stream().map(Attribute::name).toList();
    table = allowed(() -> Header.named(names, labelled(options), schema));
    table.renamed().forEach(this::note);
    for (int i = 0; i < names.size(); i++) {
      declare(i);
    }
    use(table);
  }

  /** By convention, the last attribute is the label if it is not numeric. */
  private ReadOptions labelled(ReadOptions options) {
    boolean isClass = !attributes.get(attributes.size() - 1).numeric();
    return isClass ? options.withTable(options.table().withNamedLabelOnly(false)) : options;
  }

  @Override
  String[] readFields() throws IOException {
    if (!nextLine()) {
      return null;
    }
    String[] fields = allowed(() -> line.take('{') ? sparse() : dense());
    for (int i = 0; i < Math.min(fields.length, attributes.size()); i++) {
      ArffDate dates = attributes.get(i).dates();
      if (dates != null && fields[i] != null) {
        String text = fields[i];
        fields[i] = allowed(() -> dates.days(text));
      }
      check(i, fields[i]);
    }
    return fields;
  }

  private boolean nextLine() throws IOException {
    while (lines.next()) {
      line = new ArffLine(lines.text());
      if (!line.ended()) {
        startsAt(lines.number());
        return true;
      }
    }
    return false;
  }

  private void readHeader() throws IOException {
    while (nextLine()) {
      switch (allowed(line::word).toLowerCase(Locale.ROOT)) {
        case "@relation" -> {}
        case "@attribute" -> attributes.add(attribute());
        case "@data" -> {
          checkNotEmpty();
          return;
        }
        default -> throw bad("expected @attribute or @data, found " + quote(lines.text()));
      }
    }
    startsAt(lines.number());
    throw bad("expected @data before the end of the file");
  }

  private void checkNotEmpty() throws BadDataException {
    if (attributes.isEmpty()) {
      throw bad("expected an @attribute before @data");
    }
  }

  private Attribute attribute() throws BadDataException {
    String name = allowed(line::word);
    if (line.take('{')) {
      return new Attribute(name, allowed(() -> values()), null);
    }
    String type = allowed(line::word).toLowerCase(Locale.ROOT);
    return switch (type) {
      case "numeric", "real", "integer" -> Attribute.number(name);
      case "string" -> new Attribute(name, null, null);
      case "date" -> new Attribute(name, Set.of(), allowed(() -> dates()));
      default ->
          throw bad(
              "attribute '"
                  + name
                  + "' must be numeric, nominal, string or date, found type "
                  + quote(type));
    };
  }

  private ArffDate dates() {
    return line.ended() ? ArffDate.ISO : new ArffDate(line.word());
  }

  private Set<String> values() {
    Set<String> values = new LinkedHashSet<>();
    do {
      String value = line.word();
      if (!values.add(value)) {
        throw new IllegalArgumentException(
            "a nominal value must appear only once: '" + value + "'");
      }
    } while (line.take(','));
    if (!line.take('}')) {
      throw new IllegalArgumentException("the list of nominal values must end with a brace");
    }
    return values;
  }

  /** Adds an attribute of the header to the schema, with its nominal values. */
  private void declare(int i) throws BadDataException {
    Attribute attribute = attributes.get(i);
    if (i == table.label()) {
      declareLabels(attribute);
      return;
    }
    Column column = allowed(() -> schema.column(table.names().get(i), attribute.numeric()));
    if (column != null && !column.isNumeric()) {
      for (String value : attribute.isOpen() ? Set.<String>of() : attribute.values) {
        allowed(() -> schema.index(column, value));
      }
    } else if (column != null && !attribute.numeric()) {
      throw bad("attribute '" + attribute.name + "' must be numeric, as in the model");
    }
  }

  private void declareLabels(Attribute attribute) throws BadDataException {
    if (attribute.isOpen()) {
      return;
    }
    boolean numbers = attribute.values.stream().allMatch(v -> Double.isFinite(Decimal.parse(v)));
    for (String value : numbers ? Set.<String>of() : attribute.values) {
      allowed(() -> schema.textLabel(value));
    }
  }

  private String[] dense() {
    List<String> fields = new ArrayList<>();
    do {
      fields.add(line.value());
      line.take(',');
    } while (!line.ended());
    return fields.toArray(String[]::new);
  }

  private String[] sparse() {
    String[] fields = attributes.stream().map(Attribute::defaultValue).toArray(String[]::new);
    int least = 0;
    while (!line.take('}')) {
      int place = place(line.word(), least);
      fields[place] = line.value();
      least = place + 1;
      line.take(',');
    }
    return fields;
  }

  private int place(String word, int least) {
    double place = Decimal.parse(word);
    if (!(place >= 0 && place < attributes.size()) || place != Math.rint(place)) {
      throw new IllegalArgumentException(
          "expected the index of an attribute, from 0 to "
              + (attributes.size() - 1)
              + ", found "
              + quote(word));
    }
    if (place < least) {
      throw new IllegalArgumentException(
          "the attribute indices of a sparse row must be ascending, found "
              + quote(word)
              + " after "
              + (least - 1));
    }
    return (int) place;
  }

  /** Checks that a nominal value is declared and a numeric label is a number. */
  private void check(int i, String value) throws BadDataException {
    Attribute attribute = attributes.get(i);
    if (value == null || attribute.numeric() && i != table.label()) {
      return;
    }
    if (attribute.numeric() && !Double.isFinite(Decimal.parse(value))) {
      throw bad("column '" + attribute.name + "' holds finite numbers, found " + quote(value));
    }
    if (!attribute.numeric() && !attribute.isOpen() && !attribute.values.contains(value)) {
      throw bad("attribute '" + attribute.name + "' does not declare " + quote(value));
    }
  }
}
