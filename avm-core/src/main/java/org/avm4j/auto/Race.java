package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Lap;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.PairwiseDistances;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.data.Scaling;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;

/**
 * Candidates that learn side by side. Each keeps its own loss; rows are scaled once for all that
 * share a scaling.
 *
 * <p>Scouts, learners with few vectors, find the settings; the best settings go on with as many
 * vectors as the options allow.
 */
final class Race {
  private static final int SAMPLE = 200;
  private static final int FINALISTS = 3;

  /** A linear part of more features is not tried: its matrix is dense. */
  private static final int MOST_LINEAR = 512;

  /** The loss with a linear part must be below this part of that without. */
  private static final double CLEARLY = 0.98;

  /** Until this instance a tree with a linear part runs beside one without. */
  private static final long LINEAR_UNTIL = 8L * AutoAvm.WARM_UP;

  /** From this instance on a machine of full size runs beside the scouts. */
  private static final int LEADER_FROM = 128;

  /** From this instance on one machine is left, and is challenged. */
  private static final long CHALLENGE_FROM = 16L * AutoAvm.WARM_UP;

  /** A challenger has learned half as much, so that to be nearly as good is to be better. */
  private static final double NEARLY = 1.005;

  private final Task task;
  private final Labels labels;
  private final Map<Scaling, Scaler> scalers = new LinkedHashMap<>();
  private final Features.Buffer scaled = new Features.Buffer();
  private final List<Runner> runners = new ArrayList<>();
  private Runner best;

  private Race(Task task, Labels labels) {
    this.task = task;
    this.labels = labels;
  }

  /** A race that nobody has started, of a machine that knows nothing. */
  static Race empty(Task task, double answer) {
    Race race = new Race(task, emptyLabels(task, answer));
    race.scalers.put(Scaling.NONE, Scaler.none());
    AvmOptions options = AvmOptions.binary().task(task).loss(task.defaultLoss()).build();
    Candidate none = new Candidate(Scaling.NONE, options.kernel(), 0, 1, 0, Update.NO_LINEAR_PART);
    race.runners.add(new Runner(none, options));
    race.best = race.runners.get(0);
    return race;
  }

  private static Labels emptyLabels(Task task, double answer) {
    return switch (task.kind()) {
      case BINARY -> Labels.Pair.SIGNS;
      case REGRESSION -> new Labels.Standard(answer, 1);
      case MULTICLASS, ANOMALY -> new Labels.Plain();
    };
  }

  /** Whether a new race starts with instance t; one number tells more than one class. */
  static boolean startsAt(long t, Task task) {
    return t == 1 && task.isRegression()
        || t == 2
        || t == 8
        || t == 32
        || t == 128
        || t == 512
        || t == AutoAvm.WARM_UP;
  }

  /** Number of candidates that survive the cut at instance t. */
  private static int survivors(long t, int running) {
    if (t == AutoAvm.WARM_UP / 2) {
      return (running + 1) / 2;
    }
    return t == 4 * AutoAvm.WARM_UP ? 2 : running;
  }

  /** The race that follows this one, where the first instances are learned again. */
  Race next(AutoOptions options, Task nextTask, Labels nextLabels, List<Instance> first) {
    Race race = new Race(nextTask, nextLabels);
    boolean isSame = nextTask.kind() == task.kind() && runners.size() > 1;
    boolean isLast = first.size() >= AutoAvm.WARM_UP;
    if (!isSame || !isLast) {
      Stream<Candidate> field = Candidate.all(options, nextTask, first).stream();
      boolean hasLeader = isSame && first.size() >= LEADER_FROM;
      race.start(hasLeader ? Stream.concat(field, leader(options)) : field, options, first);
    }
    if (isLast && !options.isGiven()) {
      race.start((isSame ? this : race).priors(options), options, first);
      race.start(race.ranking().limit(FINALISTS).flatMap(Candidate::withWidths), options, first);
      race.finish(options, first);
    }
    return race;
  }

  /** The best go on at full size, or the best of them as a tree. */
  private void finish(AutoOptions options, List<Instance> first) {
    start(finalists().map(c -> c.full(options)), options, first);
    List<Candidate> all = ranking().toList();
    int linear =
        options.isFree(AutoOptions.Choice.LINEAR)
            ? linear(options, first)
            : options.base().update().linear();
    if (options.growsTree()) {
      start(Stream.of(all.get(0).withLinear(linear)), options, first, true);
      challengeByLinear(options, first);
    } else {
      start(all.stream().map(candidate -> candidate.withLinear(linear)), options, first);
    }
  }

  /** The linear part with which the best candidate is clearly better than without. */
  private int linear(AutoOptions options, List<Instance> first) {
    int features = dimension(first);
    Candidate candidate = best.candidate();
    double least = best.meanLoss();
    int chosen = Update.NO_LINEAR_PART;
    for (int linear : new int[] {0, features}) {
      if (linear <= MOST_LINEAR) {
        start(Stream.of(candidate.withLinear(linear)), options, first);
        chosen = best.meanLoss() < CLEARLY * least ? linear : chosen;
        least = Math.min(least, best.meanLoss());
      }
    }
    return chosen;
  }

  /**
   * 2,048 instances are few to tell of many features: where they said no, a tree goes on trying.
   */
  private void challengeByLinear(AutoOptions options, List<Instance> first) {
    int features = dimension(first);
    boolean mayHelp = features > best.candidate().linear() && features <= MOST_LINEAR;
    if (options.isFree(AutoOptions.Choice.LINEAR) && mayHelp) {
      Candidate other = best.candidate().withLinear(features);
      List<Instance> rows = transform(other.scaling(), first);
      Runner runner = Runner.tree(other, other.options(options, task, distances(rows)));
      runner.replay(rows);
      runners.add(runner);
    }
  }

  private static int dimension(List<Instance> rows) {
    return rows.stream().mapToInt(row -> row.features().dimension()).max().orElse(0);
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
    start(field, options, first, false);
  }

  private static Runner tree(
      Candidate candidate, AvmOptions machine, AutoOptions options, List<Instance> rows) {
    return options.followsChange()
        ? Runner.memories(candidate, setup(machine, rows))
        : Runner.tree(candidate, machine);
  }

  private static Committee.Setup setup(AvmOptions machine, List<Instance> rows) {
    return new Committee.Setup(
        machine,
        (int) rows.stream().mapToDouble(Instance::label).distinct().limit(100).count(),
        dimension(rows),
        distances(rows).mean());
  }

  private void start(
      Stream<Candidate> field, AutoOptions options, List<Instance> first, boolean isTree) {
    List<Candidate> candidates = field.distinct().toList();
    runners.clear();
    Map<Scaling, List<Instance>> scaledRows = new EnumMap<>(Scaling.class);
    for (Candidate candidate : candidates) {
      List<Instance> rows =
          scaledRows.computeIfAbsent(candidate.scaling(), how -> transform(how, first));
      PairwiseDistances distances = distances(rows);
      AvmOptions machine = candidate.options(options, task, distances);
      runners.add(
          isTree ? tree(candidate, machine, options, rows) : new Runner(candidate, machine));
    }
    runners.parallelStream()
        .forEach(runner -> runner.replay(scaledRows.get(runner.candidate().scaling())));
    best = runners.get(0);
    settle(runners.size());
  }

  private static PairwiseDistances distances(List<Instance> rows) {
    List<Features> sample = rows.stream().limit(SAMPLE).map(Instance::features).toList();
    return sample.size() < 2 ? new PairwiseDistances(1, 0) : PairwiseDistances.of(sample);
  }

  /** The kept instances as a candidate with this scaling learns them. */
  private List<Instance> transform(Scaling how, List<Instance> first) {
    Scaler scaler = scalers.computeIfAbsent(how, none -> fit(how, first));
    return first.stream()
        .map(
            row ->
                new Instance(
                    scaler.apply(row.features()), labels.transform(row.label()), row.weight()))
        .toList();
  }

  private static Scaler fit(Scaling scaling, List<Instance> first) {
    ScalerFit fit = new ScalerFit(scaling);
    first.forEach(row -> fit.observe(row.features()));
    return fit.scaler();
  }

  /** Whether a label is none of this task. */
  boolean contradicts(double y) {
    boolean isClass = y == Math.rint(y) && y >= -1 && y < 100;
    return !labels.accepts(y) || task.kind() == Task.Kind.MULTICLASS && !isClass;
  }

  /** Refuses a label that a machine would refuse. */
  void checkLabel(double y) {
    task.check(labels.transform(y));
  }

  /** Refuses what a machine would refuse. */
  void check(Features x, double y) {
    labels.transform(y);
    for (Scaler scaler : scalers.values()) {
      Features z = scaler.apply(x, scaled);
      for (int i = 0; i < z.count(); i++) {
        if (Math.abs(z.value(i)) > 1e15) {
          throw new IllegalArgumentException(
              "feature " + z.index(i) + " is too far from all before: " + x.get(z.index(i)));
        }
      }
    }
  }

  void learn(Features x, double y, double weight) {
    if (runners.size() == 1) {
      best.learner().learn(transform(x), labels.transform(y), weight);
    } else {
      learnAll(x, labels.transform(y), weight);
    }
  }

  /** The row as the candidate that answers sees it. */
  private Features transform(Features x) {
    return scalers.get(scaling()).apply(x, scaled);
  }

  /** Who answers after instance t, and who goes on. */
  void decide(long t) {
    if (best.isTree()) {
      decideOnLinear(t);
    } else {
      decideAmongMachines(t);
    }
  }

  /**
   * The tree that was chosen answers until the other is clearly better; one that is not is over.
   */
  private void decideOnLinear(long t) {
    Runner other = runners.get(1);
    if (t == 2 * AutoAvm.WARM_UP) {
      runners.forEach(Runner::countAnew);
    } else if (t >= LINEAR_UNTIL || t == LINEAR_UNTIL / 2) {
      boolean isBetter = other.meanLoss() < CLEARLY * best.meanLoss();
      best = isBetter ? best.withTreeOf(other) : best;
      if (isBetter || t >= LINEAR_UNTIL || other.meanLoss() > best.meanLoss()) {
        runners.clear();
        runners.add(best);
      }
    }
  }

  private void decideAmongMachines(long t) {
    int allowed = survivors(t, runners.size());
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

  private void learnAll(Features x, double label, double weight) {
    for (Map.Entry<Scaling, Scaler> entry : scalers.entrySet()) {
      Features z = entry.getValue().apply(x, scaled);
      for (Runner runner : runners) {
        if (runner.candidate().scaling() == entry.getKey()) {
          runner.learn(z, label, weight);
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
                    runner.candidate().scaling().word(),
                    runner.options().kernel(),
                    runner.candidate().width(),
                    runner.candidate().prior(),
                    runner.candidate().maxSize(),
                    runner.meanLoss(),
                    runner == best));
  }

  Task task() {
    return task;
  }

  OnlineLearner best() {
    return best.learner();
  }

  Scaling scaling() {
    return best.candidate().scaling();
  }

  int size() {
    return runners.size();
  }

  int columns() {
    return best.learner().columns();
  }

  double[] classes() {
    return labels.inverse(best.learner().classes());
  }

  void score(Features x, double[] into) {
    best.learner().score(transform(x), into);
    labels.inverseScores(into);
  }

  double predict(Features x) {
    return labels.inverse(best.learner().predict(transform(x)));
  }

  Model snapshot() {
    return new PreparedModel(
        new Preparation(new Schema(), scalers.get(scaling()), labels), best.learner().snapshot());
  }

  void encode(Encoder out) {
    task.encode(out);
    labels.encode(out);
    out.int32(scalers.size());
    scalers.values().forEach(scaler -> out.section("scaler", scaler::encode));
    out.int32(runners.size());
    runners.forEach(runner -> out.section("runner", runner::encode));
    out.int32(runners.indexOf(best));
  }

  static Race decode(Decoder in) throws ModelFileException {
    Race race = new Race(Task.decode(in), Labels.decode(in));
    int scalings = in.int32("the scalings", Scaling.values().length);
    for (int i = 0; i < scalings; i++) {
      Scaler scaler = in.section("scaler", Scaler::decode);
      race.scalers.put(scaler.scaling(), scaler);
    }
    int running = in.int32("the machines", 1000);
    for (int i = 0; i < running; i++) {
      Runner runner = in.section("runner", Runner::decode);
      boolean isScaled = race.scalers.containsKey(runner.candidate().scaling());
      Decoder.check(isScaled, "a scaling must be known", runner.candidate().scaling());
      race.runners.add(runner);
    }
    Decoder.check(running > 0, "at least one machine must run", running);
    race.best = race.runners.get(in.int32("the best", running - 1));
    return race;
  }
}
