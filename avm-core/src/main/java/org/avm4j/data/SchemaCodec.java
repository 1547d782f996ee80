package org.avm4j.data;

import static org.avm4j.codec.Decoder.check;

import java.util.HashMap;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Column.Categorical;
import org.avm4j.data.Column.Numeric;
import org.avm4j.data.SchemaNames.Feature;

/**
 * The bytes of a {@link Schema}: the number of columns (4) and the columns; whether labels are
 * numbers (1); the number of text labels (4) and the labels (text).
 *
 * <p>A column: its name (text) and whether it is numeric (1). Then, if numeric, its feature (4),
 * the count (8) and the mean (8) of its numbers; else the number of categories (4), and a text and
 * a feature (4) for each.
 */
final class SchemaCodec {
  private SchemaCodec() {}

  static void encode(SchemaNames names, Encoder out) {
    out.int32(names.columns.size());
    names.columns.forEach(
        column -> {
          out.text(column.name());
          out.bool(column.isNumeric());
          column.encode(out);
        });
    out.bool(names.numberLabels);
    out.int32(names.labels.size());
    names.labels.forEach(out::text);
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
    return names;
  }

  private static void decodeColumn(Decoder in, SchemaNames names, Map<Integer, Feature> features)
      throws ModelFileException {
    String name = in.text();
    check(!names.columnOf.containsKey(name), "a column name must appear once", name);
    int place = names.columns.size();
    if (in.bool()) {
      Numeric column = names.add(new Numeric(name, place, decodeIndex(in)));
      column.restore(in.count("the count of a column"), in.finite("the mean of a column"));
      own(features, column.index(), new Feature(column, null));
    } else {
      decodeCategories(in, names.add(new Categorical(name, place)), features);
    }
  }

  private static void decodeCategories(
      Decoder in, Categorical column, Map<Integer, Feature> features) throws ModelFileException {
    int categories = in.int32("the number of categories", Features.MAX_DIMENSION);
    for (int i = 0; i < categories; i++) {
      String category = in.text();
      int index = decodeIndex(in);
      check(column.indices.put(category, index) == null, "categories must differ", category);
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
    int labels = in.int32("the number of labels", names.numberLabels ? 0 : Schema.MAX_LABELS);
    for (int i = 0; i < labels; i++) {
      String text = in.text();
      check(!names.labelOf.containsKey(text), "labels must differ", text);
      names.addLabel(text);
    }
  }
}
