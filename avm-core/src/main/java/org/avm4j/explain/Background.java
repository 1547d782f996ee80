package org.avm4j.explain;

import java.util.Optional;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * What is known about the data that a model learned: the usual row that explanations compare a row
 * with, and the importance of columns. Immutable.
 *
 * @param usual the row that has the {@linkplain UsualValues usual value} in every column, if it is
 *     known
 * @param importance how much the model depends on each column, if that was measured
 */
public record Background(Optional<Features> usual, Optional<Importance> importance) {
  /** Nothing is known. */
  public static final Background UNKNOWN = new Background(Optional.empty(), Optional.empty());

  /** The same with these usual values. */
  public Background withUsual(Features row) {
    return new Background(Optional.of(row.copy()), importance);
  }

  /** The same with this importance of columns. */
  public Background withImportance(Importance measured) {
    return new Background(usual, Optional.of(measured));
  }

  /**
   * Appends whether there is a usual row (1), and if so the number of its entries (4), the index
   * (4) and value (8) of each; whether there is an importance (1), and if so the importance.
   */
  public void encode(Encoder out) {
    out.bool(usual.isPresent());
    usual.ifPresent(row -> encode(row, out));
    out.bool(importance.isPresent());
    importance.ifPresent(known -> known.encode(out));
  }

  private static void encode(Features row, Encoder out) {
    out.int32(row.count());
    for (int e = 0; e < row.count(); e++) {
      out.int32(row.index(e));
      out.float64(row.value(e));
    }
  }

  /** What was appended. */
  public static Background decode(Decoder in) throws ModelFileException {
    Optional<Features> usual = in.bool() ? Optional.of(decodeRow(in)) : Optional.empty();
    return new Background(usual, in.bool() ? Optional.of(Importance.decode(in)) : Optional.empty());
  }

  private static Features decodeRow(Decoder in) throws ModelFileException {
    int entries = in.int32("the usual values", Features.MAX_DIMENSION);
    Features.Buffer row = new Features.Buffer();
    for (int e = 0; e < entries; e++) {
      int index = in.int32("a feature", Features.MAX_DIMENSION - 1);
      Decoder.check(index >= row.features().dimension(), "features must ascend", index);
      row.add(index, in.finite("a usual value"));
    }
    return row.features();
  }
}
