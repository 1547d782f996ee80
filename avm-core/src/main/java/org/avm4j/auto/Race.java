package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Lap;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;

/**
 * Candidates that learn side by side. Each keeps its own loss; rows are scaled once for all that
 * share a scaling.
 *
 * <p>Scouts, learners with few vectors, find the settings; the best settings go on with all the
 * vectors that the options allow.
 */
final class Race {
  private static final String PLAIN = "plain";

  private static final int FINALISTS = 3;

  /** A linear part of more features is not tried: its matrix is dense. */
  private static final int MOST_LINEAR = 512;

  /** The loss of one that is clearly better must be below this part of that of another. */
  private static final double CLEARLY = MetricSearch.CLEARLY;

  /**
   * To take over, answers with a metric must be better than without by this number of standard
   * errors.
   */
  private static final double SURELY = 2;

  /** To stay, they must be better by this number of standard errors. */
  private static final double MORE_SURELY = 3;

  /** Until this instance a tree with a linear part runs beside one without. */
  private static final long LINEAR_UNTIL = 8L * AutoAvm.WARM_UP;

  /** At this instance the metric is learned again, by a tree from all instances so far. */
  static final long METRIC_AT = 2L * AutoAvm.WARM_UP;

  /** From this instance on candidates with a metric run beside the others. */
  private static final int METRIC_FROM = 128;

  /** No candidate is added when this number of them run. */
  private static final int MOST_RUNNERS = 20;

  /** A tree whose loss is this multiple of the best one's does not run on. */
  private static final double HOPELESS = 1.2;

  /** From this instance on a machine of full size runs beside the scouts. */
  private static final int LEADER_FROM = 128;

  /** From this instance on one machine is left, and is challenged. */
  private static final long CHALLENGE_FROM = 16L * AutoAvm.WARM_UP;

  /** A challenger has learned half as much, so that to be nearly as good is to be better. */
  private static final double NEARLY = 1.005;

  private final Task task;
  private final Labels labels;
  private final Lineup lineup;
  private final Features.Buffer scaled = new Features.Buffer();
  private final List<Runner> runners = new ArrayList<>();
  private Runner best;

  /** What was best without a metric, while more may be learned of metrics; else null. */
  private Candidate plainSettings;

  private Race(Task task, Labels labels) {
    this.task = task;
    this.labels = labels;
    lineup = new Lineup(task, labels);
  }

  /** A race that nobody has started, of a machine that knows nothing. */
  static Race empty(Task task, double answer) {
    Race race = new Race(task, emptyLabels(task, answer));
    AvmOptions options = AvmOptions.binary().task(task).loss(task.defaultLoss()).build();
    Candidate none =
        new Candidate(Scaling.NONE, options.kernel(), 0, 1, 0, Update.NO_LINEAR_PART, Metric.NONE);
    race.runners.add(new Runner(none, race.lineup.scaler(none, List.of()), options));
    race.best = race.runners.get(0);
    return race;
  }

  private static Labels emptyLabels(Task task, double answer) {
    return switch (task.kind()) {
      case BINARY -> Labels.Pair.SIGNS;
      case REGRESSION -> new Labels.Standard(answer, 1);
      case MULTICLASS, ANOMALY, CLUSTER -> new Labels.Plain();
    };
  }

  /** Whether a new race starts with instance t; one number tells more than one class. */
  static boolean startsAt(long t, Task task) {
    return t == 1 && task.isRegression()
        || t == 2
        || t == 8
        || t == 32
        || t == 128
        || t == 256
        || t == 512
        || t == AutoAvm.WARM_UP;
  }

  /** The better half goes on, and the best of those with a metric beside it. */
  private void halve() {
    List<Runner> withMetric =
        runners.stream().filter(runner -> !runner.candidate().metric().isNone()).toList();
    runners.removeAll(withMetric);
    settle((runners.size() + 1) / 2);
    withMetric.stream().min(Comparator.comparingDouble(Runner::meanLoss)).ifPresent(runners::add);
    findBest();
  }

  /** The race that follows this one, where the first instances are learned again. */
  Race next(AutoOptions options, Task nextTask, Labels nextLabels, List<Instance> first) {
    return next(options, nextTask, nextLabels, first, first.size() >= AutoAvm.WARM_UP);
  }

  /** The last race: what it finds is to stay. */
  Race last(AutoOptions options, List<Instance> first) {
    return next(options, task, labels, first, true);
  }

  private Race next(
      AutoOptions options, Task nextTask, Labels nextLabels, List<Instance> first, boolean isLast) {
    Race race = new Race(nextTask, nextLabels);
    boolean isSame = nextTask.kind() == task.kind() && runners.size() > 1;
    if (!isSame || !isLast) {
      Stream<Candidate> field = Candidate.all(options, nextTask, first).stream();
      boolean hasLeader = isSame && first.size() >= LEADER_FROM;
      race.start(hasLeader ? Stream.concat(field, leader(options, first)) : field, options, first);
      if (race.mayLearnMetric(options, first) && !isLast) {
        race.addMetric(options, first);
      }
    }
    if (isLast && !options.isGiven()) {
      race.start((isSame ? this : race).priors(options), options, first);
      race.start(race.ranking().limit(FINALISTS).flatMap(Candidate::withWidths), options, first);
      if (race.mayLearnMetric(options, first)) {
        boolean isEnd = first.size() < AutoAvm.WARM_UP;
        boolean isKnown = isEnd && isSame && hasMetricOf(first);
        race.learnMetric(options, first, isKnown ? List.of(best.candidate()) : List.of());
      }
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

  private boolean mayLearnMetric(AutoOptions options, List<Instance> first) {
    boolean isEnough = first.size() >= METRIC_FROM && first.size() >= Lineup.dimension(first);
    return options.learnsMetric() && isEnough && Lineup.dimension(first) <= MOST_LINEAR;
  }

  /** Candidates with a metric run beside the others. */
  private void addMetric(AutoOptions options, List<Instance> first) {
    Runner holder = null;
    while (best != holder && runners.size() < MOST_RUNNERS) {
      holder = best;
      holder
          .candidate()
          .weighted(relevance(holder, first))
          .forEach(c -> runners.add(lineup.machine(c, options, first)));
      findBest();
    }
  }

  /** What matters to a candidate in the first half of some instances. */
  private Relevance relevance(Runner runner, List<Instance> first) {
    List<Instance> half = lineup.transform(runner.scaler(), first.subList(0, first.size() / 2));
    Runner again = new Runner(runner.candidate(), runner.scaler(), runner.options());
    return Relevance.to(again, half, Lineup.dimension(first));
  }

  /**
   * Weighs the features of the best candidate by what they tell in the first half, as long as that
   * lowers the loss of the second.
   *
   * @param known the best candidate before, if it has a metric and no instance follows: it may
   *     still be better
   */
  private void learnMetric(AutoOptions options, List<Instance> first, List<Candidate> known) {
    Candidate alike = best.candidate();
    boolean isBetter = true;
    for (int round = 0; isBetter && round < MetricSearch.ROUNDS; round++) {
      isBetter = metricRound(options, first);
    }
    plainSettings = best.isPlain() ? null : alike;
    if (!best.isPlain() || !known.isEmpty()) {
      Stream<Candidate> before = known.stream().map(candidate -> candidate.scout(options));
      Stream<Candidate> all = Stream.concat(Stream.of(best.candidate()), before);
      start(all.flatMap(Candidate::withWidths), options, first);
    }
  }

  /** A round; returns whether it has lowered the loss. If not, all is as before. */
  private boolean metricRound(AutoOptions options, List<Instance> first) {
    List<Runner> before = List.copyOf(runners);
    Runner holder = best;
    Relevance relevance = relevance(holder, first);
    Candidate now = holder.candidate();
    List<Candidate> field = Stream.concat(now.weighted(relevance), now.mapped(relevance)).toList();
    if (field.isEmpty()) {
      return false;
    }
    start(field.stream(), options, first);
    boolean isBetter = best.meanLoss() < CLEARLY * holder.meanLoss();
    if (!isBetter) {
      runners.clear();
      runners.addAll(before);
      best = holder;
    }
    return isBetter;
  }

  /** The linear part with which the best candidate is clearly better than without. */
  private int linear(AutoOptions options, List<Instance> first) {
    int features = Lineup.dimension(first);
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
    int features = Lineup.dimension(first);
    boolean mayHelp = features > best.candidate().linear() && features <= MOST_LINEAR;
    if (options.isFree(AutoOptions.Choice.LINEAR) && mayHelp) {
      runners.add(lineup.tree(best.candidate().withLinear(features), options, first));
    }
  }

  /**
   * Many instances tell more than few of which features matter. Trees with a metric that is learned
   * anew learn all instances again. Those whose loss is lower than that of the tree that answers
   * run on beside it, and if that has a metric, one that has none.
   */
  void challengeByMetric(AutoOptions options, List<Instance> rows) {
    if (best.isTree() && Lineup.dimension(rows) <= MOST_LINEAR) {
      MetricSearch search = new MetricSearch(withoutMetric(options), lineup, options, rows);
      double least = best.meanLoss();
      search.found().filter(runner -> runner.meanLoss() < least).forEach(runners::add);
      if (!best.isPlain() && search.plain().meanLoss() < HOPELESS * least) {
        runners.add(search.plain());
      }
    }
    plainSettings = null;
    countAnew();
  }

  /** The settings that were best as long as all features counted alike. */
  private Candidate withoutMetric(AutoOptions options) {
    Candidate now = best.candidate();
    return best.isPlain() || plainSettings == null
        ? now.withoutMetric()
        : plainSettings.full(options).withLinear(now.linear());
  }

  private Stream<Candidate> leader(AutoOptions options, List<Instance> first) {
    return Stream.of(hasMetricOf(first) ? best.candidate() : best.candidate().withoutMetric())
        .map(candidate -> candidate.full(options));
  }

  /** Whether the best has a metric, and no feature has appeared since it was found. */
  private boolean hasMetricOf(List<Instance> rows) {
    Metric metric = best.candidate().metric();
    return !metric.isNone() && metric.dimension() == Lineup.dimension(rows);
  }

  /** The best so far as scouts, at several priors; a metric is found anew. */
  private Stream<Candidate> priors(AutoOptions options) {
    boolean hasPlain = plain().isPresent();
    return ranking()
        .filter(candidate -> !hasPlain || candidate.metric().isNone())
        .map(Candidate::withoutMetric)
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

  private void start(
      Stream<Candidate> field, AutoOptions options, List<Instance> first, boolean isTree) {
    List<Candidate> candidates = field.distinct().toList();
    runners.clear();
    runners.addAll(lineup.start(candidates, options, first, isTree));
    best = runners.get(0);
    settle(runners.size());
  }

  /** Whether a label belongs to this task. */
  boolean accepts(double y) {
    return labels.accepts(y);
  }

  /** Refuses a label that a machine would refuse. */
  void checkLabel(double y) {
    task.check(labels.transform(y));
  }

  /**
   * Learns an instance.
   *
   * @param counts whether answers count even if nobody else runs
   */
  void learn(Features x, double y, double weight, boolean counts) {
    if (runners.size() == 1 && !counts) {
      best.learner().learn(transform(x), labels.transform(y), weight);
    } else {
      learnAll(x, labels.transform(y), weight);
    }
  }

  /** The row as the candidate that answers sees it. */
  Features transform(Features x) {
    return best.scaler().apply(x, scaled);
  }

  /** Who answers after instance t, and who goes on. */
  void decide(long t) {
    if (best.isTree()) {
      decideAmongTrees(t);
    } else {
      decideAmongMachines(t);
    }
  }

  /**
   * The tree that was chosen answers until another is clearly better; those that are not are over.
   */
  private void decideAmongTrees(long t) {
    if (t == METRIC_AT) {
      countAnew();
    } else if (t >= LINEAR_UNTIL || t == LINEAR_UNTIL / 2) {
      boolean isLast = t >= LINEAR_UNTIL;
      Runner winner = winner(isLast ? MORE_SURELY : SURELY);
      if (winner != best || isLast) {
        takeOver(winner, isLast);
      }
      boolean hasMetric = runners.stream().anyMatch(runner -> !runner.isPlain());
      Runner needed = plain().filter(runner -> hasMetric).orElse(best);
      runners.removeIf(r -> r != needed && r.meanLoss() > HOPELESS * best.meanLoss());
    }
  }

  /** The others are over, but for those without a metric if one with a metric is on trial. */
  private void takeOver(Runner winner, boolean isLast) {
    boolean isTrial = !isLast && !winner.isPlain();
    List<Runner> others = runners.stream().filter(r -> isTrial && r.isPlain()).toList();
    best = winner == best ? best : best.withTreeOf(winner);
    runners.clear();
    runners.add(best);
    others.forEach(other -> runners.add(other.alone()));
  }

  /**
   * The tree that is to answer: the holder unless another is clearly better. A tree with a metric,
   * even if it is the holder, must be better by more than chance than one without, if one runs.
   */
  private Runner winner(double surely) {
    Optional<Runner> plain = plain();
    List<Runner> able =
        runners.stream().filter(r -> r.isPlain() || plain.isEmpty() || r.lead() > surely).toList();
    Runner first = able.stream().min(Comparator.comparingDouble(Runner::meanLoss)).orElse(best);
    boolean isBetter = first.meanLoss() < CLEARLY * best.meanLoss();
    return isBetter || !able.contains(best) ? first : best;
  }

  private Optional<Runner> plain() {
    return runners.stream().filter(Runner::isPlain).findFirst();
  }

  private void decideAmongMachines(long t) {
    int allowed = t == 4 * AutoAvm.WARM_UP ? 2 : runners.size();
    if (t >= CHALLENGE_FROM && Long.bitCount(t) == 1) {
      challenge(t);
    } else if (t == AutoAvm.WARM_UP / 2) {
      halve();
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
    Scaler last = null;
    Features z = x;
    for (Runner runner : runners) {
      z = runner.scaler() == last ? z : runner.scaler().apply(x, scaled);
      last = runner.scaler();
      runner.learn(z, label, weight);
    }
    if (best.isTree()) {
      Runner other = plain().orElse(best);
      runners.forEach(runner -> runner.compareWith(other));
    }
  }

  /** The best go on, up to the allowed number. */
  private void settle(int allowed) {
    runners.sort(Comparator.comparingDouble(Runner::meanLoss));
    while (runners.size() > allowed) {
      runners.remove(runners.size() - 1);
    }
    findBest();
  }

  private void findBest() {
    for (Runner runner : runners) {
      best = runner.meanLoss() < best.meanLoss() || !runners.contains(best) ? runner : best;
    }
  }

  /** From now on answers count anew. */
  void countAnew() {
    runners.forEach(Runner::countAnew);
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

  /** The scores of the best for a row, as they are learned. */
  double[] learnedScores(Features x) {
    return best.learner().score(transform(x));
  }

  /** The classes of the best as they are learned; empty where there is one column. */
  double[] learnedClasses() {
    boolean isOneColumn = task.kind() != Task.Kind.MULTICLASS;
    return isOneColumn ? new double[0] : best.learner().classes();
  }

  /** How labels are learned. */
  Labels labels() {
    return labels;
  }

  /** The answer that scores mean. */
  double answer(double[] scores) {
    return labels.inverse(task.predict(scores, best.learner().classes()));
  }

  /**
   * What answers now, frozen.
   *
   * @param beside what stands beside the race, or null
   */
  Model snapshot(Ensemble beside) {
    Model alone = best.learner().snapshot();
    Model all = beside == null ? alone : beside.snapshot(alone, best.scaler());
    Scaler scaler = all == alone ? best.scaler() : Scaler.none();
    return new PreparedModel(new Preparation(new Schema(), scaler, labels), all);
  }

  void encode(Encoder out) {
    task.encode(out);
    labels.encode(out);
    lineup.encodeScalers(runners, out);
    out.int32(runners.size());
    runners.forEach(runner -> out.section("runner", runner::encode));
    out.int32(runners.indexOf(best));
    if (plainSettings != null) {
      out.section(PLAIN, plainSettings::encode);
    }
  }

  private Candidate decodePlain(Decoder in) throws ModelFileException {
    Candidate candidate = Candidate.decode(in);
    boolean fits = candidate.metric().isNone() && lineup.scalers().containsKey(candidate.scaling());
    Decoder.check(fits, "plain settings must have a known scaling and no metric", candidate);
    return candidate;
  }

  static Race decode(Decoder in) throws ModelFileException {
    Race race = new Race(Task.decode(in), Labels.decode(in));
    race.lineup.decodeScalers(in);
    int running = in.int32("the machines", 1000);
    for (int i = 0; i < running; i++) {
      race.runners.add(
          in.section("runner", section -> Runner.decode(section, race.lineup.scalers())));
    }
    Decoder.check(running > 0, "at least one machine must run", running);
    race.best = race.runners.get(in.int32("the best", running - 1));
    race.plainSettings = in.hasSection(PLAIN) ? in.section(PLAIN, race::decodePlain) : null;
    return race;
  }
}
