package org.avm4j.anomaly;

import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Rules;

/**
 * The options of an {@link AnomalyDetector}; {@link #DEFAULT} suits most streams.
 *
 * @param support m, the fraction of the stream that an instance is compared with; a group of
 *     instances smaller than this fraction does not support itself
 * @param rate the fraction of the stream to report as anomalies
 * @param maxSize the largest number of cells
 * @param diameter δ, the smallest diameter of a cell in deviations of the features; it grows when
 *     there are too many cells
 */
public record AnomalyOptions(double support, double rate, int maxSize, double diameter) {
  /**
   * Suits most streams: support from a tenth of the stream, and one instance in a hundred is an
   * anomaly.
   */
  public static final AnomalyOptions DEFAULT = new AnomalyOptions(0.1, 0.01, 500, 0);

  public AnomalyOptions {
    Rules.check(support > 0 && support < 1, "the support must be > 0 and < 1", support);
    Rules.check(rate > 0 && rate < 1, "the rate of anomalies must be > 0 and < 1", rate);
    Rules.check(maxSize >= 2, "a size cap for anomalies must be at least 2", maxSize);
    Rules.notNegative("delta", diameter);
  }

  /** The same with another size cap. */
  public AnomalyOptions withMaxSize(int size) {
    return new AnomalyOptions(support, rate, size, diameter);
  }

  /** All options, by their names on the command line. */
  Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("task", "anomaly");
    all.put("support", support);
    all.put("anomaly-rate", rate);
    all.put("delta", diameter);
    all.put("max-size", maxSize);
    return all;
  }

  void encode(Encoder out) {
    out.float64(support);
    out.float64(rate);
    out.int32(maxSize);
    out.float64(diameter);
  }

  static AnomalyOptions decode(Decoder in) throws ModelFileException {
    return in.valid(
        from -> new AnomalyOptions(from.float64(), from.float64(), from.int32(), from.float64()));
  }
}
