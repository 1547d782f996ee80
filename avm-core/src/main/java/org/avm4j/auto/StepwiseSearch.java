package org.avm4j.auto;

import java.util.List;
import java.util.stream.Stream;
import org.avm4j.Status.Standing;
import org.avm4j.data.Instance;

/** A search for settings on stored rows, in steps that are spread over the stream. */
abstract class StepwiseSearch {
  final SearchStart start;
  final AutoOptions options;
  final LearnerFactory factory;

  /** The rows, as they came. */
  final List<Instance> first;

  /** The same rows, with their labels as they are learned. */
  final TrialRows rows;

  /** The largest number of features of any row. */
  final int features;

  StepwiseSearch(
      SearchStart start, AutoOptions options, LearnerFactory factory, List<Instance> first) {
    this.start = start;
    this.options = options;
    this.factory = factory;
    this.first = first;
    rows = new TrialRows(start.task().kind(), start.labels(), first);
    features = LearnerFactory.dimension(first);
  }

  /** Whether nothing is left to do. */
  abstract boolean isOver();

  /** Does the smallest possible part of the work; returns its cost in multiplications. */
  abstract long step();

  /**
   * Once the search is over: an untrained learner with the settings found, and after it a rival, if
   * any. Empty if no settings are better than the present ones.
   */
  abstract List<CandidateLearner> found();

  /** The results of all candidates. */
  abstract Stream<Standing> standings();

  /** An untrained learner with the settings of a candidate. */
  CandidateLearner learner(Candidate candidate) {
    return factory.learner(candidate, start.isFinal(), options, first);
  }
}
