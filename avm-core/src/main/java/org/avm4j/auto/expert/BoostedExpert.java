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
public final class BoostedExpert extends InputExpert {
  private static final String MODEL = "model";
  private static final String GROWING = "growing";
  private static final String FORMER = "former";

  private final StreamSample sample;

  /** The number of rows at which the next trees begin to grow. */
  private long next;

  /** Trees that are not complete; null if none are being grown. */
  private Boosting growing;

  /** The number of trees that should be grown by now; a copy lags behind until it has caught up. */
  private int due;

  /** The trees that answer; null before the first ones are complete. */
  private BoostedModel model;

  /** The trees of an earlier expert, which answer before the first own ones; null if none. */
  private BoostedExpert former;

  /** An untrained expert. */
  public BoostedExpert(Task.Kind task, Inputs inputs) {
    this(task, inputs, new StreamSample(Constants.MANY_ROWS));
    next = Constants.POINTS;
  }

  private BoostedExpert(Task.Kind task, Inputs inputs, StreamSample sample) {
    super("boosted trees", task, inputs, true);
    this.sample = sample;
  }

  @Override
  public double memory(long instances) {
    return sample.rows().size();
  }

  /** The number of leaves. */
  @Override
  public int size() {
    return canAnswer() ? answering().model.status().size() : 0;
  }

  @Override
  public boolean canAnswer() {
    return answering().model != null;
  }

  private BoostedExpert answering() {
    return former == null ? this : former;
  }

  @Override
  public void follow(Expert before) {
    BoostedExpert trees = ((BoostedExpert) before).answering();
    if (model == null && trees.model != null) {
      former = trees.freeze();
    }
  }

  @Override
  public void replay(Moment now, double y, double weight) {
    double goal = task == Task.Kind.REGRESSION ? Inputs.limited(y - offset(now)) : y;
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
      due = 0;
    }
  }

  private long scores(List<Instance> rows) {
    return (long) rows.size() * Math.max(1, Boosting.classes(task, rows).length);
  }

  /**
   * Grows the trees that are due with this row; a copy that lacks earlier ones grows twice the
   * number.
   */
  private void grow() {
    long work = Constants.WORK_OF_ADDITION * growing.work();
    int some = (int) Math.max(1, (Constants.SLICE + work - 1) / work);
    due = Math.min(due + some, growing.mostTrees());
    boolean isLast = due == growing.mostTrees();
    int end = isLast ? due : Math.min(due, growing.trees() + 2 * some);
    while (growing.trees() < end) {
      growing.grow();
    }
    if (isLast) {
      answerBy(growing.model(growing.rounds()));
      growing = null;
      sample.dropMark();
    }
  }

  private void answerBy(BoostedModel trees) {
    former = null;
    model = trees;
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
    if (canAnswer()) {
      answering().scoreByTrees(now, classes, into);
    } else {
      Arrays.fill(into, 0);
    }
  }

  private void scoreByTrees(Moment now, double[] classes, double[] into) {
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
    double[] mapped = Arrays.stream(parts).map(part -> 2 * part / total - 1).toArray();
    arrange(mapped, model.classes(), classes, into);
  }

  /** A copy of the trees without the sample. */
  @Override
  public BoostedExpert freeze() {
    BoostedExpert frozen = ofTrees(task, answering().inputs, answering().model);
    frozen.next = next;
    return frozen;
  }

  private static BoostedExpert ofTrees(Task.Kind task, Inputs inputs, BoostedModel trees) {
    BoostedExpert expert = new BoostedExpert(task, inputs, new StreamSample(Constants.MANY_ROWS));
    expert.answerBy(trees);
    return expert;
  }

  @Override
  public void encode(Encoder out, SharedInputs shared) {
    shared.encode(inputs, out);
    out.section("rows", sample::encode);
    out.int64(next);
    out.optional(MODEL, model, (trees, to) -> to.unchanging(trees, BoostedModel::encode));
    out.optional(GROWING, growing, (trees, to) -> to.int32(due));
    out.optional(FORMER, former, (trees, to) -> trees.encodeTrees(to, shared));
  }

  private void encodeTrees(Encoder out, SharedInputs shared) {
    shared.encode(inputs, out);
    model.encode(out);
  }

  private static BoostedExpert decodeTrees(Decoder in, SharedInputs shared, Task.Kind task)
      throws ModelFileException {
    Inputs inputs = shared.read(in);
    return ofTrees(task, inputs, checked(BoostedModel.decode(in), task));
  }

  private static BoostedModel checked(BoostedModel trees, Task.Kind task)
      throws ModelFileException {
    boolean isForTask = trees == null || trees.task().kind() == task;
    Decoder.check(isForTask, "trees must have the task", task);
    return trees;
  }

  static BoostedExpert decode(Decoder in, SharedInputs shared, Task.Kind task)
      throws ModelFileException {
    Inputs inputs = shared.read(in);
    StreamSample sample =
        in.section("rows", section -> StreamSample.decode(section, Constants.MANY_ROWS));
    BoostedExpert expert = new BoostedExpert(task, inputs, sample);
    expert.next = in.count("the rows before the next trees");
    expert.answerBy(
        checked(
            in.optional(MODEL, file -> file.unchanging(BoostedModel::decode)).orElse(null), task));
    expert.growing = in.optional(GROWING, file -> file.valid(expert::growAgain)).orElse(null);
    expert.former = in.optional(FORMER, file -> decodeTrees(file, shared, task)).orElse(null);
    return expert;
  }

  /** Starts the growth of trees that were not complete; they are grown again row by row. */
  private Boosting growAgain(Decoder in) throws ModelFileException {
    due = in.int32("the trees so far", Constants.BOOSTED_TREES);
    Decoder.check(sample.mark() >= 0, "trees must have a sample", sample.mark());
    List<Instance> rows = sample.atMark();
    Decoder.check(
        scores(rows) <= Constants.BOOSTED_SCORES, "a sample must have fewer classes", scores(rows));
    Boosting again = boosting(rows);
    Decoder.check(due < again.mostTrees(), "trees must be those of a sample", due);
    return again;
  }
}
