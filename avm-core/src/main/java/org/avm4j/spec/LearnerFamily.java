package org.avm4j.spec;

import java.util.List;
import java.util.Optional;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.pipeline.Labels;
import org.avm4j.spec.GridSearch.Axis;

/**
 * Learners that share a name and options. A plug-in makes its families known through a {@link
 * LearnerProvider}; from then on they can be asked for by name, specified in words, tuned, and run
 * like those of this library.
 */
public interface LearnerFamily {
  /** The name by which the learner is asked for. */
  String name();

  /** Its options, beside those that all learners have ({@link LearnerSpec#COMMON}). */
  List<SpecOption> options();

  /** The task, if the learner has only one, so that it need not be given; by default empty. */
  default Optional<Task> task() {
    return Optional.empty();
  }

  /** A new learner; options that are not given follow from what is known about the data. */
  OnlineLearner create(LearnerSpec spec, DataContext data);

  /** How labels of the data become labels that are learned; by default two become -1 and +1. */
  default Labels labels(LearnerSpec spec, DataContext data) {
    return data.isTaskKnown() && data.task().kind() == Task.Kind.BINARY
        ? data.pair()
        : new Labels.Plain();
  }

  /** Whether options that are not given are searched for along the stream. */
  default boolean isAutomatic(LearnerSpec spec) {
    return false;
  }

  /** The same learner without a search, with the options that the data suggests. */
  default LearnerSpec single(LearnerSpec spec, DataContext data) {
    return spec;
  }

  /**
   * The same learner with a limited number of vectors and without a search, to measure the speed of
   * the learner that a search would end with.
   */
  default LearnerSpec ofSize(LearnerSpec spec, int size, DataContext data) {
    return spec.with("max-size", size);
  }

  /** The grid to search for good options; an option that is given is an axis of one value. */
  default List<Axis> grid(LearnerSpec spec, DataContext data) {
    return List.of();
  }

  /** Why an option that this family does not have is refused. */
  default SpecException refusal(String option) {
    return new SpecException("{" + option + "} is not an option of " + name(), option);
  }
}
