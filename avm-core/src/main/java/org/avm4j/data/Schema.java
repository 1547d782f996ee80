package org.avm4j.data;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The dictionary of names: the feature index of each column or category, and the number of each
 * label that is a text. A model keeps its schema, so that a file with its columns in another order
 * is read like the training data. A {@link RowEncoder} uses it to turn rows into features.
 *
 * <p>A numeric column owns one feature; a categorical column owns one for each category, which is 1
 * where the category is present. Indices come from one running counter in order of appearance, so
 * new columns and categories may appear at any time. Text labels are numbered 0, 1, 2, … in order
 * of appearance; labels that are numbers stay what they are, and one data set does not mix the two.
 *
 * <p>A schema is confined to one thread; a {@link #snapshot} may be shared. {@link #frozen} gives
 * the same names to a reader that must not learn new ones.
 */
public final class Schema {
  /** The index of a category that a frozen schema has never seen. */
  public static final int NONE = Column.NO_FEATURE;

  private final SchemaNames names;
  private final boolean frozen;
  private final AppendedNames appended;
  private Schema snapshot;

  /** An empty schema, to be filled by a reader. */
  public Schema() {
    this(new SchemaNames(), false, AppendedNames.NONE);
  }

  private Schema(SchemaNames names, boolean frozen, AppendedNames appended) {
    this.names = names;
    this.frozen = frozen;
    this.appended = appended;
  }

  /**
   * A view of this schema with names for features that no column owns. The names are shown to
   * people and not saved.
   *
   * @param first the first of these features; those of the columns come before it
   */
  public Schema withAppended(int first, List<String> features) {
    return new Schema(names, frozen, new AppendedNames(first, List.copyOf(features)));
  }

  /** An immutable copy of the present names, which may be shared between threads. */
  public Schema snapshot() {
    if (snapshot == null || snapshot.names.changes != names.changes) {
      snapshot = new Schema(names.copy(), true, appended);
      snapshot.snapshot = snapshot;
    }
    return snapshot;
  }

  /** A read-only view of this schema, for a reader that must not add names. */
  public Schema frozen() {
    return new Schema(names, true, appended);
  }

  /** An independent copy, which can learn new names. */
  public Schema copy() {
    return new Schema(names.copy(), false, appended);
  }

  /**
   * Begins a row: what is learned from here on can be {@linkplain #rollback undone} until it is
   * {@linkplain #commit kept}, or until the next row begins. A frozen schema has nothing to undo.
   */
  public void begin() {
    if (!frozen) {
      names.undo.begin();
    }
  }

  /** Undoes what was learned since the row {@linkplain #begin began}. */
  public void rollback() {
    if (!frozen) {
      names.undo.rollback();
    }
  }

  /** Keeps what was learned since the row {@linkplain #begin began}. */
  public void commit() {
    if (!frozen) {
      names.undo.commit();
    }
  }

  /** Whether unseen names are left out instead of being added. */
  public boolean isFrozen() {
    return frozen;
  }

  /** All columns in order of appearance. */
  public List<Column> columns() {
    return Collections.unmodifiableList(names.columns);
  }

  /** The column of this name; null if there is none. */
  public Column column(String name) {
    return names.columnOf.get(name);
  }

  /**
   * The column of this name, which is added if it is new; null if it is new and the schema is
   * frozen.
   */
  public Column column(String name, boolean numeric) {
    Column known = column(name);
    if (known != null || frozen) {
      return known;
    }
    return numeric ? addNumeric(name) : addCategorical(name);
  }

  /**
   * The columns that rows with these names lack. Throws an exception if the schema has columns and
   * none of them is present, or if it is frozen and has none.
   */
  public List<Column> absent(Set<String> present) {
    checkHasNames();
    return names.absent(present);
  }

  /** Throws an exception if the schema is frozen and has no columns. */
  public void checkHasNames() {
    if (frozen && names.columns.isEmpty()) {
      throw new IllegalArgumentException(
          "the model knows no column names, for it learned from rows without them");
    }
  }

  /** Adds a column of numbers. */
  public NumericColumn addNumeric(String name) {
    checkNew(name);
    NumericColumn column = new NumericColumn(name, names.columns.size(), names.features.size());
    names.addFeature(column, null);
    return names.add(column);
  }

  /** Adds a column of texts. */
  public CategoricalColumn addCategorical(String name) {
    checkNew(name);
    return names.add(new CategoricalColumn(name, names.columns.size()));
  }

  private void checkNew(String name) {
    UnicodeText.check("the name of a column", name);
    if (frozen || names.columnOf.containsKey(name)) {
      throw new IllegalStateException(
          "a column must be new and the schema not frozen: '" + name + "'");
    }
  }

  /**
   * Adds a column of a kind; one that is left out is only noted in the {@link #origin}.
   *
   * @param categories the categories that have a feature from the start; of a capped column all
   */
  public void declare(String name, ColumnKind kind, List<String> categories) {
    if (kind == ColumnKind.IGNORED) {
      describe(names.origin.without(name));
    } else if (kind.isNumeric()) {
      addNumeric(name).use(kind);
    } else {
      CategoricalColumn column = addCategorical(name);
      categories.forEach(category -> index(column, category));
      if (kind == ColumnKind.CAPPED) {
        index(column, CategoricalColumn.OTHER);
      }
      column.use(kind);
    }
  }

  /** Adds a column of numbers with units. */
  public void declare(String name, Units units) {
    addNumeric(name).use(units);
  }

  /** Where the rows come from, as far as it is known. */
  public TableOrigin origin() {
    return names.origin;
  }

  /** Notes where the rows come from; a frozen schema does not change. */
  public void describe(TableOrigin origin) {
    if (!frozen) {
      names.use(origin);
    }
  }

  /**
   * The feature of this category, which is added if it is new; {@link #NONE} if it is new and the
   * schema is frozen.
   */
  public int index(Column column, String category) {
    Integer known = column.indices().get(category);
    if (known == null && column.kind() == ColumnKind.CAPPED) {
      known = column.indices().get(CategoricalColumn.OTHER);
    }
    if (known != null || frozen) {
      return known == null ? NONE : known;
    }
    int index = names.addFeature(column, category);
    column.indices().put(category, index);
    return index;
  }

  /** Adds a number to the mean of its column; a frozen schema does not change. */
  public void observe(NumericColumn column, double value) {
    if (!frozen) {
      names.changes++;
      RobustMean mean = column.observed();
      names.undo.observe(column, mean.count(), mean.mean(), mean.spread());
      mean.observe(value);
    }
  }

  /** Adds a year, if there is one, to the mean of its column. */
  void observe(CategoricalColumn column, Double year) {
    if (!frozen && year != null) {
      names.changes++;
      names.undo.observe(column, column.years(), column.meanYear(), 0);
      column.observeYear(year);
    }
  }

  /** One more than the largest feature index in use. */
  public int dimension() {
    return names.features.size();
  }

  /** "age" or "colour=red"; "x7" for the seventh feature if it has no name. */
  public String featureName(int index) {
    return index < dimension() ? names.features.get(index).name() : appended.name(index);
  }

  /** The column that owns this feature. */
  public Column columnOf(int index) {
    return names.features.get(index).column();
  }

  /** The category that this feature stands for, null if its column is numeric. */
  public String categoryOf(int index) {
    return names.features.get(index).category();
  }

  /**
   * The number of a label: itself if labels are numbers, its place in the dictionary if they are
   * texts. A new text in a frozen schema is one more than all known ones, which no model answers.
   */
  public double label(String text) {
    return names.label(text, frozen);
  }

  /** The same for a finite number, which counts as its text if labels are texts. */
  public double label(Number number) {
    return names.label(number, frozen);
  }

  /** The place of a label in the dictionary, also if it looks like a number. */
  public double textLabel(String text) {
    return names.textLabel(text, frozen);
  }

  /** Whether a label is known, or may be any number because labels are numbers. */
  public boolean knowsLabel(String text) {
    return names.knowsLabel(text);
  }

  /** The text of a label: from the dictionary, or the number itself. */
  public String labelText(double label) {
    return names.labelText(label);
  }

  /** The dictionary of text labels, empty if labels are numbers. */
  public List<String> labels() {
    return Collections.unmodifiableList(names.labels);
  }

  /** Appends all names. */
  public void encode(Encoder out) {
    SchemaCodec.encode(names, out);
  }

  /** Reads what {@link #encode} wrote. */
  public static Schema decode(Decoder in) throws ModelFileException {
    return new Schema(SchemaCodec.decode(in), false, AppendedNames.NONE);
  }
}
