package org.avm4j;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Classes;
import org.avm4j.internal.CoreSet;
import org.avm4j.internal.Packing;
import org.avm4j.internal.SplitMix;

/**
 * What stands inside the frame of {@link ModelFile}. {@code n×} means a count, then as many values.
 *
 * <pre>
 * avm-learner   options, classes, random state (8), y_max (8), updates at the cap (8), δ (8),
 *               core set, memory, n× count of a class (8), packing, sums
 * avm-model     library version (text), options, instances (8), cells (4), support vectors (4),
 *               updates at the cap (8), n× class label (8), core set, factor (8),
 *               n× column: coefficients
 *
 * options       task, loss, kernel, coverage, approximation, output, update: a tag (4), then its
 *               numbers (8); task also n× declared class (8); λ (8), size cap (4), policy (4), y_max (8),
 *               forgetting: a tag (4) and a horizon (8), class weights: balanced (1), n× [label (8), weight (8)],
 *               seed (8)
 * classes       n× label (8), in order of appearance
 * core set      d (4), S (4), S flags "is a cell" (1), n× [feature index (4), S× value (4)]
 * memory        m (8), and where something is forgotten: last look for vectors to release (8), S× when met (8);
 *               to find the horizon: the sum of the window (8), n× row [n× sum (8)], labels (8), their mean (8)
 *               and squares (8), drifts (8), n× drift [instance (8), before (8), after (8), memory (8)]
 * packing       where cells merge: S× reach (8), S× count (8), S× missed (8), "is measured" (1), if so S× place of the nearest (4),
 *               S× distance (8), S× 1 - k (8)
 * sums          T (8), scale (8), h (8), ‖A‖² (8), for each column [S× A (8), S× G (8)],
 *               n× kept [T' (8), columns (4), S' (4), for each column S'× sum (8)]
 *               or of the second-order step: T (8), w (8), w at the last renewal (8), typical residual (8), steps since P was renewed (8),
 *               S× R (8), lower half of Σ w κ k kᵀ by rows [n× (8)], n× waiting [S× (8)], the same two
 *               of P, for each column [S× β (8), S× b (8)], for several classes one column more
 * </pre>
 */
final class AvmCodec {
  private static final List<Class<? extends Kernel>> KERNELS =
      List.of(
          Kernel.Gaussian.class,
          Kernel.Laplacian.class,
          Kernel.RationalQuadratic.class,
          Kernel.Matern32.class,
          Kernel.Matern52.class);

  private AvmCodec() {}

  static Avm loadLearner(Path file) throws IOException {
    return ModelFile.load(file, Map.of(Avm.KIND, AvmCodec::decodeLearner));
  }

  static AvmModel loadModel(Path file) throws IOException {
    return ModelFile.load(
        file,
        Map.of(AvmModel.KIND, AvmCodec::decodeModel, Avm.KIND, in -> decodeLearner(in).snapshot()));
  }

  static Avm decodeLearner(Decoder in) throws ModelFileException {
    AvmOptions options = decodeOptions(in);
    Classes classes = decodeClasses(in);
    SplitMix random = new SplitMix(in.int64());
    double yMax = in.finite("y-max");
    long atLimit = in.count("the updates at the cap");
    double diameter = in.finite("the diameter");
    boolean isGrown = diameter >= options.coverage().diameter();
    Decoder.check(isGrown, "the diameter must be at least that of the options", diameter);
    CoreSet core = CoreSet.decode(in);
    Memory memory = Memory.decode(in, options.forgetting(), core.size());
    ClassMasses masses = ClassMasses.decode(in, options.classWeights());
    boolean merges = options.limit() == Limit.MERGE;
    Packing packing = merges ? Packing.decode(in, core.size()) : new Packing();
    int columns = options.task() instanceof Task.Multiclass ? classes.size() : 1;
    Weights weights = decodeWeights(in, options, memory, columns, core.size());
    return new Avm(
        options, core, packing, diameter, classes, memory, masses, weights, random, yMax, atLimit);
  }

  private static Weights decodeWeights(
      Decoder in, AvmOptions options, Memory memory, int columns, int size)
      throws ModelFileException {
    return options.update() instanceof Update.Newton newton
        ? NewtonWeights.decode(in, newton, options, memory, columns, size)
        : SgdWeights.decode(in, options.regularization(), memory, columns, size);
  }

  static AvmModel decodeModel(Decoder in) throws ModelFileException {
    String version = in.text();
    AvmOptions options = decodeOptions(in);
    Provenance provenance =
        new Provenance(
            version,
            options,
            in.count("the instances"),
            in.int32("the cells", Integer.MAX_VALUE),
            in.int32("the support vectors", Integer.MAX_VALUE),
            in.count("the updates at the cap"));
    int labels = in.int32();
    double[] classes = in.doubles(labels, 0);
    CoreSet core = CoreSet.decode(in);
    double factor = in.finite("the factor");
    int columns = options.task() instanceof Task.Multiclass ? labels : 1;
    Decoder.check(in.int32() == columns, "columns must be as many as classes", columns);
    double[][] coefficients = new double[columns][];
    for (int c = 0; c < columns; c++) {
      coefficients[c] = in.doubles(core.size(), 0);
    }
    return new AvmModel(core, classes, factor, coefficients, provenance);
  }

  static void encode(Encoder out, Provenance provenance) {
    out.text(provenance.libraryVersion());
    encode(out, provenance.options());
    out.int64(provenance.instances());
    out.int32(provenance.cells());
    out.int32(provenance.supportVectors());
    out.int64(provenance.atLimit());
  }

  static void encode(Encoder out, Classes classes) {
    out.int32(classes.size());
    for (int column = 0; column < classes.size(); column++) {
      out.float64(classes.label(column));
    }
  }

  private static Classes decodeClasses(Decoder in) throws ModelFileException {
    Classes classes = new Classes(List.of());
    int count = in.int32("the number of classes", Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      double label = in.finite("a class label");
      Decoder.check(classes.find(label) < 0, "class labels must differ", label);
      classes.add(label);
    }
    return classes;
  }

  static void encode(Encoder out, AvmOptions options) {
    options.task().encode(out);
    encodeLoss(out, options.loss());
    encodeKernel(out, options.kernel());
    out.int32(options.coverage() instanceof Coverage.Sphere ? 0 : 1);
    out.float64(options.coverage().diameter());
    encodeApproximation(out, options.approximation());
    encodeOutput(out, options.output());
    encodeUpdate(out, options.update());
    out.float64(options.regularization());
    out.int32(options.maxSize());
    out.int32(options.limit().ordinal());
    out.float64(options.yMax());
    encodeForgetting(out, options.forgetting());
    encodeClassWeights(out, options.classWeights());
    out.int64(options.seed());
  }

  /** The options; numbers that {@link AvmOptions} refuses are refused in its words. */
  static AvmOptions decodeOptions(Decoder in) throws ModelFileException {
    try {
      return new AvmOptions(
          Task.decode(in),
          decodeLoss(in),
          decodeKernel(in),
          decodeCoverage(in),
          decodeApproximation(in),
          decodeOutput(in),
          decodeUpdate(in),
          in.float64(),
          in.int32(),
          Limit.values()[in.int32("the policy at the cap", Limit.values().length - 1)],
          in.float64(),
          decodeForgetting(in),
          decodeClassWeights(in),
          in.int64());
    } catch (IllegalArgumentException refused) {
      throw new ModelFileException("damaged content: " + refused.getMessage());
    }
  }

  private static void encodeLoss(Encoder out, Loss loss) {
    if (loss instanceof Loss.Hinge) {
      tagged(out, 0, 0);
    } else if (loss instanceof Loss.SmoothHinge smooth) {
      tagged(out, 1, smooth.tau());
    } else if (loss instanceof Loss.Logistic) {
      tagged(out, 2, 0);
    } else if (loss instanceof Loss.Absolute) {
      tagged(out, 3, 0);
    } else if (loss instanceof Loss.Squared) {
      tagged(out, 4, 0);
    } else if (loss instanceof Loss.EpsilonInsensitive insensitive) {
      tagged(out, 5, insensitive.epsilon());
    }
  }

  private static Loss decodeLoss(Decoder in) throws ModelFileException {
    int tag = in.int32("the loss", 5);
    double parameter = in.float64();
    return switch (tag) {
      case 0 -> new Loss.Hinge();
      case 1 -> new Loss.SmoothHinge(parameter);
      case 2 -> new Loss.Logistic();
      case 3 -> new Loss.Absolute();
      case 4 -> new Loss.Squared();
      default -> new Loss.EpsilonInsensitive(parameter);
    };
  }

  static void encodeKernel(Encoder out, Kernel kernel) {
    tagged(out, KERNELS.indexOf(kernel.getClass()), kernel.gamma());
  }

  static Kernel decodeKernel(Decoder in) throws ModelFileException {
    int tag = in.int32("the kernel", KERNELS.size() - 1);
    double gamma = in.float64();
    return switch (tag) {
      case 0 -> new Kernel.Gaussian(gamma);
      case 1 -> new Kernel.Laplacian(gamma);
      case 2 -> new Kernel.RationalQuadratic(gamma);
      case 3 -> new Kernel.Matern32(gamma);
      default -> new Kernel.Matern52(gamma);
    };
  }

  private static Coverage decodeCoverage(Decoder in) throws ModelFileException {
    int tag = in.int32("the coverage", 1);
    double diameter = in.float64();
    return tag == 0 ? new Coverage.Sphere(diameter) : new Coverage.Rectangle(diameter);
  }

  private static void encodeApproximation(Encoder out, Approximation approximation) {
    if (approximation instanceof Approximation.Always) {
      out.int32(0);
    } else if (approximation instanceof Approximation.Never) {
      out.int32(1);
    } else if (approximation instanceof Approximation.Decaying decaying) {
      tagged(out, 2, decaying.beta());
      out.float64(decaying.rho());
    } else {
      out.int32(3);
    }
  }

  private static Approximation decodeApproximation(Decoder in) throws ModelFileException {
    return switch (in.int32("the approximation", 3)) {
      case 0 -> new Approximation.Always();
      case 1 -> new Approximation.Never();
      case 2 -> new Approximation.Decaying(in.float64(), in.float64());
      default -> new Approximation.WhenConfident();
    };
  }

  private static void encodeOutput(Encoder out, Output output) {
    if (output instanceof Output.Last) {
      out.int32(0);
    } else if (output instanceof Output.Average) {
      out.int32(1);
    } else if (output instanceof Output.Suffix suffix) {
      tagged(out, 2, suffix.alpha());
    }
  }

  private static Output decodeOutput(Decoder in) throws ModelFileException {
    return switch (in.int32("the output", 2)) {
      case 0 -> new Output.Last();
      case 1 -> new Output.Average();
      default -> new Output.Suffix(in.float64());
    };
  }

  private static void encodeUpdate(Encoder out, Update update) {
    if (update instanceof Update.Newton newton) {
      tagged(out, 1, newton.prior());
    } else {
      out.int32(0);
    }
  }

  private static Update decodeUpdate(Decoder in) throws ModelFileException {
    return in.int32("the update", 1) == 0 ? new Update.Sgd() : new Update.Newton(in.float64());
  }

  private static void encodeForgetting(Encoder out, Forgetting forgetting) {
    boolean isAuto = forgetting instanceof Forgetting.Auto;
    out.int32(isAuto ? 2 : forgetting instanceof Forgetting.Horizon ? 1 : 0);
    out.int64(forgetting instanceof Forgetting.Horizon fixed ? fixed.instances() : 0);
  }

  private static Forgetting decodeForgetting(Decoder in) throws ModelFileException {
    int tag = in.int32("the forgetting", 2);
    long horizon = in.int64();
    return switch (tag) {
      case 0 -> new Forgetting.None();
      case 1 -> new Forgetting.Horizon(horizon);
      default -> new Forgetting.Auto();
    };
  }

  private static void encodeClassWeights(Encoder out, ClassWeights weights) {
    out.bool(weights.balanced());
    out.int32(weights.given().size());
    weights
        .given()
        .forEach(
            (label, weight) -> {
              out.float64(label);
              out.float64(weight);
            });
  }

  private static ClassWeights decodeClassWeights(Decoder in) throws ModelFileException {
    boolean balanced = in.bool();
    Map<Double, Double> given = new TreeMap<>();
    int count = in.int32("the number of class weights", Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      given.put(in.finite("a class label"), in.float64());
    }
    return new ClassWeights(given, balanced);
  }

  private static void tagged(Encoder out, int tag, double parameter) {
    out.int32(tag);
    out.float64(parameter);
  }
}
