package org.avm4j.lab.baseline;

import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The content of a file of kind {@code baseline-NAME}.
 *
 * <pre>
 * baseline      options, n× class label (8), then by method:
 *   kernel      t (8), expansion, what the budget remembers
 *   fogd        w is 0 (1), for each column 2D× w (8)
 *   nogd        expansion, is linear (1), then k (4), k times B× map (8), for each column k× w (8)
 * options       method (text), task (4) and for multiclass n× declared class (8), γ, B (4), η, η', λ,
 *               D (4), k (4), C, ε, threshold, clip (8 each), toolbox (1), seed (8)
 * expansion     core set, scale (8), clock (8), S times (8), for each column S× coefficient (8)
 * </pre>
 */
final class BaselineCodec {
  private BaselineCodec() {}

  static void encode(Encoder out, BaselineOptions options) {
    out.text(options.method().id());
    options.task().encode(out);
    out.float64(options.gamma());
    out.int32(options.budget());
    out.float64(options.eta());
    out.float64(options.linearEta());
    out.float64(options.lambda());
    out.int32(options.features());
    out.int32(options.rank());
    out.float64(options.aggressiveness());
    out.float64(options.epsilon());
    out.float64(options.threshold());
    out.float64(options.clip());
    out.bool(options.toolbox());
    out.int64(options.seed());
  }

  /** Reads the options; values that {@link BaselineOptions} refuses are damage. */
  static BaselineOptions decodeOptions(Decoder in) throws ModelFileException {
    try {
      return new BaselineOptions(
          Method.named(in.text()),
          Task.decode(in),
          in.float64(),
          in.int32(),
          in.float64(),
          in.float64(),
          in.float64(),
          in.int32(),
          in.int32(),
          in.float64(),
          in.float64(),
          in.float64(),
          in.float64(),
          in.bool(),
          in.int64());
    } catch (IllegalArgumentException refused) {
      throw new ModelFileException("damaged content: " + refused.getMessage());
    }
  }
}
