package org.avm4j.data;

import static org.avm4j.codec.Decoder.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.SchemaNames.Feature;

/**
 * The bytes of a {@link Schema}: the number of columns (4) and the columns; whether labels are
 * numbers (1); the number of text labels (4) and the labels (text).
 *
 * <p>A column: its name (text) and whether it is numeric (1). Then, if numeric, its feature (4),
 * the count (8) and the mean (8) of its numbers; else the number of categories (4), and a text and
 * a feature (4) for each. Of a table there is a section {@code table}: the {@link TableOrigin}; the
 * number of columns (4) that hold neither plain numbers nor categories, and of each its place (4),
 * the tag of its {@link ColumnKind} (4), and unless it is numeric the count (8) and mean (8) of its
 * years, and of units how their numbers are written (4), their number (4), and of each its name
 * (text) and factor (8). If numbers were observed there is a section {@code spread} with the spread
 * (8) of each numeric column, NaN where it is unknown. If missing values become 0 there is an empty
 * section {@code zero}.
 */
final class SchemaCodec {
  private static final String TABLE = "table";
  private static final String SPREAD = "spread";
  private static final String ZERO = "zero";

  private SchemaCodec() {}

  static void encode(SchemaNames names, Encoder out) {
    out.list(
        names.columns,
        (column, to) -> {
          to.text(column.name());
          to.bool(column.isNumeric());
          column.encode(to);
        });
    out.bool(names.numberLabels);
    out.list(names.labels, (label, to) -> to.text(label));
    if (!names.origin.equals(TableOrigin.UNKNOWN)
        || names.columns.stream().anyMatch(c -> isSpecial(c))) {
      out.section(TABLE, section -> encodeTable(names, section));
    }
    if (numeric(names).anyMatch(column -> column.observed().count() > 0)) {
      out.section(
          SPREAD,
          section -> numeric(names).forEach(column -> section.float64(column.observed().spread())));
    }
    if (names.origin.fillsZero()) {
      out.section(ZERO, section -> {});
    }
  }

  private static Stream<NumericColumn> numeric(SchemaNames names) {
    return names.columns.stream().filter(Column::isNumeric).map(NumericColumn.class::cast);
  }

  private static SchemaNames decodeSpreads(Decoder in, SchemaNames names)
      throws ModelFileException {
    for (NumericColumn column : numeric(names).toList()) {
      double spread = in.float64();
      check(!(spread < 0) && !Double.isInfinite(spread), "a spread must not be negative", spread);
      column.restore(column.observed().count(), column.mean(), spread);
    }
    return names;
  }

  private static boolean isSpecial(Column column) {
    return column.kind() != ColumnKind.NUMBER && column.kind() != ColumnKind.CATEGORIES;
  }

  private static void encodeTable(SchemaNames names, Encoder out) {
    names.origin.encode(out);
    List<Column> special = names.columns.stream().filter(SchemaCodec::isSpecial).toList();
    out.int32(special.size());
    for (Column column : special) {
      out.int32(column.place);
      out.int32(column.kind().tag);
      column.encodeKind(out);
    }
  }

  private static SchemaNames decodeTable(Decoder in, SchemaNames names) throws ModelFileException {
    names.origin = TableOrigin.decode(in);
    int special = in.int32("the columns of a special kind", names.columns.size());
    for (int i = 0; i < special; i++) {
      Column column = names.columns.get(in.int32("a column", names.columns.size() - 1));
      ColumnKind kind = ColumnKind.decode(in);
      check(kind.isNumeric() == column.isNumeric(), "the kind must fit the column", kind);
      check(kind != ColumnKind.IGNORED, "a column that is left out has no place", kind);
      column.decodeKind(kind, in);
    }
    return names;
  }

  static SchemaNames decode(Decoder in) throws ModelFileException {
    SchemaNames names = new SchemaNames();
    Map<Integer, Feature> features = new HashMap<>();
    int columns = in.int32("the number of columns", Features.MAX_DIMENSION);
    for (int i = 0; i < columns; i++) {
      decodeColumn(in, names, features);
    }
    for (int i = 0; i < features.size(); i++) {
      check(features.containsKey(i), "feature indices must not have gaps", i);
      names.features.add(features.get(i));
    }
    decodeLabels(in, names);
    in.optional(TABLE, section -> decodeTable(section, names));
    in.optional(SPREAD, section -> decodeSpreads(section, names));
    if (in.skipIfPresent(ZERO)) {
      names.origin = names.origin.withZeros();
    }
    return names;
  }

  private static void decodeColumn(Decoder in, SchemaNames names, Map<Integer, Feature> features)
      throws ModelFileException {
    String name = in.text();
    check(!names.columnOf.containsKey(name), "a column name must appear once", name);
    int place = names.columns.size();
    if (in.bool()) {
      NumericColumn column = names.add(new NumericColumn(name, place, decodeIndex(in)));
      column.restore(
          in.count("the count of a column"), in.finite("the mean of a column"), Double.NaN);
      own(features, column.index(), new Feature(column, null));
    } else {
      decodeCategories(in, names.add(new CategoricalColumn(name, place)), features);
    }
  }

  private static void decodeCategories(
      Decoder in, CategoricalColumn column, Map<Integer, Feature> features)
      throws ModelFileException {
    int categories = in.int32("the number of categories", Features.MAX_DIMENSION);
    for (int i = 0; i < categories; i++) {
      String category = in.text();
      int index = decodeIndex(in);
      check(column.indices().put(category, index) == null, "categories must differ", category);
      own(features, index, new Feature(column, category));
    }
  }

  private static int decodeIndex(Decoder in) throws ModelFileException {
    return in.int32("a feature index", Features.MAX_DIMENSION - 1);
  }

  private static void own(Map<Integer, Feature> features, int index, Feature feature)
      throws ModelFileException {
    check(features.put(index, feature) == null, "a feature must have one owner", index);
  }

  private static void decodeLabels(Decoder in, SchemaNames names) throws ModelFileException {
    names.numberLabels = in.bool();
    int labels = in.int32("the number of labels", names.numberLabels ? 0 : SchemaNames.MAX_LABELS);
    for (int i = 0; i < labels; i++) {
      String text = in.text();
      check(!names.labelOf.containsKey(text), "labels must differ", text);
      names.addLabel(text);
    }
  }
}
