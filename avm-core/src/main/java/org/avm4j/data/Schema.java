package org.avm4j.data;

import static org.avm4j.codec.Decoder.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * What names mean: which feature index a column, or a category of it, has, and which number a label
 * written as text has. A model keeps its schema, so that a file with its columns in another order
 * is read as the training data was.
 *
 * <p>A numeric column owns one feature; a categorical column owns one for each category, which is 1
 * where the category is present. Indices come from one running counter in order of appearance, so
 * new columns and categories may appear at any time. Text labels are numbered 0, 1, 2, … in order
 * of appearance; labels that are numbers stay what they are, and one data set does not mix the two.
 *
 * <p>{@link #frozen} gives the same names to a reader that must not learn new ones.
 */
public final class Schema {
  /** The index of a category that a frozen schema has never seen. */
  public static final int NONE = -1;

  private static final int MAX_LABELS = 1 << 16;

  private final Names names;
  private final boolean frozen;
  private Schema snapshot;

  /** An empty schema, to be filled by a reader. */
  public Schema() {
    this(new Names(), false);
  }

  private Schema(Names names, boolean frozen) {
    this.names = names;
    this.frozen = frozen;
  }

  /** A column of the input. */
  public abstract static sealed class Column {
    private final String name;

    private Column(String name) {
      this.name = name;
    }

    /** The name in the header. */
    public final String name() {
      return name;
    }

    abstract Column copy();
  }

  /** A column of numbers, with the mean that stands in for missing ones. */
  public static final class Numeric extends Column {
    private final int index;
    private long count;
    private double mean;

    private Numeric(String name, int index) {
      super(name);
      this.index = index;
    }

    /** The feature of this column. */
    public int index() {
      return index;
    }

    /** The mean of the numbers observed so far, 0 before the first. */
    public double mean() {
      return mean;
    }

    @Override
    Numeric copy() {
      Numeric copy = new Numeric(name(), index);
      copy.count = count;
      copy.mean = mean;
      return copy;
    }
  }

  /** A column of texts, each with a feature of its own. */
  public static final class Categorical extends Column {
    private final Map<String, Integer> indices = new LinkedHashMap<>();

    private Categorical(String name) {
      super(name);
    }

    /** The categories in order of appearance. */
    public Set<String> categories() {
      return Collections.unmodifiableSet(indices.keySet());
    }

    @Override
    Categorical copy() {
      Categorical copy = new Categorical(name());
      copy.indices.putAll(indices);
      return copy;
    }
  }

  private record Feature(Column column, String category) {
    String name() {
      return category == null ? column.name : column.name + "=" + category;
    }
  }

  private static final class Names {
    final List<Column> columns = new ArrayList<>();
    final Map<String, Column> columnOf = new HashMap<>();
    final List<Feature> features = new ArrayList<>();
    final List<String> labels = new ArrayList<>();
    final Map<String, Integer> labelOf = new HashMap<>();
    boolean numberLabels;
    long changes;

    <C extends Column> C add(C column) {
      columns.add(column);
      columnOf.put(column.name(), column);
      changes++;
      return column;
    }

    Names copy() {
      Names copy = new Names();
      Map<Column, Column> copies = new IdentityHashMap<>();
      columns.forEach(column -> copies.put(column, copy.add(column.copy())));
      features.forEach(
          feature -> copy.features.add(new Feature(copies.get(feature.column), feature.category)));
      copy.labels.addAll(labels);
      copy.labelOf.putAll(labelOf);
      copy.numberLabels = numberLabels;
      copy.changes = changes;
      return copy;
    }
  }

  /** The names as they are now: an immutable schema that may be shared between threads. */
  public Schema snapshot() {
    if (snapshot == null || snapshot.names.changes != names.changes) {
      snapshot = new Schema(names.copy(), true);
      snapshot.snapshot = snapshot;
    }
    return snapshot;
  }

  /** The same names, now and later, for a reader that must not add to them. */
  public Schema frozen() {
    return new Schema(names, true);
  }

  /** Whether unseen names are left out instead of being added. */
  public boolean isFrozen() {
    return frozen;
  }

  /** All columns in order of appearance. */
  public List<Column> columns() {
    return Collections.unmodifiableList(names.columns);
  }

  /** The column of this name, null where there is none. */
  public Column column(String name) {
    return names.columnOf.get(name);
  }

  /** Adds a column of numbers. */
  public Numeric addNumeric(String name) {
    checkNew(name);
    Numeric column = new Numeric(name, names.features.size());
    addFeature(column, null);
    return names.add(column);
  }

  /** Adds a column of texts. */
  public Categorical addCategorical(String name) {
    checkNew(name);
    return names.add(new Categorical(name));
  }

  /** The feature of this category, added where it is new; {@link #NONE} if it is new and frozen. */
  public int index(Categorical column, String category) {
    Integer known = column.indices.get(category);
    if (known != null || frozen) {
      return known == null ? NONE : known;
    }
    int index = names.features.size();
    addFeature(column, category);
    column.indices.put(category, index);
    return index;
  }

  /** Counts this number in the mean of its column; a frozen schema does not change. */
  public void observe(Numeric column, double value) {
    if (!frozen) {
      names.changes++;
      column.count++;
      column.mean += value / column.count - column.mean / column.count;
    }
  }

  /** One more than the largest feature index in use. */
  public int dimension() {
    return names.features.size();
  }

  /** "age" or "colour=red"; "x7" for the seventh feature if it has no name. */
  public String featureName(int index) {
    return index < dimension() ? names.features.get(index).name() : "x" + (index + 1);
  }

  /** The column that owns this feature. */
  public Column columnOf(int index) {
    return names.features.get(index).column;
  }

  /** The category that this feature stands for, null if its column is numeric. */
  public String categoryOf(int index) {
    return names.features.get(index).category;
  }

  /**
   * The number of a label: itself if labels are numbers, its place in the dictionary if they are
   * texts. A new text in a frozen schema is one more than all known ones, which no model answers.
   */
  public double label(String text) {
    double number = Decimal.parse(text);
    if (!names.labels.isEmpty() || !Double.isFinite(number)) {
      return textLabel(text);
    }
    if (!frozen && !names.numberLabels) {
      names.numberLabels = true;
      names.changes++;
    }
    return number;
  }

  /** The place of a label in the dictionary, also if it looks like a number. */
  public double textLabel(String text) {
    Integer known = names.labelOf.get(text);
    if (known != null || frozen) {
      return known == null ? unknownLabel() : known;
    }
    if (names.numberLabels) {
      throw new IllegalArgumentException("labels have been numbers so far, found '" + text + "'");
    }
    if (names.labels.size() == MAX_LABELS) {
      throw new IllegalArgumentException("more than " + MAX_LABELS + " different text labels");
    }
    return addLabel(text);
  }

  private double unknownLabel() {
    return names.labels.isEmpty() ? Double.NaN : names.labels.size();
  }

  /** The text of a label: from the dictionary, or the number itself. */
  public String labelText(double label) {
    boolean text = label >= 0 && label < names.labels.size() && label == Math.rint(label);
    return text ? names.labels.get((int) label) : Decimal.text(label);
  }

  /** The dictionary of text labels, empty if labels are numbers. */
  public List<String> labels() {
    return Collections.unmodifiableList(names.labels);
  }

  /** Appends all names. */
  public void encode(Encoder out) {
    out.int32(names.columns.size());
    names.columns.forEach(column -> encode(column, out));
    out.bool(names.numberLabels);
    out.int32(names.labels.size());
    names.labels.forEach(out::text);
  }

  private static void encode(Column column, Encoder out) {
    out.text(column.name);
    out.bool(column instanceof Numeric);
    if (column instanceof Numeric numeric) {
      out.int32(numeric.index);
      out.int64(numeric.count);
      out.float64(numeric.mean);
    } else if (column instanceof Categorical categorical) {
      out.int32(categorical.indices.size());
      categorical.indices.forEach(
          (category, index) -> {
            out.text(category);
            out.int32(index);
          });
    }
  }

  /** Reads what {@link #encode} wrote. */
  public static Schema decode(Decoder in) throws ModelFileException {
    Names names = new Names();
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
    return new Schema(names, false);
  }

  private static void decodeColumn(Decoder in, Names names, Map<Integer, Feature> features)
      throws ModelFileException {
    String name = in.text();
    check(!names.columnOf.containsKey(name), "a column name must appear once", name);
    if (in.bool()) {
      Numeric column = names.add(new Numeric(name, decodeIndex(in)));
      column.count = in.count("the count of a column");
      column.mean = in.finite("the mean of a column");
      own(features, column.index, new Feature(column, null));
    } else {
      Categorical column = names.add(new Categorical(name));
      int categories = in.int32("the number of categories", Features.MAX_DIMENSION);
      for (int i = 0; i < categories; i++) {
        String category = in.text();
        int index = decodeIndex(in);
        check(column.indices.put(category, index) == null, "categories must differ", category);
        own(features, index, new Feature(column, category));
      }
    }
  }

  private static int decodeIndex(Decoder in) throws ModelFileException {
    return in.int32("a feature index", Features.MAX_DIMENSION - 1);
  }

  private static void own(Map<Integer, Feature> features, int index, Feature feature)
      throws ModelFileException {
    check(features.put(index, feature) == null, "a feature must have one owner", index);
  }

  private static void decodeLabels(Decoder in, Names names) throws ModelFileException {
    names.numberLabels = in.bool();
    int labels = in.int32("the number of labels", names.numberLabels ? 0 : MAX_LABELS);
    for (int i = 0; i < labels; i++) {
      String text = in.text();
      check(names.labelOf.put(text, i) == null, "labels must differ", text);
      names.labels.add(text);
    }
  }

  private void checkNew(String name) {
    if (frozen || names.columnOf.containsKey(name)) {
      throw new IllegalStateException(
          "a column must be new and the schema not frozen: '" + name + "'");
    }
  }

  private void addFeature(Column column, String category) {
    if (dimension() == Features.MAX_DIMENSION) {
      throw new IllegalArgumentException(
          "a schema holds at most " + Features.MAX_DIMENSION + " features");
    }
    names.features.add(new Feature(column, category));
    names.changes++;
  }

  private double addLabel(String text) {
    int label = names.labels.size();
    names.labels.add(text);
    names.labelOf.put(text, label);
    names.changes++;
    return label;
  }
}
