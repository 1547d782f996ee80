package org.avm4j.data;

import java.util.Map;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** A column of numbers, with the mean that replaces missing ones. */
public final class NumericColumn extends Column {
  private final int index;
  private final RobustMean mean = new RobustMean();
  private Units units;

  NumericColumn(String name, int place, int index) {
    super(name, place, ColumnKind.NUMBER);
    this.index = index;
  }

  @Override
  public boolean accepts(String text) {
    return Double.isFinite(number(text));
  }

  /** The units of its numbers; null if they have none. */
  public Units units() {
    return units;
  }

  /** Reads its texts as numbers with units. */
  void use(Units those) {
    units = those;
    use(ColumnKind.UNITS);
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public double mean() {
    return mean.mean();
  }

  @Override
  Map<String, Integer> indices() {
    return Map.of();
  }

  RobustMean observed() {
    return mean;
  }

  @Override
  void restore(long count, double itsMean, double itsSpread) {
    mean.restore(count, itsMean, itsSpread);
  }

  @Override
  void check(Object value, boolean isStrict) {
    number(value);
  }

  @Override
  void set(Object value, Sink row) {
    row.add(this, number(value));
  }

  private double number(String text) {
    return units == null ? kind().number(text) : units.number(text);
  }

  private double number(Object value) {
    double number = value instanceof Number given ? Decimal.value(given) : number((String) value);
    if (!Double.isFinite(number)) {
      throw refused(units == null ? "finite numbers" : units.toString(), value);
    }
    if (Math.abs(number) > Features.LARGEST) {
      throw refused("numbers within ±1e15", value);
    }
    return number;
  }

  @Override
  void setMissing(boolean byMean, Sink row) {
    row.replace(this, byMean ? mean() : 0);
  }

  @Override
  NumericColumn copy() {
    NumericColumn copy = new NumericColumn(name(), place, index);
    copy.use(kind());
    copy.units = units;
    copy.restore(mean.count(), mean.mean(), mean.spread());
    return copy;
  }

  @Override
  void encode(Encoder out) {
    out.int32(index);
    out.int64(mean.count());
    out.float64(mean.mean());
  }

  @Override
  void encodeKind(Encoder out) {
    if (units != null) {
      units.encode(out);
    }
  }

  @Override
  void decodeKind(ColumnKind special, Decoder in) throws ModelFileException {
    if (special == ColumnKind.UNITS) {
      use(Units.decode(in));
    } else {
      use(special);
    }
  }
}
