package org.avm4j.app;

import org.avm4j.Task;
import org.avm4j.run.PreparedData;
import org.avm4j.spec.LearnerSpec;

/** Describes the task of a run, why it was chosen, and which flag changes it. */
final class TaskText {
  private TaskText() {}

  /** The task, with the reason and the flag. */
  static String of(PreparedData data, LearnerSpec spec) {
    Task task = data.rules(spec).task();
    if (spec.task().isPresent()) {
      return task.word() + ", as given";
    }
    boolean areNamed = !data.schema().labels().isEmpty();
    return task.word() + ", because " + data.survey().reason(areNamed) + other(task, areNamed);
  }

  private static String other(Task task, boolean areNamed) {
    if (areNamed) {
      return "";
    }
    return switch (task.kind()) {
      case REGRESSION -> "; use --task multiclass to treat them as classes";
      case MULTICLASS, BINARY -> "; use --task regression to treat them as numbers";
      case ANOMALY, CLUSTER -> "";
    };
  }
}
