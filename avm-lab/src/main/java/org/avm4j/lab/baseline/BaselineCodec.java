package org.avm4j.lab.baseline;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * What stands inside a file of kind {@code baseline-NAME}.
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
    encode(out, options.task());
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

  /** The options; numbers that {@link BaselineOptions} refuses are refused in its words. */
  static BaselineOptions decodeOptions(Decoder in) throws ModelFileException {
    try {
      return new BaselineOptions(
          Method.named(in.text()),
          decodeTask(in),
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

  private static void encode(Encoder out, Task task) {
    if (task instanceof Task.Multiclass multiclass) {
      out.int32(1);
      out.int32(multiclass.declared().size());
      multiclass.declared().forEach(out::float64);
    } else {
      out.int32(task instanceof Task.Binary ? 0 : 2);
    }
  }

  private static Task decodeTask(Decoder in) throws ModelFileException {
    return switch (in.int32("the task", 2)) {
      case 0 -> new Task.Binary();
      case 1 -> new Task.Multiclass(decodeDeclared(in));
      default -> new Task.Regression();
    };
  }

  private static List<Double> decodeDeclared(Decoder in) throws ModelFileException {
    int count = in.int32("the number of declared classes", Integer.MAX_VALUE);
    List<Double> declared = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      declared.add(in.finite("a class label"));
    }
    return declared;
  }
}
