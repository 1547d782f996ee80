package org.avm4j.auto;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.auto.aggregate.PairedTest;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.table.Scaling;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;

/** A learner with the settings of a candidate, and a test that compares it with another learner. */
final class CandidateLearner {
  private static final String MEMORIES = "memories";

  private static final String TREE = "tree";

  private static final String MACHINE = "learner";

  private static final String LEAD = "lead";

  /** The comparison in files of earlier builds. It is not read; the comparison starts again. */
  private static final String EARLIER_LEAD = "behind";

  private final Candidate candidate;
  private final Scaler scaler;
  private final OnlineLearner learner;
  private final AvmOptions options;
  private final PairedTest lead = new PairedTest();
  private long compared;
  private double[] scores = {};
  private int sizeBefore;

  /**
   * One machine with the settings of a candidate.
   *
   * @param scaler the scaling and metric of the candidate
   * @param options the options of the machine
   */
  CandidateLearner(Candidate candidate, Scaler scaler, AvmOptions options) {
    this(candidate, scaler, options, new Avm(options));
  }

  private CandidateLearner(
      Candidate candidate, Scaler scaler, AvmOptions options, OnlineLearner learner) {
    this.candidate = candidate;
    this.scaler = scaler;
    this.options = options;
    this.learner = learner;
  }

  /** A tree whose root has the settings of a candidate. */
  static CandidateLearner tree(Candidate candidate, Scaler scaler, AvmOptions options) {
    return new CandidateLearner(candidate, scaler, options, new AvmTree(TreeOptions.of(options)));
  }

  /** A copy whose learner knows the classes and nothing else. */
  CandidateLearner replanted() {
    AvmOptions known = options.change().task(knownTask()).build();
    return isTree()
        ? tree(candidate, scaler, known)
        : new CandidateLearner(candidate, scaler, known);
  }

  boolean isTree() {
    return learner.inspect(AvmTree.class).isPresent();
  }

  AvmOptions options() {
    return options;
  }

  Candidate candidate() {
    return candidate;
  }

  /** Its scaling and metric. */
  Scaler scaler() {
    return scaler;
  }

  OnlineLearner learner() {
    return learner;
  }

  /** The task with the classes known so far. */
  private Task knownTask() {
    boolean hasClasses = options.task().kind() == Task.Kind.MULTICLASS;
    return hasClasses ? Task.multiclass(learner.classes()) : options.task();
  }

  /**
   * Compares one answer with that of the other learner.
   *
   * @param better the loss of the other learner minus the loss of this one
   */
  void compare(double better) {
    lead.add(better);
    compared++;
  }

  /** The lead over the other learner, in standard errors. */
  double lead() {
    return lead.z();
  }

  /** The number of answers that were compared. */
  long compared() {
    return compared;
  }

  /** Restarts the comparison. */
  void compareAnew() {
    lead.clear();
    compared = 0;
  }

  /** Answers an instance and learns it; returns the loss of the answer. */
  double learn(Features z, double label, double weight) {
    if (scores.length < learner.columns()) {
      scores = new double[2 * learner.columns()];
    }
    learner.score(z, scores);
    double loss = loss(label);
    learner.learn(z, label, weight);
    return loss;
  }

  /**
   * The work of learning the latest row, in multiplications. Each vector that this row added counts
   * as one more row, because a split of a region learns many rows again.
   */
  long work(Instance row) {
    int added = Math.max(0, learner.size() - sizeBefore);
    sizeBefore = learner.size();
    long size = isTree() ? Math.min(TreeOptions.DEFAULT_ROOT, learner.size()) : learner.size();
    return Constants.LEAST_WORK + (1 + added) * size * (size + row.features().count());
  }

  private double loss(double label) {
    double[] classes = learner.classes();
    int own = Arrays.binarySearch(classes, label + 0.0);
    return AnswerLoss.of(learner.task().kind(), scores, label, own, classes.length);
  }

  void encode(Encoder out) {
    candidate.encode(out);
    out.section(isTree() ? TREE : MACHINE, learner::encode);
    out.float64(0); // earlier builds have the sum of all losses here
    out.float64(compared);
    out.section(LEAD, lead::encode);
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @param scalers the scaler of each scaling
   */
  static CandidateLearner decode(Decoder in, Map<Scaling, Scaler> scalers)
      throws ModelFileException {
    Candidate candidate = Candidate.decode(in);
    Scaler plain = scalers.get(candidate.scaling());
    Decoder.check(plain != null, "a scaling must be known", candidate.scaling());
    CandidateLearner read = decode(in, candidate, plain.weighted(candidate.metric()));
    in.float64();
    double compared = in.version() == 1 ? in.count("the answers") : in.finite("the answers");
    Decoder.check(compared >= 0, "the answers must not be negative", compared);
    read.compared = (long) compared;
    in.skipIfPresent(EARLIER_LEAD);
    in.optional(LEAD, read.lead::decode);
    return read;
  }

  /**
   * Reads the learner. Earlier builds kept experts beside a tree; the tree goes on, and new experts
   * replace the old ones.
   */
  private static CandidateLearner decode(Decoder in, Candidate candidate, Scaler scaler)
      throws ModelFileException {
    Optional<AvmTree> earlier = in.optional(MEMORIES, MemoriesModel::decodeTree);
    Optional<AvmTree> found = earlier.isPresent() ? earlier : in.optional(TREE, AvmTree::decode);
    if (found.isPresent()) {
      AvmOptions machine = found.get().options().machine();
      return new CandidateLearner(candidate, scaler, machine, found.get());
    }
    Avm machine = in.section(MACHINE, Avm::decode);
    return new CandidateLearner(candidate, scaler, machine.options(), machine);
  }
}
