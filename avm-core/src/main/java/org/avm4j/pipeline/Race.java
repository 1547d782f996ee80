package org.avm4j.pipeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 */
final class Race {
  private static final int SAMPLE = 200;

  private final Task task;
  private final Labels labels;
  private final Map<Scaling, Scaler> scalers = new LinkedHashMap<>();
  private final List<Runner> runners = new ArrayList<>();
  private Runner best;
  private double[] scores = {};

  /** A candidate on its way. */
  private static final class Runner {
    private final Candidate candidate;
    private final Avm avm;
    private double loss;
    private long counted;

    Runner(Candidate candidate, Avm avm) {
      this.candidate = candidate;
      this.avm = avm;
    }

    double meanLoss() {
      return loss / Math.max(1, counted);
    }
  }

  private Race(Task task, Labels labels) {
    this.task = task;
    this.labels = labels;
  }

  /** A race that nobody has started, of a machine that knows nothing. */
  static Race empty(Task task) {
    boolean isNumber = task instanceof Task.Regression;
    AvmOptions.Builder builder = isNumber ? AvmOptions.regression() : AvmOptions.binary();
    Race race =
        new Race(task, task instanceof Task.Binary ? Labels.Pair.SIGNS : new Labels.Plain());
    race.scalers.put(Scaling.NONE, new Scaler(Scaling.NONE));
    Candidate none = new Candidate(Scaling.NONE, builder.build().kernel(), 0, 1);
    race.runners.add(new Runner(none, new Avm(builder.task(task).build())));
    race.best = race.runners.get(0);
    return race;
  }

  /** Whether a new race starts with instance t. */
  static boolean startsAt(long t) {
    return t == 2 || t == 8 || t == 32 || t == 128 || t == 512 || t == AutoAvm.WARM_UP;
  }

  /** How many may go on after instance t, of so many. */
  private static int goOn(long t, int running) {
    if (t == 1024) {
      return (running + 1) / 2;
    }
    return t == 4 * AutoAvm.WARM_UP ? 2 : running;
  }

  /** The race that follows this one, where the first instances are learned again. */
  Race next(AutoOptions options, Task nextTask, Labels nextLabels, List<Instance> first) {
    Race race = new Race(nextTask, nextLabels);
    boolean isLast = first.size() >= AutoAvm.WARM_UP;
    boolean isSame = nextTask.getClass() == task.getClass() && runners.size() > 1;
    List<Candidate> field =
        isLast && isSame ? finalists(options, nextTask) : Candidate.all(options, nextTask, first);
    for (Candidate candidate : field) {
      race.add(candidate, options, first);
    }
    race.best = race.runners.get(0);
    for (int t = 1; t <= first.size(); t++) {
      Instance instance = first.get(t - 1);
      race.learnAll(instance.features(), instance.label(), 2 * t > first.size());
    }
    race.settle(isLast ? 4 : field.size());
    return race;
  }

  private List<Candidate> finalists(AutoOptions options, Task nextTask) {
    settle(3);
    List<Candidate> field = new ArrayList<>();
    for (Runner runner : runners) {
      field.addAll(runner.candidate.withPriors(options, nextTask));
    }
    return field;
  }

  private void add(Candidate candidate, AutoOptions options, List<Instance> first) {
    Scaler scaler = scalers.computeIfAbsent(candidate.scaling(), how -> scaler(how, first));
    List<Features> sample =
        first.stream().limit(SAMPLE).map(row -> scaler.apply(row.features()).copy()).toList();
    PairwiseDistances distances =
        sample.size() < 2 ? new PairwiseDistances(1, 0) : PairwiseDistances.of(sample);
    runners.add(new Runner(candidate, new Avm(candidate.options(options, task, distances))));
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

  /** Instance t. */
  void learn(Features x, double y, long t) {
    learnAll(x, y, true);
    int allowed = goOn(t, runners.size());
    if (allowed < runners.size()) {
      settle(allowed);
    } else {
      findBest();
    }
  }

  private void learnAll(Features x, double y, boolean counts) {
    double label = labels.learned(y);
    for (Map.Entry<Scaling, Scaler> entry : scalers.entrySet()) {
      Features z = entry.getValue().apply(x);
      for (Runner runner : runners) {
        if (runner.candidate.scaling() == entry.getKey()) {
          learn(runner, z, label, counts);
        }
      }
    }
  }

  private void learn(Runner runner, Features z, double label, boolean counts) {
    if (counts && runners.size() > 1) {
      scores =
          scores.length < runner.avm.columns()
              ? new double[2 * scores.length + runner.avm.columns()]
              : scores;
      runner.avm.score(z, scores);
      runner.loss += loss(runner.avm, label);
      runner.counted++;
    }
    runner.avm.learn(z, label);
  }

  /**
   * Mistakes count, and a little how near they were; of numbers the square, but not without end.
   */
  private double loss(Avm avm, double label) {
    if (task instanceof Task.Regression) {
      double residual = scores[0] - label;
      return Math.min(25, residual * residual);
    }
    double margin =
        task instanceof Task.Binary ? label * scores[0] : margin(avm.classes(), label) / 2;
    double hinge = Math.max(0, Math.min(2, 1 - margin));
    return (margin < 0 ? 1 : 0) + 0.1 * hinge;
  }

  private double margin(double[] classes, double label) {
    double own = Double.NEGATIVE_INFINITY;
    double rival = Double.NEGATIVE_INFINITY;
    for (int c = 0; c < classes.length; c++) {
      if (classes[c] == label) {
        own = scores[c];
      } else {
        rival = Math.max(rival, scores[c]);
      }
    }
    return own == Double.NEGATIVE_INFINITY
        ? -2
        : rival == Double.NEGATIVE_INFINITY ? 2 : own - rival;
  }

  /** The best go on, as many as allowed. */
  private void settle(int allowed) {
    runners.sort(Comparator.comparingDouble(Runner::meanLoss));
    while (runners.size() > allowed) {
      runners.remove(runners.size() - 1);
    }
    scalers.keySet().removeIf(how -> runners.stream().noneMatch(r -> r.candidate.scaling() == how));
    findBest();
  }

  private void findBest() {
    for (Runner runner : runners) {
      best = runner.meanLoss() < best.meanLoss() || !runners.contains(best) ? runner : best;
    }
  }

  Avm best() {
    return best.avm;
  }

  Scaling scaling() {
    return best.candidate.scaling();
  }

  int size() {
    return runners.size();
  }

  int columns() {
    return best.avm.columns();
  }

  double[] classes() {
    return labels.given(best.avm.classes());
  }

  void score(Features x, double[] into) {
    best.avm.score(scalers.get(scaling()).apply(x), into);
    labels.giveScores(into);
  }

  double predict(Features x) {
    return labels.given(best.avm.predict(scalers.get(scaling()).apply(x)));
  }

  Predictor snapshot() {
    return new PreparedModel(
        new Preparation(new Schema(), scalers.get(scaling()), labels), best.avm.snapshot());
  }

  void encode(Encoder out) {
    task.encode(out);
    labels.encode(out);
    out.int32(scalers.size());
    scalers.values().forEach(scaler -> scaler.encode(out));
    out.int32(runners.size());
    for (Runner runner : runners) {
      runner.candidate.encode(out);
      runner.avm.encode(out);
      out.float64(runner.loss);
      out.int64(runner.counted);
    }
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
      Runner runner = new Runner(Candidate.decode(in), Avm.decode(in));
      boolean isScaled = race.scalers.containsKey(runner.candidate.scaling());
      Decoder.check(isScaled, "a scaling must be known", runner.candidate.scaling());
      runner.loss = in.finite("a loss");
      runner.counted = in.count("the answers");
      race.runners.add(runner);
    }
    race.best = race.runners.get(in.int32("the best", running - 1));
    return race;
  }
}
