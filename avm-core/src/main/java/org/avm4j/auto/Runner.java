package org.avm4j.auto;

import java.util.Map;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.auto.aggregate.PairedTest;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.table.Scaling;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;

/** A candidate in the race: its learner, and the loss of its answers so far. */
final class Runner {
  private static final String MEMORIES = "memories";

  private static final String LEAD = "lead";

  /** The comparison of earlier builds, which is not read: it begins anew. */
  private static final String EARLIER_LEAD = "behind";

  private final Candidate candidate;
  private final Scaler scaler;
  private final OnlineLearner learner;
  private final AvmOptions options;
  private double loss;
  private double counted;
  private double latest;
  private final PairedTest lead = new PairedTest();
  private double[] scores = {};

  /** A candidate that sees features so, and whose machine has these options. */
  Runner(Candidate candidate, Scaler scaler, AvmOptions options) {
    this(candidate, scaler, options, new Avm(options));
  }

  private Runner(Candidate candidate, Scaler scaler, AvmOptions options, OnlineLearner learner) {
    this.candidate = candidate;
    this.scaler = scaler;
    this.options = options;
    this.learner = learner;
  }

  /** A candidate whose machine is the first of a tree. */
  static Runner tree(Candidate candidate, Scaler scaler, AvmOptions options) {
    return new Runner(candidate, scaler, options, new AvmTree(TreeOptions.of(options)));
  }

  /** The same with a tree that knows nothing but the classes. */
  Runner replanted() {
    return tree(candidate, scaler, options.change().task(knownTask()).build());
  }

  /** Whether the learner is a tree. */
  boolean isTree() {
    return learner.inspect(AvmTree.class).isPresent();
  }

  /** The learner, which must be a tree. */
  AvmTree tree() {
    return learner.inspect(AvmTree.class).orElseThrow();
  }

  /** Whether all features count alike. */
  boolean isPlain() {
    return candidate.metric().isNone();
  }

  AvmOptions options() {
    return options;
  }

  Candidate candidate() {
    return candidate;
  }

  /** How it sees features. */
  Scaler scaler() {
    return scaler;
  }

  OnlineLearner learner() {
    return learner;
  }

  /** One that knows no more than the classes, with a kernel half as wide. */
  Runner challenger() {
    AvmOptions mine = options;
    Candidate other = candidate.halfAsWide();
    double gamma = mine.kernel().gamma() * other.width() / candidate.width();
    AvmOptions.Builder its = mine.change().kernel(mine.kernel().withGamma(gamma)).task(knownTask());
    return new Runner(other, scaler, its.build());
  }

  /** The task with the classes that are known by now. */
  Task knownTask() {
    boolean hasClasses = options.task().kind() == Task.Kind.MULTICLASS;
    return hasClasses ? Task.multiclass(learner.classes()) : options.task();
  }

  /** Starts the loss of the answers at 0 again. */
  void countAnew() {
    loss = 0;
    counted = 0;
    lead.clear();
  }

  /** The weight of the answers that count. */
  double counted() {
    return counted;
  }

  /** The mean loss of the answers that count; of a machine, times the handicap of the candidate. */
  double meanLoss() {
    double handicap = isTree() ? 1 : candidate.handicap();
    return counted == 0 ? 0 : handicap * loss / counted;
  }

  /** Compares the latest answer with that of another. */
  void compareWith(Runner other) {
    lead.add(other.latest - latest);
  }

  /** By how many standard errors its answers were better than those of the other. */
  double lead() {
    return lead.z();
  }

  /**
   * Learns an instance that was kept.
   *
   * @param counts whether it is answered first, and the loss of the answer counts
   */
  void replay(Instance row, boolean counts) {
    if (counts) {
      answer(row.features(), row.label(), row.weight());
    }
    learner.learn(row.features(), row.label(), row.weight());
  }

  /** Answers an instance, which counts, and learns it. */
  void learn(Features z, double label, double weight) {
    answer(z, label, weight);
    learner.learn(z, label, weight);
  }

  private void answer(Features z, double label, double weight) {
    if (scores.length < learner.columns()) {
      scores = new double[2 * learner.columns()];
    }
    learner.score(z, scores);
    loss += weight * loss(label);
    counted += weight;
    latest = loss(label);
  }

  /** 1 for a mistake and up to 0.2 by the margin; for numbers the squared error, at most 25. */
  private double loss(double label) {
    return switch (learner.task().kind()) {
      case BINARY -> marginLoss(label * scores[0]);
      case MULTICLASS, ANOMALY, CLUSTER -> marginLoss(margin(label) / 2);
      case REGRESSION -> Math.min(25, (scores[0] - label) * (scores[0] - label));
    };
  }

  private static double marginLoss(double margin) {
    double hinge = Math.max(0, Math.min(2, 1 - margin));
    return (margin < 0 ? 1 : 0) + 0.1 * hinge;
  }

  private double margin(double label) {
    double[] classes = learner.classes();
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

  void encode(Encoder out) {
    candidate.encode(out);
    out.section(word(), learner::encode);
    out.float64(loss);
    out.float64(counted);
    out.section(LEAD, lead::encode);
  }

  private String word() {
    return switch (learner.kind()) {
      case AvmTree.KIND -> "tree";
      default -> "learner";
    };
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @param scalers the scaler of each scaling
   */
  static Runner decode(Decoder in, Map<Scaling, Scaler> scalers) throws ModelFileException {
    Candidate candidate = Candidate.decode(in);
    Scaler plain = scalers.get(candidate.scaling());
    Decoder.check(plain != null, "a scaling must be known", candidate.scaling());
    Runner runner = decode(in, candidate, plain.weighted(candidate.metric()));
    runner.loss = in.finite("a loss");
    runner.counted = in.version() == 1 ? in.count("the answers") : in.finite("the answers");
    Decoder.check(runner.counted >= 0, "the answers must not be negative", runner.counted);
    if (in.hasSection(EARLIER_LEAD)) {
      in.skip(EARLIER_LEAD);
    } else if (in.hasSection(LEAD)) {
      in.section(LEAD, runner.lead::decode);
    }
    return runner;
  }

  private static Runner decode(Decoder in, Candidate candidate, Scaler scaler)
      throws ModelFileException {
    if (in.hasSection(MEMORIES)) {
      return in.section(MEMORIES, section -> ofMemories(section, candidate, scaler));
    }
    if (in.hasSection("tree")) {
      AvmTree tree = in.section("tree", AvmTree::decode);
      return new Runner(candidate, scaler, tree.options().machine(), tree);
    }
    Avm machine = in.section("learner", Avm::decode);
    return new Runner(candidate, scaler, machine.options(), machine);
  }

  /**
   * Reads a tree with all that earlier builds had beside it: the tree goes on, and new experts take
   * the place of the others.
   */
  private static Runner ofMemories(Decoder in, Candidate candidate, Scaler scaler)
      throws ModelFileException {
    AvmTree tree = MemoriesModel.decodeTree(in);
    return new Runner(candidate, scaler, tree.options().machine(), tree);
  }
}
