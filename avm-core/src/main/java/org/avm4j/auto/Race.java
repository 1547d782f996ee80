package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Status.Lap;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.aggregate.PairedTest;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.Scaling;

/**
 * Candidates that learn side by side. Each keeps its own loss; rows are scaled once for all that
 * share a scaling.
 */
final class Race {
  private static final String PLAIN = "plain";
  private static final String SEEDLING = "seedling";

  /** Instance at which the last search for settings begins; those before it are kept. */
  static final int WARM_UP = 2048;

  /** A tree that was planted and has not won by this number of instances is given up. */
  private static final int TRIAL_OF_SEEDLING = 8192;

  /**
   * To take over, answers with a metric must be better than without by this number of standard
   * errors.
   */
  private static final double SURELY = 2;

  /** To stay, they must be better by this number of standard errors. */
  private static final double MORE_SURELY = 3;

  /** Until this instance a tree with a linear part runs beside one without. */
  private static final long LINEAR_UNTIL = 16_384;

  /**
   * The instance at which a search for a metric by trees begins. Its trees take over at 8,192, so
   * an earlier one costs time and changes no answer: from 4,096 on it took a third of the time of
   * 5,000 rows, and kin40k had the same error (0.365 and 0.364 in 12,000 rows).
   */
  static final long METRIC_AT = 6144;

  /** From this instance on a machine of full size runs beside the scouts. */
  private static final int LEADER_FROM = 128;

  /** From this instance on one machine is left, and is challenged. */
  private static final long CHALLENGE_FROM = 32_768;

  /**
   * Answers that the tree must have given before its loss is trusted: with fewer it is mostly
   * chance.
   */
  private static final int FEWEST_TO_COMPARE = 512;

  /** A challenger has learned half as much, so that to be nearly as good is to be better. */
  private static final double NEARLY = 1.005;

  private final Task task;
  private final Labels labels;
  private final Lineup lineup;
  private final Features.Buffer scaled = new Features.Buffer();
  private final List<Runner> runners = new ArrayList<>();
  private Runner best;

  /** A young tree that may take the place of the best, whose past does harm; else null. */
  private Runner seedling;

  /** What was best without a metric, while more may be learned of metrics; else null. */
  private Candidate plainSettings;

  private Race(Task task, Labels labels) {
    this.task = task;
    this.labels = labels;
    lineup = new Lineup(task, labels);
  }

  /**
   * A race among some runners, the first of which answers.
   *
   * @param lineup what has made them
   * @param plainSettings what was best without a metric, while more may be learned of metrics; else
   *     null
   */
  Race(Task task, Labels labels, Lineup lineup, List<Runner> runners, Candidate plainSettings) {
    this.task = task;
    this.labels = labels;
    this.lineup = lineup;
    this.plainSettings = plainSettings;
    this.runners.addAll(runners);
    best = runners.get(0);
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
        || t == WARM_UP;
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

  /** Start of the search for the next race. */
  SearchStart next(AutoOptions options, Task nextTask, Labels nextLabels, List<Instance> first) {
    boolean isLast = first.size() >= WARM_UP && !options.isGiven();
    return next(options, nextTask, nextLabels, first, isLast, List.of());
  }

  /** The same for the last race: what it finds is to stay. */
  SearchStart last(AutoOptions options, List<Instance> first) {
    List<Candidate> known = hasMetricOf(first) ? List.of(best.candidate()) : List.of();
    return next(options, task, labels, first, true, known);
  }

  private SearchStart next(
      AutoOptions options,
      Task nextTask,
      Labels nextLabels,
      List<Instance> first,
      boolean isLast,
      List<Candidate> known) {
    boolean isSame = nextTask.kind() == task.kind() && runners.size() > 1;
    Stream<Candidate> field = Candidate.all(options, nextTask, first).stream();
    SearchStart.Goal goal = isLast ? SearchStart.Goal.ALL : SearchStart.Goal.FIELD;
    if (isSame && isLast) {
      goal = SearchStart.Goal.SETTINGS;
      field = ranking();
    } else if (isSame && first.size() >= LEADER_FROM) {
      field = Stream.concat(field, leader(options, first));
    }
    List<Candidate> candidates = field.distinct().toList();
    return new SearchStart(
        goal, nextTask, nextLabels, first.size(), candidates, isSame ? known : List.of(), 0, true);
  }

  /** What a search for a metric begins with; empty where there is nothing to find. */
  Optional<SearchStart> metric(AutoOptions options, List<Instance> rows) {
    boolean mayHelp = best.isTree() && Lineup.dimension(rows) <= CandidateSearch.MOST_LINEAR;
    Candidate candidate = withoutMetric(options);
    plainSettings = null;
    return mayHelp
        ? Optional.of(
            new SearchStart(
                SearchStart.Goal.METRIC,
                task,
                labels,
                rows.size(),
                List.of(candidate),
                List.of(),
                best.counted() < FEWEST_TO_COMPARE ? 0 : best.meanLoss(),
                best.isPlain()))
        : Optional.empty();
  }

  /** What has made its runners. */
  Lineup lineup() {
    return lineup;
  }

  /** Trees that learned all rows so far run on beside the one that answers. */
  void challenge(List<Runner> trees) {
    runners.addAll(trees);
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

  private Stream<Candidate> ranking() {
    return runners.stream()
        .sorted(Comparator.comparingDouble(Runner::meanLoss))
        .map(Runner::candidate);
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
    if (runners.size() == 1 && !counts && seedling == null) {
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
    if (t >= LINEAR_UNTIL || t == LINEAR_UNTIL / 2) {
      boolean isLast = t >= LINEAR_UNTIL;
      Runner winner = winner(isLast ? MORE_SURELY : SURELY);
      if (winner != best || isLast) {
        takeOver(winner, isLast);
      }
      boolean hasMetric = runners.stream().anyMatch(runner -> !runner.isPlain());
      Runner needed = plain().filter(runner -> hasMetric).orElse(best);
      runners.removeIf(r -> r != needed && r.meanLoss() > MetricSearch.HOPELESS * best.meanLoss());
    }
  }

  /** The others are over, but for those without a metric if one with a metric is on trial. */
  private void takeOver(Runner winner, boolean isLast) {
    boolean isTrial = !isLast && !winner.isPlain();
    List<Runner> others = runners.stream().filter(r -> isTrial && r.isPlain()).toList();
    seedling = winner == best ? seedling : null;
    best = winner;
    runners.clear();
    runners.add(best);
    runners.addAll(others);
  }

  /**
   * The tree that is to answer: the one that answers now unless another is clearly better. A tree
   * with a metric, even if it answers now, must be better by more than chance than one without, if
   * one runs.
   */
  private Runner winner(double surely) {
    Optional<Runner> plain = plain();
    List<Runner> able =
        runners.stream().filter(r -> r.isPlain() || plain.isEmpty() || r.lead() > surely).toList();
    Runner first = able.stream().min(Comparator.comparingDouble(Runner::meanLoss)).orElse(best);
    boolean isBetter = first.meanLoss() < MetricSearch.CLEARLY * best.meanLoss();
    return isBetter || !able.contains(best) ? first : best;
  }

  private Optional<Runner> plain() {
    return runners.stream().filter(Runner::isPlain).findFirst();
  }

  private void decideAmongMachines(long t) {
    int allowed = t == CHALLENGE_FROM / 4 ? 2 : runners.size();
    if (t >= CHALLENGE_FROM && Long.bitCount(t) == 1) {
      challenge(t);
    } else if (t == 1024) {
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
    if (seedling != null) {
      seedling.learn(seedling.scaler().apply(x, scaled), label, weight);
      seedling.compareWith(best);
      judgeSeedling();
    }
  }

  /**
   * Plants a tree that knows nothing but the classes. The one that answers may know what is not
   * true any more, but it stays until the new one is clearly better: the error may have risen for a
   * while only.
   */
  void plant() {
    if (seedling == null && best.isTree()) {
      seedling = best.replanted();
    }
  }

  private boolean isTrialOver() {
    return seedling.tree().instances() >= TRIAL_OF_SEEDLING;
  }

  private void judgeSeedling() {
    if (seedling.lead() > PairedTest.FAR) {
      runners.set(runners.indexOf(best), seedling);
      best = seedling;
      seedling = null;
      countAnew();
    } else if (seedling.lead() < -PairedTest.FAR || isTrialOver()) {
      seedling = null;
    }
  }

  /** The best goes on alone. */
  void keepBest() {
    settle(1);
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

  /** Experts beside the best that have learned nothing. */
  Ensemble experts(List<Instance> first) {
    return Ensemble.of(first, task.kind(), labels, best);
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
    if (seedling != null) {
      out.section(SEEDLING, seedling::encode);
    }
  }

  private Candidate decodePlain(Decoder in) throws ModelFileException {
    Candidate candidate = Candidate.decode(in);
    boolean fits = candidate.metric().isNone() && lineup.scalers().containsKey(candidate.scaling());
    Decoder.check(fits, "plain settings must have a known scaling and no metric", candidate);
    return candidate;
  }

  private Runner decodeSeedling(Decoder in) throws ModelFileException {
    Runner young = Runner.decode(in, lineup.scalers());
    boolean fits =
        best.isTree()
            && young.isTree()
            && young.learner().task().kind() == task.kind()
            && young.candidate().equals(best.candidate());
    Decoder.check(fits, "a young tree must be like the one that answers", young.candidate());
    return young;
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
    race.seedling = in.hasSection(SEEDLING) ? in.section(SEEDLING, race::decodeSeedling) : null;
    return race;
  }
}
