package org.avm4j.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.avm4j.Model;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Scaler;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;

/**
 * Finds out how much each column of a table should count, before all of its rows are learned.
 *
 * <p>A sample of the rows is learned with all columns alike. Then rounds follow: columns are
 * weighed by what the answers depend on and by what the errors still depend on ({@link
 * ResidualScreen}), and a fresh learner learns the sample so. Of each round the weights and their
 * square roots compete. A held-out quarter of the sample decides: rounds go on while they help, and
 * unless they clearly help, columns stay alike.
 *
 * <pre>{@code
 * PreparedData data = PreparedData.look(DataSource.of("train.csv"), spec, 1000);
 * data.weigh(new ColumnStudy(data, spec).run());
 * Run run = Run.start(data, spec, RunOptions.DEFAULT.withPasses(1, true), RunListener.NONE);
 * }</pre>
 *
 * <p>The seed of the specification decides everything; the number of cores does not matter.
 */
public final class ColumnStudy {
  /** The most columns of a table that is studied. */
  private static final int MOST_COLUMNS = 512;

  /** The fewest rows of a table that is studied. */
  private static final int FEWEST_ROWS = 1000;

  private static final int SAMPLE = 12_000;
  private static final int HELD_OUT = 4;
  private static final int ROUNDS = 5;

  /**
   * How far a round has come.
   *
   * @param number 0 for all columns alike, then 1, 2, …
   * @param figure the name of the figure: rmse or mistakeRate
   * @param value the figure of the held-out rows
   * @param isBest whether it is the best so far
   */
  public record Round(int number, String figure, double value, boolean isBest) {}

  private final PreparedData data;
  private final LearnerSpec spec;
  private final RunListener listener;
  private final Consumer<Round> told;
  private final AtomicLong learned = new AtomicLong();
  private final List<Round> rounds = new ArrayList<>();
  private List<Instance> fit;
  private List<Instance> held;
  private ColumnMoments moments;
  private volatile Trial best;

  /** A study of data that was looked at. */
  public ColumnStudy(PreparedData data, LearnerSpec spec) {
    this(data, spec, RunListener.NONE, round -> {});
  }

  /**
   * A study of data that was looked at.
   *
   * @param listener is told how many rows were learned, in any thread, and may stop the study,
   *     which then ends with the best so far
   * @param told is told of each round
   */
  public ColumnStudy(
      PreparedData data, LearnerSpec spec, RunListener listener, Consumer<Round> told) {
    this.data = data;
    this.spec = spec;
    this.listener = listener;
    this.told = told;
  }

  /** Whether there is something to study: a table in files, and automatic mode to learn it. */
  public static boolean isFor(PreparedData data, LearnerSpec spec) {
    return !data.isStream()
        && spec.family().isAutomatic(spec)
        && !spec.has(LearnerSpec.SCALE)
        && !spec.has("delta")
        && data.rows() >= FEWEST_ROWS
        && data.survey().dimension() >= 2
        && data.survey().dimension() <= MOST_COLUMNS;
  }

  /** The most rows that a study of so many rows learns, all rounds together. */
  public static long mostRows(long rows) {
    long sample = Math.min(SAMPLE, rows);
    return (sample - sample / HELD_OUT) * (1 + 2 * ROUNDS);
  }

  /** How columns are best weighed and scaled; nothing if they are best left alike. */
  public Optional<Scaler> run() throws IOException {
    split(sample());
    moments = new ColumnMoments(fit);
    best = trial(0, null);
    boolean goesOn = !isStopped();
    if (goesOn) {
      report(best, true);
    }
    for (int number = 1; number <= ROUNDS && goesOn && !isStopped(); number++) {
      goesOn = round(number);
    }
    return scaler();
  }

  /** The weights of the columns that were found, the heaviest first, in the words of the data. */
  public List<String> heaviest(int most) {
    if (best == null || best.weights == null) {
      return List.of();
    }
    return Arrays.stream(best.weights.heaviest(most))
        .mapToObj(i -> data.schema().featureName(i) + " " + percent(best.weights.weights()[i]))
        .toList();
  }

  private static String percent(double weight) {
    return Math.round(100 * weight) + " %";
  }

  /** All rounds so far. */
  public List<Round> rounds() {
    return List.copyOf(rounds);
  }

  /** The learner of the best round so far, which knows a part of the sample; none at first. */
  public Optional<Pipeline> pipeline() {
    return Optional.ofNullable(best).map(trial -> trial.pipeline);
  }

  /** The best round so far. */
  public Optional<Round> best() {
    return rounds.stream().filter(Round::isBest).reduce((before, after) -> after);
  }

  private Optional<Scaler> scaler() {
    return Optional.ofNullable(best.weights).map(ColumnWeights::scaler);
  }

  private boolean isStopped() {
    return listener.isStopRequested();
  }

  private List<Instance> sample() throws IOException {
    List<Instance> rows = new ArrayList<>();
    try (InstanceReader reader = data.openShuffled(spec.seed())) {
      while (rows.size() < SAMPLE && reader.next()) {
        rows.add(new Instance(reader.features().copy(), reader.label(), reader.weight()));
      }
    }
    return rows;
  }

  private void split(List<Instance> rows) {
    int count = rows.size() / HELD_OUT;
    held = rows.subList(0, count);
    fit = rows.subList(count, rows.size());
  }

  /** Tries what the best so far makes of the columns; returns whether that was better. */
  private boolean round(int number) {
    ColumnWeights weights = ColumnWeights.of(moments, metric());
    List<Trial> both =
        Stream.of(weights, weights.tempered()).parallel().map(some -> trial(number, some)).toList();
    if (isStopped()) {
      return false;
    }
    Trial tried = Collections.min(both, Comparator.comparingDouble(trial -> trial.judge.mean()));
    boolean isBetter = tried.judge.isClearlyBelow(best.judge);
    report(tried, isBetter);
    best = isBetter ? tried : best;
    return isBetter;
  }

  private double[] metric() {
    double[] metric = new Sensitivity(best.model, moments).metric(held);
    ResidualScreen screen = new ResidualScreen(best.answered(), moments);
    for (double[] residuals : best.residuals()) {
      double[] missed = screen.metric(residuals);
      Arrays.setAll(metric, i -> metric[i] + missed[i]);
    }
    return metric;
  }

  private Trial trial(int number, ColumnWeights weights) {
    DefaultRules rules = data.rules(spec);
    Pipeline pipeline = (weights == null ? rules : rules.scaledBy(weights.scaler())).pipeline();
    Trial trial = new Trial(number, weights, pipeline);
    for (Instance row : fit) {
      if (isStopped()) {
        break;
      }
      trial.learn(row, fit.size());
      listener.advanced(learned.incrementAndGet());
    }
    if (!isStopped()) {
      trial.judge(held);
    }
    return trial;
  }

  private void report(Trial trial, boolean isBest) {
    Round round = new Round(trial.number, trial.judge.figure(), trial.judge.value(), isBest);
    rounds.add(round);
    told.accept(round);
  }

  /** A learner with one weighing of the columns, and what it left of the later rows. */
  private static final class Trial {
    private final int number;
    private final ColumnWeights weights;
    private final Pipeline pipeline;
    private final List<Instance> answered = new ArrayList<>();
    private final List<double[]> left = new ArrayList<>();
    private long seen;
    private Model model;
    private HeldOut judge;

    Trial(int number, ColumnWeights weights, Pipeline pipeline) {
      this.number = number;
      this.weights = weights;
      this.pipeline = pipeline;
    }

    /** Learns a row; one of the later half is answered before. */
    void learn(Instance row, int rows) {
      if (2 * ++seen > rows) {
        answered.add(row);
        left.add(HeldOut.residuals(pipeline, row));
      }
      try {
        pipeline.learn(row.features(), row.label(), row.weight());
      } catch (IllegalArgumentException refused) {
        // A row that the run itself will refuse, and name, tells nothing about columns.
      }
    }

    void judge(List<Instance> rows) {
      model = pipeline.snapshot();
      judge = new HeldOut(model, rows);
    }

    List<Instance> answered() {
      return answered;
    }

    /** The residuals of each score; a class that was unknown at the time left nothing. */
    List<double[]> residuals() {
      List<double[]> byScore = new ArrayList<>();
      for (int c = 0; c < pipeline.columns(); c++) {
        int column = c;
        byScore.add(
            left.stream().mapToDouble(row -> column < row.length ? row[column] : 0).toArray());
      }
      return byScore;
    }
  }
}
