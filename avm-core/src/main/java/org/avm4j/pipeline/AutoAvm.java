package org.avm4j.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.avm4j.Avm;
import org.avm4j.Drift;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaling;
import org.avm4j.pipeline.AutoOptions.Choice;

/**
 * A machine that finds its options from the stream, in one pass and without looking ahead.
 *
 * <p>Candidates with different scalings, kernels, widths and priors race: each answers every
 * instance before it learns it, and the one with the least loss so far answers for all. Scaling and
 * widths come from the first instances, which are kept; at instances 2, 8, 32, 128 and 512 the race
 * starts anew from all that were seen, with scouts of few vectors and, from 128 on, one machine of
 * full size. At 2,048 the three best settings run at several priors, the three best of these at
 * half and twice their γ, the two best of those, and the best at twice its γ, go on at full size,
 * and from then on scaling stands still. Those that are behind are stopped at 1,024, 2,048, 8,192
 * and 32,768. The last one is challenged by a fresh machine with a kernel half as wide, which takes
 * its place, and is challenged in turn, if it is as good or nearly so at the next doubling of the
 * instances. Answers that were given stay as they were given.
 *
 * <p>The task follows from the labels; should they contradict it later, a third label where two
 * were known or a fraction among classes, the race starts anew from the first instances.
 *
 * <p>In a file, kind {@code avm-auto}: options, instances (8), n× kept instance, the race, m× lap.
 */
public final class AutoAvm implements OnlineLearner {
  /** What a file of such a learner is called inside. */
  public static final String KIND = "avm-auto";

  /** How many instances are kept. */
  static final int WARM_UP = 2048;

  private final AutoOptions options;
  private final List<Instance> first = new ArrayList<>();
  private final LabelSurvey survey = new LabelSurvey();
  private final List<Lap> laps = new ArrayList<>();
  private Race race;
  private long t;

  /** A machine that knows nothing yet. */
  public AutoAvm(AutoOptions options) {
    this(options, 0);
  }

  /** A machine that knows nothing yet; where numbers are to be told, its very first answer. */
  public AutoAvm(AutoOptions options, double firstAnswer) {
    this.options = options;
    race = Race.empty(task(), firstAnswer);
  }

  /** What is given and what is free. */
  public AutoOptions options() {
    return options;
  }

  /** The machine that answers now. */
  public Avm best() {
    return race.best();
  }

  /** How its features are scaled. */
  public Scaling scaling() {
    return race.scaling();
  }

  /** How many machines still run. */
  public int running() {
    return race.size();
  }

  /** How all that ran stood at 2, 4, 8, … instances, as long as more than one ran. */
  public List<Lap> laps() {
    return Collections.unmodifiableList(laps);
  }

  /**
   * The changes of the stream that the machine that answers has found. One that won a challenge
   * knows of none before its own start.
   */
  public List<Drift> lastDrifts() {
    long before = t - best().instances();
    return best().lastDrifts().stream()
        .map(d -> new Drift(before + d.instance(), d.before(), d.after(), d.memory()))
        .toList();
  }

  /** The number of instances learned. */
  public long instances() {
    return t;
  }

  private Task task() {
    return options.isFree(Choice.TASK) ? survey.task(false) : options.base().task();
  }

  @Override
  public void learn(Features x, double y) {
    check(x, y);
    boolean isOpen = options.isFree(Choice.TASK) || survey.labels().size() < 2;
    boolean isSurprise = isOpen && race.contradicts(y);
    if (!isSurprise) {
      race.check(x, y);
    }
    t++;
    if (t <= WARM_UP || isSurprise) {
      first.add(new Instance(x.copy(), y));
      survey.add(y);
    }
    if (isSurprise || Race.startsAt(t, task())) {
      race = race.next(options, task(), survey.of(task()), first);
      note();
    } else {
      race.learn(x, y);
      note();
      decide();
    }
  }

  private void decide() {
    if (race.size() > 1) {
      race.decide(t);
    }
  }

  private void note() {
    if (race.size() > 1 && Long.bitCount(t) == 1) {
      race.laps(t).forEach(laps::add);
    }
  }

  private void check(Features x, double y) {
    new Task.Regression().check(y);
    for (int i = 0; i < x.count(); i++) {
      if (Math.abs(x.value(i)) > 1e15) {
        throw new IllegalArgumentException(
            "feature " + x.index(i) + " must be within ±1e15: " + x.value(i));
      }
    }
  }

  @Override
  public int columns() {
    return race.columns();
  }

  @Override
  public double[] classes() {
    return race.classes();
  }

  @Override
  public void score(Features x, double[] scores) {
    race.score(x, scores);
  }

  @Override
  public double predict(Features x) {
    return race.predict(x);
  }

  @Override
  public Predictor snapshot() {
    return race.snapshot();
  }

  @Override
  public int size() {
    return race.best().size();
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    options.encode(out);
    out.int64(t);
    out.int32(first.size());
    for (Instance instance : first) {
      encode(instance, out);
    }
    race.encode(out);
    out.int32(laps.size());
    laps.forEach(lap -> lap.encode(out));
  }

  private static void encode(Instance instance, Encoder out) {
    Features x = instance.features();
    out.int32(x.dimension());
    out.int32(x.count());
    for (int i = 0; i < x.count(); i++) {
      out.int32(x.index(i));
      out.float64(x.value(i));
    }
    out.float64(instance.label());
  }

  /** The learner that {@link #encode} appended. */
  public static AutoAvm decode(Decoder in) throws ModelFileException {
    AutoAvm auto = new AutoAvm(AutoOptions.decode(in));
    auto.t = in.count("the instances");
    int kept = in.int32("the instances kept", 1 << 20);
    for (int i = 0; i < kept; i++) {
      Instance instance = decodeInstance(in);
      auto.first.add(instance);
      auto.survey.add(instance.label());
    }
    auto.race = Race.decode(in);
    int laps = in.int32("the laps", 1 << 20);
    for (int i = 0; i < laps; i++) {
      auto.laps.add(Lap.decode(in));
    }
    return auto;
  }

  private static Instance decodeInstance(Decoder in) throws ModelFileException {
    int dimension = in.int32("the dimension", Features.MAX_DIMENSION);
    int entries = in.int32("the entries", dimension);
    Features.Buffer buffer = new Features.Buffer();
    try {
      for (int i = 0; i < entries; i++) {
        buffer.add(in.int32(), in.float64());
      }
      if (buffer.features().dimension() < dimension) {
        buffer.add(dimension - 1, 0);
      }
    } catch (IllegalArgumentException refused) {
      throw new ModelFileException("damaged content: " + refused.getMessage());
    }
    return new Instance(buffer.features(), in.finite("a label"));
  }

  /** The learner that was saved in a file; it goes on bit for bit as if it had never stopped. */
  public static AutoAvm load(Path file) throws IOException {
    return ModelFile.load(file, Map.of(KIND, AutoAvm::decode));
  }
}
