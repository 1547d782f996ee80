package org.avm4j.auto.expert;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.BoostedModel;
import org.avm4j.boost.Boosting;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;

/**
 * Boosted decision trees over a sample of the stream. Whenever the stream has doubled in length, or
 * half of the sample has been replaced, new trees are grown from the whole sample, a few with each
 * row that follows. The previous trees answer until the new ones are complete. Such trees are
 * better than kernels if the labels depend on thresholds of single features.
 */
public final class BoostedExpert implements Expert {
  private static final String MODEL = "model";
  private static final String GROWING = "growing";

  private final Task.Kind task;
  private final Inputs inputs;
  private final StreamSample sample;

  /** The number of rows at which the next trees begin to grow. */
  private long next;

  /** Trees that are not complete; null if none are being grown. */
  private Boosting growing;

  /** The trees that answer; null before the first ones are complete. */
  private BoostedModel model;

  /** An untrained expert. */
  public BoostedExpert(Task.Kind task, Inputs inputs) {
    this(task, inputs, new StreamSample(Constants.MANY_ROWS));
    next = Constants.POINTS;
  }

  private BoostedExpert(Task.Kind task, Inputs inputs, StreamSample sample) {
    this.task = task;
    this.inputs = inputs;
    this.sample = sample;
  }

  @Override
  public String name() {
    return "boosted trees";
  }

  @Override
  public boolean isCostly() {
    return true;
  }

  @Override
  public boolean seesLabels() {
    return inputs.seeLabels();
  }

  @Override
  public double memory(long instances) {
    return sample.rows().size();
  }

  /** The number of leaves. */
  @Override
  public int size() {
    return model == null ? 0 : model.status().size();
  }

  @Override
  public void replay(Moment now, double y, double weight) {
    double left = y - offset(now);
    boolean isNumber = task == Task.Kind.REGRESSION;
    double goal = isNumber ? Inputs.limited(left) : y;
    sample.add(new Instance(now.through(inputs).copy(), goal, weight));
  }

  @Override
  public void learn(Moment now, double y, double weight) {
    replay(now, y, weight);
    if (growing != null) {
      grow();
    } else if (sample.seen() >= next) {
      next = sample.seen() + Math.min(sample.seen(), Constants.MANY_ROWS / 2);
      begin();
    }
  }

  private void begin() {
    if (scores(sample.rows()) <= Constants.BOOSTED_SCORES) {
      sample.setMark();
      growing = boosting(sample.rows());
    }
  }

  private long scores(List<Instance> rows) {
    return (long) rows.size() * Math.max(1, Boosting.classes(task, rows).length);
  }

  /**
   * What is added to the answer: for a series of numbers, trees learn the difference from the
   * latest one.
   */
  private double offset(Moment now) {
    return task == Task.Kind.REGRESSION && inputs.seeLabels() ? now.latest() : 0;
  }

  private void grow() {
    for (long work = 0;
        growing != null && work < Constants.SLICE;
        work += Constants.WORK_OF_ADDITION * growing.work()) {
      if (!growing.grow()) {
        model = growing.model(growing.rounds());
        growing = null;
        sample.dropMark();
        return;
      }
    }
  }

  private Boosting boosting(List<Instance> rows) {
    int classes = Boosting.classes(task, rows).length;
    int rounds =
        Math.min(Constants.BOOSTING_ROUNDS, Constants.BOOSTED_TREES / Math.max(1, classes));
    BoostOptions options =
        BoostOptions.DEFAULT
            .withRounds(rounds)
            .withTrees(Constants.DEPTH, Math.min(1, Constants.BOOSTING_STEPS / rounds))
            .withSamples(Constants.BOOSTING_PART, Constants.BOOSTING_PART, sample.mark());
    return Boosting.of(task, rows, options);
  }

  /** Writes the predicted number, or the probability of each class mapped to [-1, 1]. */
  @Override
  public void score(Moment now, double[] classes, double[] into) {
    Arrays.fill(into, 0);
    if (model == null) {
      return;
    }
    double[] scores = model.score(now.through(inputs));
    switch (task) {
      case REGRESSION -> into[0] = scores[0] + offset(now);
      case BINARY -> into[0] = 2 / (1 + StrictMath.exp(-scores[0])) - 1;
      default -> writeProbabilities(scores, classes, into);
    }
  }

  private void writeProbabilities(double[] scores, double[] classes, double[] into) {
    double largest = Arrays.stream(scores).max().orElse(0);
    double[] parts = Arrays.stream(scores).map(s -> StrictMath.exp(s - largest)).toArray();
    double total = Arrays.stream(parts).sum();
    double[] known = model.classes();
    for (int c = 0; c < into.length; c++) {
      int place = Arrays.binarySearch(known, classes[c]);
      into[c] = place < 0 ? -1 : 2 * parts[place] / total - 1;
    }
  }

  /** A copy of the trees without the sample. */
  @Override
  public BoostedExpert freeze() {
    BoostedExpert same = new BoostedExpert(task, inputs, new StreamSample(Constants.MANY_ROWS));
    same.next = next;
    same.model = model;
    return same;
  }

  @Override
  public void encode(Encoder out, SharedInputs shared) {
    shared.encode(inputs, out);
    out.section("rows", sample::encode);
    out.int64(next);
    if (model != null) {
      out.section(MODEL, model::encode);
    }
    if (growing != null) {
      out.section(GROWING, section -> section.int32(growing.trees()));
    }
  }

  static BoostedExpert decode(Decoder in, SharedInputs shared, Task.Kind task)
      throws ModelFileException {
    Inputs inputs = shared.read(in);
    StreamSample sample =
        in.section("rows", section -> StreamSample.decode(section, Constants.MANY_ROWS));
    BoostedExpert expert = new BoostedExpert(task, inputs, sample);
    expert.next = in.count("the rows before the next trees");
    if (in.hasSection(MODEL)) {
      expert.model = in.section(MODEL, BoostedModel::decode);
      boolean isForTask = expert.model.task().kind() == task;
      Decoder.check(isForTask, "trees must have the task", expert.model.task());
    }
    if (in.hasSection(GROWING)) {
      expert.growing = in.section(GROWING, expert::growAgain);
    }
    return expert;
  }

  /** Repeats the growth of trees that were not complete. */
  private Boosting growAgain(Decoder in) throws ModelFileException {
    int trees = in.int32("the trees so far", Constants.BOOSTED_TREES);
    Decoder.check(sample.mark() >= 0, "trees must have a sample", sample.mark());
    List<Instance> rows = sample.atMark();
    Decoder.check(
        scores(rows) <= Constants.BOOSTED_SCORES, "a sample must have fewer classes", scores(rows));
    try {
      Boosting again = boosting(rows);
      while (again.trees() < trees && again.grow()) {}
      Decoder.check(again.trees() == trees, "trees must be those of a sample", trees);
      return again;
    } catch (IllegalArgumentException refused) {
      throw new ModelFileException("damaged content: " + refused.getMessage());
    }
  }
}
