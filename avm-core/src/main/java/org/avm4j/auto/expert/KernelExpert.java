package org.avm4j.auto.expert;

import java.util.Arrays;
import org.avm4j.Kernel;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;
import org.avm4j.math.Vectors;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;

/**
 * A small kernel machine for numeric labels in time order. It learns the difference between a label
 * and the latest one by ridge regression (recursive least squares) on the kernel values at a few
 * points. Some of the points are the latest rows, the others are a sample of all earlier rows. When
 * a point is replaced, its weight is integrated out: the weights of the other points keep their
 * marginal distribution. Later rows count more.
 */
public final class KernelExpert extends InputExpert {
  private final Kernel kernel;
  private final double prior;
  private final CoreSet core;
  private final KernelRow row;
  private double[][] covariance;
  private double[] weights = new double[Constants.POINTS + 1];
  private final double[] values = new double[Constants.POINTS + 1];
  private final double[] gain = new double[Constants.POINTS + 1];
  private int[] latest = new int[Constants.LATEST_POINTS];
  private int[] sample = new int[Constants.POINTS - Constants.LATEST_POINTS];
  private SplitMix random = new SplitMix(1);
  private long t;

  /**
   * An untrained expert.
   *
   * @param prior the strength of the prior on weights, in rows
   */
  public KernelExpert(Inputs inputs, Kernel kernel, double prior) {
    this(inputs, kernel, prior, new CoreSet(), true);
    covariance[Constants.POINTS][Constants.POINTS] = 1 / prior;
  }

  private KernelExpert(Inputs inputs, Kernel kernel, double prior, CoreSet core, boolean learns) {
    super("kernel machine with labels", Task.Kind.REGRESSION, inputs, false);
    this.kernel = kernel;
    this.prior = prior;
    this.core = core;
    row = new KernelRow(core, kernel);
    int size = learns ? Constants.POINTS + 1 : 0;
    covariance = new double[size][size];
  }

  @Override
  public boolean learns() {
    return covariance.length > 0;
  }

  @Override
  public void score(Moment now, double[] classes, double[] into) {
    double[] found = learns() ? values : new double[Constants.POINTS + 1];
    measure(now, learns() ? row : new KernelRow(core, kernel), found);
    into[0] = now.latest() + Vectors.dot(weights, found, Constants.POINTS + 1);
  }

  /** Writes the kernel values at all points, and 1 after them. */
  private void measure(Moment now, KernelRow against, double[] into) {
    System.arraycopy(against.measure(now.through(inputs)), 0, into, 0, core.size());
    into[Constants.POINTS] = 1;
  }

  @Override
  public void learn(Moment now, double y, double weight) {
    t++;
    measure(now, row, values);
    int place = place();
    put(place);
    values[place] = 1;
    double left = y - now.latest() - Vectors.dot(weights, values, Constants.POINTS + 1);
    move(left, t * weight);
  }

  private void move(double left, double weight) {
    int n = Constants.POINTS + 1;
    for (int j = 0; j < n; j++) {
      gain[j] = Vectors.dot(covariance[j], values, n);
    }
    double own = Vectors.dot(gain, values, n);
    if (!(own > 0)) {
      forget();
      return;
    }
    double spread = 1 / weight + own;
    Vectors.add(left / spread, gain, weights, n);
    for (int j = 0; j < n; j++) {
      Vectors.add(-gain[j] / spread, gain, covariance[j], n);
    }
  }

  /** Resets the weights after rounding has made the covariance useless. */
  private void forget() {
    Arrays.fill(weights, 0);
    for (int j = 0; j <= Constants.POINTS; j++) {
      Arrays.fill(covariance[j], 0);
      covariance[j][j] = 1 / (prior * t);
    }
  }

  /**
   * The place for a new point: a free one, else that of the oldest of the latest rows. With the
   * probability of reservoir sampling that oldest row is moved to the sample instead, and replaces
   * one of its rows.
   */
  private int place() {
    int turn = (int) ((t - 1) % Constants.LATEST_POINTS);
    int size = core.size();
    if (size < Constants.POINTS) {
      if (t > Constants.LATEST_POINTS) {
        sample[size - Constants.LATEST_POINTS] = latest[turn];
      }
      latest[turn] = size;
    } else if (random.getAsDouble() * t < sample.length) {
      int slot = random.nextInt(sample.length);
      int old = latest[turn];
      latest[turn] = sample[slot];
      sample[slot] = old;
    }
    return latest[turn];
  }

  /** Makes the row that was measured last the point at a place, with a weight of its own. */
  private void put(int place) {
    if (place == core.size()) {
      core.add(row, false);
    } else {
      core.replace(place, row);
    }
    for (int j = 0; j <= Constants.POINTS; j++) {
      covariance[place][j] = 0;
      covariance[j][place] = 0;
    }
    covariance[place][place] = 1 / (prior * t);
    weights[place] = 0;
  }

  @Override
  public KernelExpert freeze() {
    KernelExpert same = new KernelExpert(inputs, kernel, prior, core.copy(), false);
    same.weights = weights.clone();
    return same;
  }

  @Override
  public void encode(Encoder out, SharedInputs shared) {
    shared.encode(inputs, out);
    kernel.encode(out);
    out.float64(prior);
    out.section("points", core::encode);
    out.doubles(weights, weights.length);
    out.bool(learns());
    if (learns()) {
      out.int64(t);
      out.int64(random.state());
      out.ints(latest);
      out.ints(sample);
      out.rows(covariance);
    }
  }

  static KernelExpert decode(Decoder in, SharedInputs shared) throws ModelFileException {
    Inputs inputs = shared.read(in);
    Kernel kernel = Kernel.decode(in);
    double prior = in.finite("the prior of an expert");
    Decoder.check(prior > 0, "the prior must be > 0", prior);
    CoreSet core = in.section("points", CoreSet::decode);
    Decoder.check(
        core.size() <= Constants.POINTS, "an expert must not have more points", core.size());
    double[] weights = in.doubles(Constants.POINTS + 1, Constants.POINTS + 1);
    KernelExpert expert = new KernelExpert(inputs, kernel, prior, core, in.bool());
    expert.weights = weights;
    if (expert.learns()) {
      expert.decodeState(in);
    }
    return expert;
  }

  private void decodeState(Decoder in) throws ModelFileException {
    t = in.count("the rows of an expert");
    Decoder.check(
        core.size() == Math.min(t, Constants.POINTS), "every row must be a point", core.size());
    random = new SplitMix(in.int64());
    latest = in.ints("the place of a point", latest.length, Constants.POINTS - 1);
    sample = in.ints("the place of a point", sample.length, Constants.POINTS - 1);
    covariance = in.rows(covariance.length, covariance.length);
  }
}
