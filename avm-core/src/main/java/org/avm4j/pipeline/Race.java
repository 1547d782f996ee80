package org.avm4j.pipeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.PairwiseDistances;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;
import org.avm4j.data.Schema;

/**
 * Machines that learn side by side. Each has a candidate's options and its own loss so far; rows
 * are scaled once for all that share a scaling.
 *
 * <p>Scouts, machines of few vectors, find the settings; what they find goes on with as many
 * vectors as are allowed.
 */
final class Race {
  private static final int SAMPLE = 200;
  private static final int FINALISTS = 3;

  /** From this instance on a machine of full size runs beside the scouts. */
  private static final int LEADER_FROM = 128;

  /** From this instance on one machine is left, and is challenged. */
  private static final long CHALLENGE_FROM = 16L * AutoAvm.WARM_UP;

  /** A challenger has learned half as much, so that to be nearly as good is to be better. */
  private static final double NEARLY = 1.005;

  private final Task task;
  private final Labels labels;
  private final Map<Scaling, Scaler> scalers = new LinkedHashMap<>();
  private final List<Runner> runners = new ArrayList<>();
  private Runner best;

  private Race(Task task, Labels labels) {
    this.task = task;
    this.labels = labels;
  }

  /** A race that nobody has started, of a machine that knows nothing. */
  static Race empty(Task task, double answer) {
    boolean isNumber = task instanceof Task.Regression;
    AvmOptions.Builder builder = isNumber ? AvmOptions.regression() : AvmOptions.binary();
    Labels numbers = isNumber ? new Labels.Standard(answer, 1) : new Labels.Plain();
    Race race = new Race(task, task instanceof Task.Binary ? Labels.Pair.SIGNS : numbers);
    race.scalers.put(Scaling.NONE, new Scaler(Scaling.NONE));
    Candidate none = new Candidate(Scaling.NONE, builder.build().kernel(), 0, 1, 0);
    race.runners.add(new Runner(none, new Avm(builder.task(task).build())));
    race.best = race.runners.get(0);
    return race;
  }

  /** Whether a new race starts with instance t; a number tells more than a first class. */
  static boolean startsAt(long t, Task task) {
    return t == 1 && task instanceof Task.Regression
        || t == 2
        || t == 8
        || t == 32
        || t == 128
        || t == 512
        || t == AutoAvm.WARM_UP;
  }

  /** How many may go on after instance t, of so many. */
  private static int goOn(long t, int running) {
    if (t == AutoAvm.WARM_UP / 2) {
      return (running + 1) / 2;
    }
    return t == 4 * AutoAvm.WARM_UP ? 2 : running;
  }

  /** The race that follows this one, where the first instances are learned again. */
  Race next(AutoOptions options, Task nextTask, Labels nextLabels, List<Instance> first) {
    Race race = new Race(nextTask, nextLabels);
    boolean isSame = nextTask.getClass() == task.getClass() && runners.size() > 1;
    boolean isLast = first.size() >= AutoAvm.WARM_UP;
    if (!isSame || !isLast) {
      Stream<Candidate> field = Candidate.all(options, nextTask, first).stream();
      boolean hasLeader = isSame && first.size() >= LEADER_FROM;
      race.start(hasLeader ? Stream.concat(field, leader(options)) : field, options, first);
    }
    if (isLast && !options.isGiven()) {
      race.start((isSame ? this : race).priors(options), options, first);
      race.start(race.ranking().limit(FINALISTS).flatMap(Candidate::withWidths), options, first);
      race.start(race.finalists().map(c -> c.full(options)), options, first);
    }
    return race;
  }

  private Stream<Candidate> leader(AutoOptions options) {
    return Stream.of(best.candidate().full(options));
  }

  /** The best so far as scouts, at several priors. */
  private Stream<Candidate> priors(AutoOptions options) {
    return ranking()
        .map(candidate -> candidate.scout(options))
        .distinct()
        .limit(FINALISTS)
        .flatMap(candidate -> candidate.withPriors(options, task).stream());
  }

  /** The best ones, and the very best with a narrower kernel, which more vectors can bear. */
  private Stream<Candidate> finalists() {
    Stream<Candidate> narrower = ranking().limit(1).map(Candidate::narrower);
    return Stream.of(ranking().limit(1), narrower, ranking())
        .flatMap(some -> some)
        .distinct()
        .limit(FINALISTS);
  }

  private Stream<Candidate> ranking() {
    return runners.stream()
        .sorted(Comparator.comparingDouble(Runner::meanLoss))
        .map(Runner::candidate);
  }

  /** These and no others learn what is kept, on all cores. */
  private void start(Stream<Candidate> field, AutoOptions options, List<Instance> first) {
    List<Candidate> candidates = field.distinct().toList();
    runners.clear();
    Map<Scaling, List<Features>> scaled = new EnumMap<>(Scaling.class);
    for (Candidate candidate : candidates) {
      List<Features> rows = scaled.computeIfAbsent(candidate.scaling(), how -> scaled(how, first));
      List<Features> sample = rows.subList(0, Math.min(SAMPLE, rows.size()));
      PairwiseDistances distances =
          sample.size() < 2 ? new PairwiseDistances(1, 0) : PairwiseDistances.of(sample);
      runners.add(new Runner(candidate, new Avm(candidate.options(options, task, distances))));
    }
    double[] learned = first.stream().mapToDouble(row -> labels.learned(row.label())).toArray();
    runners.parallelStream()
        .forEach(runner -> runner.replay(scaled.get(runner.candidate().scaling()), learned));
    best = runners.get(0);
    settle(runners.size());
  }

  private List<Features> scaled(Scaling how, List<Instance> first) {
    Scaler scaler = scalers.computeIfAbsent(how, none -> scaler(how, first));
    return first.stream().map(row -> scaler.apply(row.features()).copy()).toList();
  }

  private static Scaler scaler(Scaling scaling, List<Instance> first) {
    Scaler scaler = new Scaler(scaling);
    first.forEach(row -> scaler.observe(row.features()));
    return scaler;
  }

  /** Whether a label is none of this task. */
  boolean contradicts(double y) {
    if (labels instanceof Labels.Pair pair) {
      return y != pair.lower() && y != pair.higher();
    }
    return task instanceof Task.Multiclass && (y != Math.rint(y) || y < -1 || y >= 100);
  }

  /** Refuses what a machine would refuse. */
  void check(Features x, double y) {
    labels.learned(y);
    for (Scaler scaler : scalers.values()) {
      Features z = scaler.apply(x);
      for (int i = 0; i < z.count(); i++) {
        if (Math.abs(z.value(i)) > 1e15) {
          throw new IllegalArgumentException(
              "feature " + z.index(i) + " is too far from all before: " + x.get(z.index(i)));
        }
      }
    }
  }

  void learn(Features x, double y) {
    if (runners.size() == 1) {
      best.avm().learn(scalers.get(scaling()).apply(x), labels.learned(y));
    } else {
      learnAll(x, labels.learned(y));
    }
  }

  /** Who answers after instance t, and who goes on. */
  void decide(long t) {
    int allowed = goOn(t, runners.size());
    if (t >= CHALLENGE_FROM && Long.bitCount(t) == 1) {
      challenge(t);
    } else if (allowed < runners.size()) {
      settle(allowed);
    } else if (t < CHALLENGE_FROM || runners.size() > 2) {
      findBest();
    } else if (3 * Long.highestOneBit(t) == 2 * t) {
      runners.forEach(Runner::countAnew);
    }
  }

  /**
   * The more is known, the narrower a kernel may be: from 32,768 instances on the best is beside
   * one with a narrower kernel, which knew nothing at the start. The holder answers; at each
   * doubling the answers to the latter half decide. Should the new one win, it is challenged in
   * turn; else it is over.
   */
  private void challenge(long t) {
    boolean isFirst = t == CHALLENGE_FROM || runners.size() > 2;
    Runner holder = best;
    Runner last = runners.get(runners.size() - 1);
    if (!isFirst && last != holder && last.meanLoss() < NEARLY * holder.meanLoss()) {
      runners.remove(holder);
    }
    settle(1);
    if (best.candidate().width() > 0 && (isFirst || best != holder)) {
      runners.add(best.challenger());
    }
  }

  private void learnAll(Features x, double label) {
    for (Map.Entry<Scaling, Scaler> entry : scalers.entrySet()) {
      Features z = entry.getValue().apply(x);
      for (Runner runner : runners) {
        if (runner.candidate().scaling() == entry.getKey()) {
          runner.learn(z, label);
        }
      }
    }
  }

  /** The best go on, as many as allowed. */
  private void settle(int allowed) {
    runners.sort(Comparator.comparingDouble(Runner::meanLoss));
    while (runners.size() > allowed) {
      runners.remove(runners.size() - 1);
    }
    scalers
        .keySet()
        .removeIf(how -> runners.stream().noneMatch(r -> r.candidate().scaling() == how));
    findBest();
  }

  private void findBest() {
    for (Runner runner : runners) {
      best = runner.meanLoss() < best.meanLoss() || !runners.contains(best) ? runner : best;
    }
  }

  /** How all stand after instance t. */
  Stream<Lap> laps(long t) {
    return runners.stream()
        .map(
            runner ->
                new Lap(
                    t,
                    runner.candidate().scaling(),
                    runner.avm().options().kernel(),
                    runner.candidate().width(),
                    runner.candidate().prior(),
                    runner.candidate().maxSize(),
                    runner.meanLoss(),
                    runner == best));
  }

  Avm best() {
    return best.avm();
  }

  Scaling scaling() {
    return best.candidate().scaling();
  }

  int size() {
    return runners.size();
  }

  int columns() {
    return best.avm().columns();
  }

  double[] classes() {
    return labels.given(best.avm().classes());
  }

  void score(Features x, double[] into) {
    best.avm().score(scalers.get(scaling()).apply(x), into);
    labels.giveScores(into);
  }

  double predict(Features x) {
    return labels.given(best.avm().predict(scalers.get(scaling()).apply(x)));
  }

  Predictor snapshot() {
    return new PreparedModel(
        new Preparation(new Schema(), scalers.get(scaling()), labels), best.avm().snapshot());
  }

  void encode(Encoder out) {
    task.encode(out);
    labels.encode(out);
    out.int32(scalers.size());
    scalers.values().forEach(scaler -> scaler.encode(out));
    out.int32(runners.size());
    runners.forEach(runner -> runner.encode(out));
    out.int32(runners.indexOf(best));
  }

  static Race decode(Decoder in) throws ModelFileException {
    Race race = new Race(Task.decode(in), Labels.decode(in));
    int scalings = in.int32("the scalings", Scaling.values().length);
    for (int i = 0; i < scalings; i++) {
      Scaler scaler = Scaler.decode(in);
      race.scalers.put(scaler.scaling(), scaler);
    }
    int running = in.int32("the machines", 1000);
    for (int i = 0; i < running; i++) {
      Runner runner = Runner.decode(in);
      boolean isScaled = race.scalers.containsKey(runner.candidate().scaling());
      Decoder.check(isScaled, "a scaling must be known", runner.candidate().scaling());
      race.runners.add(runner);
    }
    race.best = race.runners.get(in.int32("the best", running - 1));
    return race;
  }
}
