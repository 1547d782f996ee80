package org.avm4j.export;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.avm4j.data.Column;
import org.avm4j.data.DateParts;
import org.avm4j.data.Schema;
import org.avm4j.data.TextWords;

/**
 * The inputs of a graph for a table, and the row of features that it makes of them. Each column has
 * an input of its own name:
 *
 * <ul>
 *   <li>numbers: doubles of shape [N, 1]; NaN is missing and becomes the mean of the column;
 *   <li>texts: strings of shape [N, 1]; the empty string is missing. A string that was not learned
 *       sets no feature, or that of all others if the column has one;
 *   <li>words: doubles of shape [N, {@link TextWords#BUCKETS}], the value of each bucket.
 * </ul>
 *
 * <p>ONNX has no operator that parses dates. A column of dates has an input of doubles for each
 * part, such as {@code when year}; NaN is missing.
 */
final class OnnxColumns {
  private final Graph graph;
  private final Schema schema;
  private final List<String> blocks = new ArrayList<>();
  private final List<Integer> features = new ArrayList<>();

  OnnxColumns(Graph graph, Schema schema) {
    this.graph = graph;
    this.schema = schema;
  }

  /** Adds the inputs; all features side by side, in the order that the model knows them in. */
  String row() {
    schema.columns().forEach(this::add);
    String all = graph.add("Concat", blocks, Graph.attribute("axis", 1));
    long[] order = new long[features.size()];
    for (int place = 0; place < order.length; place++) {
      order[features.get(place)] = place;
    }
    return graph.add("Gather", all, graph.longs(order), Graph.attribute("axis", 1));
  }

  private void add(Column column) {
    switch (column.kind()) {
      case NUMBER, DECIMAL_COMMA, GROUPED, UNITS -> addNumbers(column);
      case CATEGORIES, CAPPED -> addTexts(column);
      case DATE, DATE_MONTH_FIRST -> addDates(column);
      case WORDS -> addWords(column);
      default -> throw ExportPlan.notExported(column);
    }
  }

  private void addNumbers(Column column) {
    String description = "numbers; NaN where one is missing";
    blocks.add(number(column.name(), schema.origin().fill(column), description));
    features.add(column.index());
  }

  private String number(String input, double replacement, String description) {
    graph.input(input, Graph.DOUBLE, 1, description);
    String isMissing = graph.add("IsNaN", input);
    return graph.add("Where", List.of(isMissing, graph.number(replacement), input));
  }

  private void addDates(Column column) {
    for (String part : column.categories()) {
      int feature = schema.index(column, part);
      String description =
          "the part '%s' of the dates in '%s'; NaN where a date is missing, 0 where it lacks this part"
              .formatted(part, column.name());
      String value =
          number(
              free(schema.featureName(feature)), schema.origin().fill(column, part), description);
      blocks.add(part.equals(DateParts.YEAR) ? value : rounded(value));
      features.add(feature);
    }
  }

  /** Rounds a sine or cosine as the library does, so that those that should be 0 are 0. */
  private String rounded(String value) {
    String scale = graph.number(1e9);
    return graph.add("Div", graph.add("Round", graph.add("Mul", value, scale)), scale);
  }

  /** The name, with underscores appended while a column is called so. */
  private String free(String name) {
    String free = name;
    while (schema.column(free) != null) {
      free += "_";
    }
    return free;
  }

  private void addTexts(Column column) {
    List<String> categories = List.copyOf(column.categories());
    if (categories.isEmpty()) {
      graph.input(column.name(), Graph.STRING, 1, "texts, all of which are unknown");
      return;
    }
    addFeatures(column, categories);
    graph.input(column.name(), Graph.STRING, 1, describe(column));
    long[] places = LongStream.range(0, categories.size()).toArray();
    String isThere =
        graph.add("Equal", place(column, categories), graph.longs(places, 1, places.length));
    blocks.add(graph.cast(isThere, Graph.DOUBLE));
  }

  private static String describe(Column column) {
    String unseen =
        column.otherIndex() == Schema.NONE
            ? "one that was never learned counts as none"
            : "one without a feature of its own counts as '(other)'";
    return "texts; the empty one is missing, " + unseen;
  }

  /** The place of each text among the categories, -1 where it has none. */
  private String place(Column column, List<String> categories) {
    List<String> keys = new ArrayList<>(categories);
    List<Long> places = new ArrayList<>(LongStream.range(0, keys.size()).boxed().toList());
    if (!column.categories().contains("")) {
      keys.add("");
      places.add((long) Schema.NONE);
    }
    return graph.add(
        Graph.ML,
        "LabelEncoder",
        graph.fresh("category"),
        List.of(column.name()),
        Graph.attribute("keys_strings", keys),
        Graph.attribute("values_int64s", places.stream().mapToLong(place -> place).toArray()),
        Graph.attribute("default_int64", otherPlace(column, categories)));
  }

  private long otherPlace(Column column, List<String> categories) {
    int other = column.otherIndex();
    return other == Schema.NONE ? Schema.NONE : categories.indexOf(schema.categoryOf(other));
  }

  private void addWords(Column column) {
    List<String> buckets = List.copyOf(column.categories());
    String description = "the value of each bucket of words, as docs/encoding.md computes it";
    graph.input(column.name(), Graph.DOUBLE, TextWords.BUCKETS, description);
    if (!buckets.isEmpty()) {
      addFeatures(column, buckets);
      long[] numbers = buckets.stream().mapToLong(TextWords::number).toArray();
      blocks.add(
          graph.add("Gather", column.name(), graph.longs(numbers), Graph.attribute("axis", 1)));
    }
  }

  private void addFeatures(Column column, List<String> categories) {
    categories.forEach(category -> features.add(schema.index(column, category)));
  }
}
