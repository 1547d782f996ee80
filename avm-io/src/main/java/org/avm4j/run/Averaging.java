package org.avm4j.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.avm4j.Model;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.BoostedModel;
import org.avm4j.data.Instance;
import org.avm4j.eval.RareClass;
import org.avm4j.models.MeanModel;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.LearnerSpec;

/**
 * The mean of several learners of the same rows. Each holds out some rows until the end; its model
 * from before is used to estimate the error of the mean. Boosted trees may stand beside them.
 */
final class Averaging {
  /**
   * Fraction by which one learner must reduce the loss of the trees; otherwise no further learners
   * are trained.
   */
  private static final double LEAST_GAIN = 0.01;

  private final HeldParts parts;
  private final AtomicReferenceArray<Member> members;
  private final MemberTraining training;
  private final RunListener listener;
  private volatile List<TreeTraining.Grown> grown = List.of();
  private volatile BoostedModel trees;

  /**
   * The model of a learner before and after it learned its held-out rows.
   *
   * @param before takes rows of the data
   * @param after takes prepared rows
   * @param part the part of the rows that was held out
   */
  record Member(PreparedModel before, Model after, int part) {
    /** Whether it learned classes from its held-out rows. */
    boolean hasNewClasses() {
      return before.classes().length < after.classes().length;
    }

    /** Whether the two members have the same classes, before and after. */
    boolean isLike(Member other) {
      return Arrays.equals(before.classes(), other.before.classes())
          && Arrays.equals(after.classes(), other.after.classes());
    }
  }

  /**
   * Starts with a learner that has learned all rows.
   *
   * @param heldOut the rows that it held out
   * @param parts all rows
   * @param learners the number of learners, with the first one
   */
  Averaging(
      PreparedData data,
      LearnerSpec spec,
      HeldOut heldOut,
      HeldParts parts,
      Pipeline pipeline,
      int learners,
      RunListener listener) {
    this.listener = listener;
    this.parts = parts;
    Model after = pipeline.learner().settled();
    Member first = new Member(heldOut.model(), after, parts.ofLearner(0));
    training = new MemberTraining(data, spec, parts, pipeline, first.hasNewClasses(), listener);
    members = new AtomicReferenceArray<>(learners);
    members.set(0, first);
  }

  /** Trains the other learners; a learner that is stopped does not count. */
  void learn(Executor executor) {
    learnUnknownClasses();
    TaskResults.run(learnerTasks(), executor);
  }

  /**
   * Trains the first learner again if it did not know all classes before its held-out rows, but new
   * learners know them from the start.
   */
  private void learnUnknownClasses() {
    Member first = members.get(0);
    Pipeline pipeline = training.fresh();
    if (first.hasNewClasses() && pipeline.classes().length == first.after.classes().length) {
      training.restart();
      Member again = training.learned(pipeline, first.part, 0);
      members.set(0, again == null ? first : again);
    }
  }

  /** A training task for each learner but the first. */
  private List<Runnable> learnerTasks() {
    List<Runnable> tasks = new ArrayList<>();
    for (int k = 1; k < members.length(); k++) {
      int place = k;
      Pipeline pipeline = training.fresh();
      tasks.add(
          () -> members.set(place, training.learned(pipeline, parts.ofLearner(place), place)));
    }
    return tasks;
  }

  /**
   * Trains the other learners, and boosted trees on the same rows. If all learners hold out the
   * same rows and the first one hardly improves the trees, the others are not trained.
   */
  void learnBesideTrees(Executor executor) {
    learnUnknownClasses();
    Member first = members.get(0);
    TreeTraining boosting = new TreeTraining(first.before, listener);
    int held = 1 + IntStream.range(0, members.length()).map(parts::ofLearner).max().orElse(0);
    List<TreeTraining.Grown> found = boosting.best(parts, held, executor);
    if (found.isEmpty()) {
      TaskResults.run(learnerTasks(), executor);
      return;
    }
    grown = found;
    BoostOptions options = found.get(0).options().withRounds(rounds(found));
    List<Runnable> tasks = new ArrayList<>();
    tasks.add(() -> trees = boosting.all(parts.all(), first.after.classes(), options));
    boolean areOthersNeedless =
        parts.areCommon() && CommonTrial.gain(first, parts, grown.get(0)) < LEAST_GAIN;
    if (!areOthersNeedless) {
      tasks.addAll(learnerTasks());
    }
    TaskResults.run(tasks, executor);
  }

  /** The mean over the parts of the best number of rounds. */
  private static int rounds(List<TreeTraining.Grown> found) {
    double mean = found.stream().mapToInt(TreeTraining.Grown::rounds).average().orElse(1);
    return (int) Math.rint(mean);
  }

  /** The mean of the learners that have learned all rows, and its estimated error. */
  Result result() {
    List<Member> completed = completed();
    BoostedModel all = allTrees(completed.get(0));
    List<TreeTraining.Grown> beside = all == null ? List.of() : grown;
    Choice choice =
        parts.areCommon()
            ? CommonTrial.choose(completed, parts, beside.isEmpty() ? null : beside.get(0))
            : new FoldTrial(completed, parts, beside).choice();
    boolean hasTrees = choice.weights().trees() > 0;
    Average figures =
        new Average(
            choice.weights().learners() > 0 ? choice.members().size() : 0,
            completed.size(),
            hasTrees ? all.rounds() : 0,
            choice.share(),
            choice.estimate(),
            choice.alone().value());
    HeldMeans before = new HeldMeans(choice, parts, hasTrees ? grown : List.of());
    return new Result(mean(choice, hasTrees ? all : null), choice.held(), figures, before);
  }

  /** The trees of all rows; if there was no time, those without the held-out rows. */
  private BoostedModel allTrees(Member first) {
    if (grown.isEmpty()) {
      return null;
    }
    BoostedModel all = trees == null ? grown.get(0).model() : trees;
    return Arrays.equals(all.classes(), first.after.classes()) ? all : null;
  }

  private static MeanModel mean(Choice choice, BoostedModel trees) {
    List<Model> models = new ArrayList<>(choice.members().stream().map(Member::after).toList());
    if (trees == null) {
      return new MeanModel(models);
    }
    if (choice.weights().learners() == 0) {
      return new MeanModel(List.of(trees), new double[] {choice.weights().trees()});
    }
    double[] weights = choice.weights().ofMembers(models.size());
    models.add(trees);
    return new MeanModel(models, weights);
  }

  private List<Member> completed() {
    Member first = members.get(0);
    Stream<Member> others = IntStream.range(1, members.length()).mapToObj(members::get);
    return Stream.concat(
            Stream.of(first), others.filter(member -> member != null && member.isLike(first)))
        .toList();
  }

  /**
   * The chosen members of the mean.
   *
   * @param weights the weights of the mean of the members and of the trees
   * @param share the share of the trees in the answers
   * @param held the held-out rows, with the scores of members and trees together
   * @param estimate the expected error of members and trees together
   * @param alone the expected error of one member
   */
  record Choice(
      List<Member> members,
      Stacking weights,
      double share,
      Answered held,
      Estimate estimate,
      Estimate alone) {}

  /** Held-out rows and their scores. */
  record Answered(List<Instance> rows, HeldScores scores) {
    /** Figures of the rarer of two classes, by the scores. */
    RareClass rareClass(double[] classes) {
      RareClass rare = new RareClass(classes, Optional.empty());
      for (int r = 0; r < rows.size(); r++) {
        rare.add(rows.get(r).label(), scores.scores()[r][0]);
      }
      return rare;
    }

    /** Whether there are enough rows for probabilities that a user can rely on. */
    boolean canCalibrate() {
      boolean hasClasses = scores.model().classes().length > 1;
      return hasClasses && rows.size() >= Estimate.FEWEST;
    }

    /** Fits a calibration of these scores, for a model with these labels. */
    HeldCalibration calibration(Labels labels) {
      return new HeldCalibration(rows, scores, labels);
    }
  }

  /**
   * The result of averaging.
   *
   * @param model takes prepared rows
   * @param held the held-out rows with their scores
   * @param before the mean as it was before the held-out rows
   */
  record Result(MeanModel model, Answered held, Average figures, HeldMeans before) {
    /**
     * The model with the preparation of one of its learners, and with certainty if that learner has
     * it. Probabilities are those of the learner, if it has them and there are no trees; otherwise
     * they are calibrated on the held-out rows.
     */
    PreparedModel behind(PreparedModel one) {
      PreparedModel plain = one.with(model);
      boolean isKnown = plain.calibration().isPresent();
      boolean isFitted = isKnown ? figures.rounds() > 0 : held.canCalibrate();
      PreparedModel mean =
          isFitted && !model.task().isRegression()
              ? plain.calibrated(held.calibration(one.preparation().labels()).found())
              : plain;
      return mean.certainty().map(known -> mean.with(before.certainty(known, mean))).orElse(mean);
    }
  }
}
