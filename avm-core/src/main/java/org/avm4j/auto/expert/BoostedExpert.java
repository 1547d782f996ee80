package org.avm4j.auto.expert;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.avm4j.Model;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.BoostedModel;
import org.avm4j.boost.Boosting;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;

/**
 * Boosted decision trees over a sample of the stream. Whenever the stream has doubled in length, or
 * half of the sample has been replaced, new trees are grown from the whole sample, a few with each
 * row that follows. The previous trees answer until the new ones are complete. Such trees are
 * better than kernels if the labels depend on thresholds of single features.
 */
public final class BoostedExpert extends InputExpert {
  private static final String MODEL = "model";
  private static final String GROWING = "growing";

  private final StreamSample sample;

  /** The number of rows at which the next trees begin to grow. */
  private long next;

  /** Trees that are not complete; null if none are being grown. */
  private Boosting growing;

  /** The trees that answer; null before the first ones are complete. */
  private BoostedModel model;

  /** The same trees behind their scaling; null if labels are among the inputs. */
  private Model detached;

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
    return model == null ? 0 : model.status().size();
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
    }
  }

  private long scores(List<Instance> rows) {
    return (long) rows.size() * Math.max(1, Boosting.classes(task, rows).length);
  }

  private void grow() {
    for (long work = 0;
        growing != null && work < Constants.SLICE;
        work += Constants.WORK_OF_ADDITION * growing.work()) {
      if (!growing.grow()) {
        answerBy(growing.model(growing.rounds()));
        growing = null;
        sample.dropMark();
        return;
      }
    }
  }

  private void answerBy(BoostedModel trees) {
    model = trees;
    boolean isDetached = trees != null && !seesLabels();
    detached =
        isDetached
            ? new PreparedModel(Preparation.none().withScaler(inputs.scaler()), trees)
            : null;
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
    double[] mapped = Arrays.stream(parts).map(part -> 2 * part / total - 1).toArray();
    arrange(mapped, model.classes(), classes, into);
  }

  @Override
  public Optional<Model> detached() {
    return Optional.ofNullable(detached);
  }

  /** A copy of the trees without the sample. */
  @Override
  public BoostedExpert freeze() {
    BoostedExpert same = new BoostedExpert(task, inputs, new StreamSample(Constants.MANY_ROWS));
    same.next = next;
    same.answerBy(model);
    return same;
  }

  @Override
  public void encode(Encoder out, SharedInputs shared) {
    shared.encode(inputs, out);
    out.section("rows", sample::encode);
    out.int64(next);
    out.optional(MODEL, model, BoostedModel::encode);
    out.optional(GROWING, growing, (trees, to) -> to.int32(trees.trees()));
  }

  static BoostedExpert decode(Decoder in, SharedInputs shared, Task.Kind task)
      throws ModelFileException {
    Inputs inputs = shared.read(in);
    StreamSample sample =
        in.section("rows", section -> StreamSample.decode(section, Constants.MANY_ROWS));
    BoostedExpert expert = new BoostedExpert(task, inputs, sample);
    expert.next = in.count("the rows before the next trees");
    expert.answerBy(in.optional(MODEL, BoostedModel::decode).orElse(null));
    boolean isForTask = expert.model == null || expert.model.task().kind() == task;
    Decoder.check(isForTask, "trees must have the task", task);
    expert.growing = in.optional(GROWING, file -> file.valid(expert::growAgain)).orElse(null);
    return expert;
  }

  /** Repeats the growth of trees that were not complete. */
  private Boosting growAgain(Decoder in) throws ModelFileException {
    int trees = in.int32("the trees so far", Constants.BOOSTED_TREES);
    Decoder.check(sample.mark() >= 0, "trees must have a sample", sample.mark());
    List<Instance> rows = sample.atMark();
    Decoder.check(
        scores(rows) <= Constants.BOOSTED_SCORES, "a sample must have fewer classes", scores(rows));
    Boosting again = boosting(rows);
    while (again.trees() < trees && again.grow()) {}
    Decoder.check(again.trees() == trees, "trees must be those of a sample", trees);
    return again;
  }
}
