package org.avm4j.data;

import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * A column of texts. What a category is depends on the kind: a text, a part of a date, or a bucket
 * of words.
 */
public final class CategoricalColumn extends Column {
  /** The category shared by all texts of a capped column without a category of their own. */
  static final String OTHER = "(other)";

  private final Map<String, Integer> indices = new LinkedHashMap<>();
  private long count;
  private double meanYear;

  CategoricalColumn(String name, int place) {
    super(name, place, ColumnKind.CATEGORIES);
  }

  @Override
  String featureName(String category) {
    boolean isPart = kind().isDate() || kind() == ColumnKind.WORDS;
    return name() + (isPart ? " " : "=") + category;
  }

  void observeYear(double year) {
    count++;
    meanYear += (year - meanYear) / count;
  }

  @Override
  void restore(long observed, double itsMean, double itsSpread) {
    count = observed;
    meanYear = itsMean;
  }

  long years() {
    return count;
  }

  double meanYear() {
    return meanYear;
  }

  @Override
  public int otherIndex() {
    return kind() == ColumnKind.CAPPED ? indices.getOrDefault(OTHER, NO_FEATURE) : NO_FEATURE;
  }

  /** The mean year for the year of a date, and 0 for all other categories. */
  @Override
  public double replacement(String category) {
    return kind().isDate() && category.equals(DateParts.YEAR) ? meanYear : 0;
  }

  @Override
  Map<String, Integer> indices() {
    return indices;
  }

  @Override
  public boolean accepts(String text) {
    return !kind().isDate() || DateParts.of(text, kind()) != null;
  }

  @Override
  void check(Object value, boolean isStrict) {
    String text = text(value);
    if (isStrict && !accepts(text)) {
      throw unreadable(text);
    }
  }

  IllegalArgumentException unreadable(String text) {
    return refused("dates", text);
  }

  @Override
  void set(Object value, Sink row) {
    String text = text(value);
    switch (kind()) {
      case DATE, DATE_MONTH_FIRST -> setDate(text, row);
      case WORDS -> row.add(this, TextWords.of(text));
      default -> row.add(this, text);
    }
  }

  /** Sets the parts of a date; a text that is not a date counts as missing. */
  private void setDate(String text, Sink row) {
    Map<String, Double> parts = DateParts.of(text, kind());
    if (parts == null) {
      row.addUnreadable(this, text);
    } else {
      row.addDate(this, parts);
    }
  }

  private String text(Object value) {
    if (!(value instanceof Number number)) {
      return UnicodeText.check("a value of column '" + name() + "'", (String) value);
    }
    if (!Double.isFinite(Decimal.value(number))) {
      throw refused("texts or finite numbers", value);
    }
    return Decimal.text(number);
  }

  @Override
  void setMissing(boolean byMean, Sink row) {
    if (kind().isDate() && byMean && indices.containsKey(DateParts.YEAR)) {
      row.replace(indices.get(DateParts.YEAR), meanYear);
    }
  }

  @Override
  CategoricalColumn copy() {
    CategoricalColumn copy = new CategoricalColumn(name(), place);
    copy.indices.putAll(indices);
    copy.use(kind());
    copy.restore(count, meanYear, 0);
    return copy;
  }

  @Override
  void encodeKind(Encoder out) {
    out.int64(count);
    out.float64(meanYear);
  }

  @Override
  void decodeKind(ColumnKind special, Decoder in) throws ModelFileException {
    use(special);
    restore(in.count("the dates of a column"), in.finite("the mean of a date"), 0);
  }

  @Override
  void encode(Encoder out) {
    out.int32(indices.size());
    indices.forEach(
        (category, index) -> {
          out.text(category);
          out.int32(index);
        });
  }
}
