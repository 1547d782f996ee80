package org.avm4j;

import java.util.Map;
import java.util.TreeMap;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Variants;

/**
 * The file format of options and provenance. {@code n×} means a count, then the values.
 *
 * <pre>
 * options       task: a tag (4), for multiclass n× declared class (8)
 *               loss: a tag (4), its number or 0 (8)
 *               kernel: a tag (4), γ (8)
 *               coverage: a tag (4), δ (8)
 *               approximation: a tag (4), for the decaying one β (8) and ρ (8)
 *               output: a tag (4), for the suffix α (8)
 *               update: a tag (4), for Newton the prior (8), with a linear part its features (4)
 *               λ (8), size cap (4), policy at the cap: a tag (4), y_max (8)
 *               forgetting: a tag (4), the horizon or 0 (8)
 *               class weights: balanced (1), n× [label (8), weight (8)]
 *               seed (8)
 * provenance    library version (text), options, instances (8), cells (4), support vectors (4),
 *               updates at the cap (8)
 * </pre>
 */
final class AvmCodec {
  private static final Variants<Loss> LOSSES =
      new Variants<Loss>("the loss")
          .addPadded(0, new Losses.Hinge())
          .add(
              1,
              Losses.SmoothHinge.class,
              (l, out) -> out.float64(l.tau()),
              in -> new Losses.SmoothHinge(in.float64()))
          .addPadded(2, new Losses.Logistic())
          .addPadded(3, new Losses.Absolute())
          .addPadded(4, new Losses.Squared())
          .add(
              5,
              Losses.EpsilonInsensitive.class,
              (l, out) -> out.float64(l.epsilon()),
              in -> new Losses.EpsilonInsensitive(in.float64()));

  private static final Variants<Kernel> KERNELS =
      new Variants<Kernel>("the kernel")
          .add(0, Kernels.Gaussian.class, AvmCodec::gamma, in -> new Kernels.Gaussian(in.float64()))
          .add(
              1,
              Kernels.Laplacian.class,
              AvmCodec::gamma,
              in -> new Kernels.Laplacian(in.float64()))
          .add(
              2,
              Kernels.RationalQuadratic.class,
              AvmCodec::gamma,
              in -> new Kernels.RationalQuadratic(in.float64()))
          .add(3, Kernels.Matern32.class, AvmCodec::gamma, in -> new Kernels.Matern32(in.float64()))
          .add(
              4, Kernels.Matern52.class, AvmCodec::gamma, in -> new Kernels.Matern52(in.float64()));

  private static final Variants<Coverage> COVERAGES =
      new Variants<Coverage>("the coverage")
          .add(
              0,
              Coverages.Sphere.class,
              (c, out) -> out.float64(c.diameter()),
              in -> new Coverages.Sphere(in.float64()))
          .add(
              1,
              Coverages.Rectangle.class,
              (c, out) -> out.float64(c.diameter()),
              in -> new Coverages.Rectangle(in.float64()));

  private static final Variants<Approximation> APPROXIMATIONS =
      new Variants<Approximation>("the approximation")
          .add(0, new Approximations.Always())
          .add(1, new Approximations.Never())
          .add(2, Approximations.Decaying.class, AvmCodec::decay, AvmCodec::decay)
          .add(3, new Approximations.WhenConfident());

  private static final Variants<Output> OUTPUTS =
      new Variants<Output>("the output")
          .add(0, new Outputs.Last())
          .add(1, new Outputs.Average())
          .add(
              2,
              Outputs.Suffix.class,
              (o, out) -> out.float64(o.alpha()),
              in -> new Outputs.Suffix(in.float64()));

  private static final Variants<Update> UPDATES =
      new Variants<Update>("the update")
          .add(0, new Updates.Sgd())
          .add(
              1,
              Updates.Newton.class,
              newton -> newton.linear() == Update.NO_LINEAR_PART,
              (u, out) -> out.float64(u.prior()),
              in -> new Updates.Newton(in.float64(), Update.NO_LINEAR_PART))
          .add(2, Updates.Newton.class, AvmCodec::newton, AvmCodec::newton);

  private static final Variants<Forgetting> FORGETTINGS =
      new Variants<Forgetting>("the forgetting")
          .addPadded(0, new Forgettings.None())
          .add(
              1,
              Forgettings.Horizon.class,
              (f, out) -> out.int64(f.instances()),
              in -> new Forgettings.Horizon(in.int64()))
          .addPadded(2, new Forgettings.Auto());

  private AvmCodec() {}

  private static void gamma(Kernel kernel, Encoder out) {
    out.float64(kernel.gamma());
  }

  private static void decay(Approximations.Decaying decaying, Encoder out) {
    out.float64(decaying.beta());
    out.float64(decaying.rho());
  }

  private static void newton(Updates.Newton newton, Encoder out) {
    out.float64(newton.prior());
    out.int32(newton.linear());
  }

  private static Updates.Newton newton(Decoder in) throws ModelFileException {
    return new Updates.Newton(in.float64(), in.int32());
  }

  private static Approximations.Decaying decay(Decoder in) throws ModelFileException {
    return new Approximations.Decaying(in.float64(), in.float64());
  }

  static void encode(Encoder out, Provenance provenance) {
    out.text(provenance.libraryVersion());
    encode(out, provenance.options());
    out.int64(provenance.instances());
    out.int32(provenance.cells());
    out.int32(provenance.supportVectors());
    out.int64(provenance.atLimit());
  }

  static Provenance decodeProvenance(Decoder in) throws ModelFileException {
    return new Provenance(
        in.text(),
        decodeOptions(in),
        in.count("the instances"),
        in.int32("the cells", Integer.MAX_VALUE),
        in.int32("the support vectors", Integer.MAX_VALUE),
        in.count("the updates at the cap"));
  }

  static void encode(Encoder out, AvmOptions options) {
    options.task().encode(out);
    LOSSES.encode(out, options.loss());
    KERNELS.encode(out, options.kernel());
    COVERAGES.encode(out, options.coverage());
    APPROXIMATIONS.encode(out, options.approximation());
    OUTPUTS.encode(out, options.output());
    UPDATES.encode(out, options.update());
    out.float64(options.regularization());
    out.int32(options.maxSize());
    out.int32(options.limit().tag());
    out.float64(options.yMax());
    FORGETTINGS.encode(out, options.forgetting());
    encodeClassWeights(out, options.classWeights());
    out.int64(options.seed());
  }

  /** Reads options; numbers that {@link AvmOptions} rejects are reported with its message. */
  static AvmOptions decodeOptions(Decoder in) throws ModelFileException {
    return in.valid(
        from ->
            new AvmOptions(
                Task.decode(from),
                LOSSES.decode(from),
                KERNELS.decode(from),
                COVERAGES.decode(from),
                APPROXIMATIONS.decode(from),
                OUTPUTS.decode(from),
                UPDATES.decode(from),
                from.float64(),
                from.int32(),
                Limit.decode(from),
                from.float64(),
                FORGETTINGS.decode(from),
                decodeClassWeights(from),
                from.int64()));
  }

  static void encode(Encoder out, Kernel kernel) {
    KERNELS.encode(out, kernel);
  }

  static Kernel decodeKernel(Decoder in) throws ModelFileException {
    return in.valid(KERNELS::decode);
  }

  private static void encodeClassWeights(Encoder out, ClassWeights weights) {
    out.bool(weights.isBalanced());
    out.byLabel(weights.given(), (weight, to) -> to.float64(weight));
  }

  private static ClassWeights decodeClassWeights(Decoder in) throws ModelFileException {
    boolean isBalanced = in.bool();
    Map<Double, Double> given = new TreeMap<>();
    int count = in.int32("the number of class weights", Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      given.put(in.finite("a class label"), in.float64());
    }
    return new ClassWeights(given, isBalanced);
  }
}
