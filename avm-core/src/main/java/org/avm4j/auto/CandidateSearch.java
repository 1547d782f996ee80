package org.avm4j.auto;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.avm4j.Status.Standing;
import org.avm4j.auto.AutoOptions.Choice;
import org.avm4j.auto.constants.Constants;
import org.avm4j.boost.Boosting;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.internal.Ablation;

/**
 * Finds scaling, kernel, width, prior, metric and linear part by trials on some rows: a coordinate
 * search, in which each setting is chosen among a few values while the others stay fixed.
 */
final class CandidateSearch extends StepwiseSearch {
  /** The setting that is chosen next. */
  private enum Stage {
    FIRST,
    WIDTH,
    PRIOR,
    GAINS,
    GRADIENTS,
    METRIC,
    LINEAR,
    OVER
  }

  private final Deque<Candidate> waiting = new ArrayDeque<>();
  private final Set<Candidate> tried = new HashSet<>();
  private final List<Judged> judged = new ArrayList<>();
  private Stage stage = Stage.FIRST;
  private RidgeTrial trial;
  private RidgeTrial best;
  private RidgeTrial before;

  /** The best candidate before metrics are tried. */
  private Candidate plain;

  private Boosting trees;
  private RidgeTrial.GradientProducts gradients;
  private int widths;
  private int metrics;

  CandidateSearch(
      SearchStart start, AutoOptions options, LearnerFactory factory, List<Instance> first) {
    super(start, options, factory, first);
    propose(
        start
            .origin()
            .map(Stream::of)
            .orElseGet(() -> Candidate.all(options, start.task(), first).stream()));
    if (options.isGiven()) {
      trial = trial(waiting.remove());
      best = trial;
      stage = Stage.OVER;
    }
  }

  @Override
  boolean isOver() {
    return stage == Stage.OVER;
  }

  /**
   * {@inheritDoc} If experts follow the stream, a tree with a metric races against one without,
   * because the first rows may not show which features matter later.
   */
  @Override
  List<CandidateLearner> found() {
    boolean races = start.isFinal() && options.followsChange() && !best().metric().isNone();
    return races
        ? List.of(learner(best()), learner(plain.withLinear(best().linear())))
        : List.of(learner(best()));
  }

  /** The best candidate so far. */
  private Candidate best() {
    return best.candidate();
  }

  /** A candidate and its result. */
  private record Judged(Candidate candidate, Standing standing) {}

  @Override
  Stream<Standing> standings() {
    return judged.stream().map(one -> one.candidate == best() ? best.standing(true) : one.standing);
  }

  @Override
  long step() {
    if (trial != null && !trial.isOver()) {
      return trial.step();
    }
    if (trial != null) {
      judge();
    } else if (!waiting.isEmpty()) {
      trial = trial(waiting.remove());
    } else if (stage == Stage.GAINS && trees.grow()) {
      return TrialRows.workOfTree(trees);
    } else if (stage == Stage.GRADIENTS && gradients != null && !gradients.isOver()) {
      return gradients.step();
    } else {
      goOn();
      return stage == Stage.GAINS ? rows.workOfTrees() : Constants.LEAST_WORK;
    }
    return Constants.LEAST_WORK;
  }

  private RidgeTrial trial(Candidate candidate) {
    Scaler scaler = factory.scaler(candidate, first);
    return new RidgeTrial(
        candidate, scaler, factory.kernel(candidate, scaler, first), rows, !options.growsTree());
  }

  private void judge() {
    boolean mustBeClear = stage == Stage.METRIC || stage == Stage.LINEAR;
    double most = best == null ? 0 : (mustBeClear ? Constants.CLEARLY : 1) * best.loss();
    judged.add(new Judged(trial.candidate(), trial.standing(false)));
    if (best == null || trial.loss() < most) {
      best = trial;
    }
    trial = null;
  }

  private void propose(Stream<Candidate> candidates) {
    candidates.filter(tried::add).forEach(waiting::add);
  }

  /** Moves on to the next setting. After a change of the metric the width is chosen again. */
  private void goOn() {
    boolean isBetter = best != before;
    before = best;
    switch (stage) {
      case FIRST -> begin(rows.size() < Constants.POINTS ? Stage.LINEAR : Stage.WIDTH);
      case WIDTH -> begin(isBetter && ++widths < Constants.ROUNDS ? Stage.WIDTH : afterWidth());
      case PRIOR -> begin(mayLearnMetric() ? Stage.GAINS : Stage.LINEAR);
      case GAINS -> begin(Stage.GRADIENTS);
      case GRADIENTS -> begin(Stage.METRIC);
      case METRIC -> begin(isBetter && ++metrics < Constants.ROUNDS ? Stage.WIDTH : Stage.LINEAR);
      default -> begin(Stage.OVER);
    }
  }

  private Stage afterWidth() {
    widths = 0;
    return metrics == 0 ? Stage.PRIOR : Stage.GRADIENTS;
  }

  private boolean mayLearnMetric() {
    return options.learnsMetric() && features <= Math.min(Constants.MOST_INPUTS, rows.size());
  }

  private void begin(Stage next) {
    stage = next;
    switch (next) {
      case WIDTH -> propose(best().withWidths());
      case PRIOR -> propose(best().withPriors(options));
      case GAINS -> {
        plain = best();
        trees = rows.trees();
      }
      case GRADIENTS -> gradients = canMap() ? best.gradientProducts(features) : null;
      case METRIC -> proposeMetrics();
      case LINEAR -> proposeLinear();
      default -> trees = null;
    }
  }

  /**
   * Proposes feature weights from the gains of trees, once, and matrices from the gradients of the
   * best candidate.
   */
  private void proposeMetrics() {
    if (metrics == 0 && !Ablation.lacks(Ablation.Part.METRIC_VECTOR)) {
      propose(best().weighted(trees.gains(features)));
    }
    if (gradients != null) {
      propose(best().mapped(gradients.products()));
    }
  }

  private boolean canMap() {
    return features <= Constants.FEW_INPUTS && !Ablation.lacks(Ablation.Part.METRIC_MATRIX);
  }

  private void proposeLinear() {
    if (start.isFinal() && options.isFree(Choice.LINEAR)) {
      IntStream.of(0, features)
          .filter(count -> count <= Constants.MOST_INPUTS)
          .forEach(count -> propose(Stream.of(best().withLinear(count))));
    }
  }
}
