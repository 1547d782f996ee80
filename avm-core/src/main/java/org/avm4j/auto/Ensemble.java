package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Model;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.auto.aggregate.Judgement;
import org.avm4j.auto.aggregate.Mixture;
import org.avm4j.auto.expert.Expert;
import org.avm4j.auto.expert.Experts;
import org.avm4j.auto.expert.Frozen;
import org.avm4j.auto.expert.Inputs;
import org.avm4j.auto.expert.KernelExpert;
import org.avm4j.auto.expert.LastLabel;
import org.avm4j.auto.expert.LinearExpert;
import org.avm4j.auto.expert.Mean;
import org.avm4j.auto.expert.Moment;
import org.avm4j.auto.expert.Opinion;
import org.avm4j.auto.expert.PastLabels;
import org.avm4j.auto.expert.SharedInputs;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.data.Scaling;
import org.avm4j.pipeline.Labels;

/**
 * Cheap experts beside the learner that won the race, and the mixture of them all. Labels and
 * scores are those that the race learns. The learner of the race is the first expert of the
 * mixture, but it is not held here.
 */
final class Ensemble {
  /** The labels of numbers that a linear expert sees: the latest ones, and that of a day before. */
  private static final int[] LAGS_OF_NUMBERS = {1, 2, 3, 24};

  /** The labels of classes that a linear expert sees. */
  private static final int[] LAGS_OF_CLASSES = {1, 2, 3};

  /** With more classes than this only the latest label is seen. */
  private static final int FEW_CLASSES = 8;

  /**
   * The width of the kernel expert, as γ times the mean squared distance, and its prior. On
   * metrotraffic, 10,000 rows, the error of the mixture is 735; with width 1.5 it is 759, with
   * width 0.1 and prior 0.1 it is 746, and 769 without this expert.
   */
  private static final double WIDTH = 0.4;

  private static final double PRIOR = 1;

  /** A file with more experts than this is forged. */
  static final int MOST_EXPERTS = 100;

  private final Task.Kind task;
  private final List<Expert> experts;
  private final Mixture mixture;
  private final Judgement judgement;
  private final Moment moment = new Moment();
  private final PastLabels labels;
  private double[][] scores = {};
  private double[] answer = {};
  private Features row;

  private Ensemble(Task.Kind task, List<Expert> experts, Mixture mixture, PastLabels labels) {
    this.task = task;
    this.experts = experts;
    this.mixture = mixture;
    this.labels = labels;
    judgement = new Judgement(task);
  }

  /** Experts that have learned nothing; how they see rows follows from some of them. */
  static Ensemble of(List<Instance> rows, Task.Kind task, Labels how) {
    List<Expert> experts = experts(rows, task, how);
    return new Ensemble(task, experts, new Mixture(1 + experts.size()), new PastLabels());
  }

  /**
   * The same experts; what is known of how good they are is taken from those before them if the
   * task is the same.
   *
   * @param before the ensemble whose place they take, or null
   */
  Ensemble withWeightsOf(Ensemble before) {
    boolean isSame =
        before != null && before.task == task && before.experts.size() == experts.size();
    return isSame ? new Ensemble(task, experts, before.mixture, labels) : this;
  }

  /** Learns a row that was kept. */
  void follow(Features x, double y, double weight) {
    row = x;
    learnRow(y, weight);
  }

  private static List<Expert> experts(List<Instance> rows, Task.Kind task, Labels how) {
    List<Expert> experts = new ArrayList<>(List.of(new Mean(), new LastLabel(task)));
    int features = Lineup.dimension(rows);
    double[] classes = classes(rows, task, how);
    Inputs plain = Inputs.of(scaler(rows));
    Inputs labelled = plain.behindLabels(lags(task, classes.length), classes, 1);
    if (labelled.places() + features < LinearExpert.MOST_INPUTS) {
      experts.add(new LinearExpert(task, plain, features));
      experts.add(new LinearExpert(task, labelled, features));
      if (task == Task.Kind.REGRESSION) {
        experts.add(new KernelExpert(labelled, kernel(rows, plain.scaler()), PRIOR));
      }
    }
    return experts;
  }

  /** A kernel whose width follows from the distances of scaled rows. */
  private static Kernel kernel(List<Instance> rows, Scaler scaler) {
    Kernel kernel = new Kernel.Gaussian(1);
    return kernel.withGamma(Lineup.distances(scaler, rows).gamma(kernel, WIDTH));
  }

  private static Scaler scaler(List<Instance> rows) {
    ScalerFit fit = new ScalerFit(new Ranges(rows).isSparse() ? Scaling.UNIT : Scaling.STANDARD);
    rows.forEach(row -> fit.observe(row.features()));
    return fit.scaler();
  }

  private static double[] classes(List<Instance> rows, Task.Kind task, Labels how) {
    return task == Task.Kind.MULTICLASS
        ? rows.stream().mapToDouble(row -> how.transform(row.label())).distinct().sorted().toArray()
        : new double[0];
  }

  private static int[] lags(Task.Kind task, int classes) {
    if (task == Task.Kind.REGRESSION) {
      return LAGS_OF_NUMBERS;
    }
    return classes <= FEW_CLASSES ? LAGS_OF_CLASSES : new int[] {1};
  }

  /**
   * The common scores of all for a row.
   *
   * @param lead the scores of the learner that won the race
   * @param classes the labels of the columns in ascending order; empty where there is one column
   * @return the answer, valid until the next call; the scores of the lead as they are if nobody
   *     else has weight
   */
  double[] combine(Features x, double[] lead, double[] classes) {
    row = x.copy();
    if (answer.length != lead.length || scores.length == 0) {
      scores = new double[1 + experts.size()][lead.length];
      answer = new double[lead.length];
    }
    moment.of(row, labels);
    System.arraycopy(lead, 0, scores[0], 0, lead.length);
    judgement.limit(scores[0]);
    for (int k = 1; k < scores.length && lead.length > 0; k++) {
      experts.get(k - 1).score(moment, classes, scores[k]);
      judgement.limit(scores[k]);
    }
    mixture.combine(scores, answer);
    return mixture.isFirstAlone() ? lead : answer;
  }

  /** Learns the row that was combined last. */
  void learn(double y, double weight, double[] classes) {
    if (answer.length > 0 && judgement.hold(y, answer, classes)) {
      double[] gains = new double[scores.length];
      for (int k = 0; k < gains.length; k++) {
        gains[k] = judgement.gain(answer, scores[k]);
      }
      mixture.learn(gains, weight);
    }
    learnRow(y, weight);
  }

  private void learnRow(double y, double weight) {
    moment.of(row, labels);
    for (Expert expert : experts) {
      expert.learn(moment, y, weight);
    }
    labels.add(y);
  }

  /** Whether the learner that won the race has the largest weight. */
  boolean leads() {
    return heaviest() == 0;
  }

  private int heaviest() {
    double[] weights = mixture.weights();
    int first = 0;
    for (int k = 1; k < weights.length; k++) {
      first = weights[k] > weights[first] ? k : first;
    }
    return first;
  }

  /** The expert with the largest weight, beside what is known of the learner that won the race. */
  Status.Change change(Optional<Status.Change> known, long instances) {
    Expert first = experts.get(heaviest() - 1);
    return new Status.Change(
        first.name(),
        instances,
        first.seesLabels(),
        known.map(Status.Change::rises).orElse(0L),
        known.map(Status.Change::frozen).orElse(0),
        known.map(Status.Change::runs).orElse(false));
  }

  /**
   * What all answer now, frozen.
   *
   * @param lead the learner that won the race
   * @param scaler how it sees features
   */
  Model snapshot(Model lead, Scaler scaler) {
    if (mixture.isFirstAlone()) {
      return lead;
    }
    double[] all = mixture.weights();
    List<Opinion> opinions = new ArrayList<>();
    List<Double> weights = new ArrayList<>();
    opinions.add(new Frozen("race", lead, Inputs.of(scaler)));
    weights.add(all[0]);
    for (int k = 1; k < all.length; k++) {
      if (all[k] > 0) {
        opinions.add(experts.get(k - 1).freeze());
        weights.add(all[k]);
      }
    }
    double[] used = weights.stream().mapToDouble(weight -> weight).toArray();
    return new EnsembleModel(opinions, used, labels.copy());
  }

  void encode(Encoder out) {
    SharedInputs shared = new SharedInputs();
    experts.forEach(expert -> Experts.take(expert, shared));
    out.int32(task.ordinal());
    out.section("inputs", shared::encode);
    out.int32(experts.size());
    experts.forEach(
        expert -> out.section("expert", section -> Experts.encode(expert, section, shared)));
    mixture.encode(out);
    labels.encode(out);
  }

  static Ensemble decode(Decoder in) throws ModelFileException {
    Task.Kind task = Task.Kind.values()[in.int32("the task", Task.Kind.values().length - 1)];
    SharedInputs shared = in.section("inputs", SharedInputs::decode);
    int count = in.int32("the experts", MOST_EXPERTS);
    List<Expert> experts = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      experts.add(in.section("expert", section -> Experts.decodeLive(section, shared, task)));
    }
    Mixture mixture = Mixture.decode(in, 1 + count);
    return new Ensemble(task, experts, mixture, PastLabels.decode(in));
  }

  @Override
  public String toString() {
    return Arrays.toString(mixture.weights());
  }
}
