package org.avm4j.spec;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.avm4j.OnlineLearner;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.eval.ClassificationMetrics;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.RegressionMetrics;

/**
 * Judges by the error of answers: prequential or on held-out rows. A point fails if its options are
 * incompatible or its learner grows too large.
 */
public final class Judges {
  private static final double[] NO_SCORES = {};

  private Judges() {}

  /** Makes a new learner for a point of the grid. */
  public interface Learners extends Function<Map<String, Double>, OnlineLearner> {}

  /** Trains a model for a point of the grid. */
  public interface Trainer {
    /** The model of these rows. */
    Predictor train(Map<String, Double> point, List<Instance> rows);
  }

  /**
   * Judges by the prequential error: of answers that are given before each row is learned.
   *
   * @param task decides between mistakes and RMSE
   * @param orders the rows in one order or more; each is learned by a learner of its own, and all
   *     answers count
   * @param largest a learner with more vectors than this has failed; 0 for no such limit
   */
  public static Judge prequential(
      Task task, Learners learners, List<List<Instance>> orders, int largest) {
    return orFailed(
        point -> {
          Metrics metrics = metrics(task);
          int size = 0;
          for (List<Instance> rows : orders) {
            OnlineLearner learner = learners.apply(point);
            boolean isDone = learn(learner, rows, metrics, largest);
            size = learner.size();
            if (!isDone) {
              return Judge.Score.failed(size);
            }
          }
          return score(metrics, size);
        });
  }

  /**
   * Judges by held-out rows: the first four fifths are learned, the others are answered.
   *
   * @param task decides between mistakes and RMSE
   * @param largest a learner with more vectors than this has failed; 0 for no such limit
   */
  public static Judge holdout(Task task, Learners learners, List<Instance> rows, int largest) {
    return orFailed(
        point -> {
          OnlineLearner learner = learners.apply(point);
          boolean isDone = learn(learner, training(rows), metrics(task), largest);
          return isDone ? tested(task, learner, rows) : Judge.Score.failed(learner.size());
        });
  }

  /** Judges a batch method in the same way: it is trained on four fifths. */
  public static Judge holdout(Task task, Trainer trainer, List<Instance> rows) {
    return orFailed(point -> tested(task, trainer.train(point, training(rows)), rows));
  }

  private static Judge orFailed(Judge judge) {
    return point -> {
      try {
        return judge.judge(point);
      } catch (IllegalArgumentException impossible) {
        // Incompatible options, such as a step too long for the regularization.
        return Judge.Score.failed(0);
      }
    };
  }

  /** Answers and learns rows; stops and returns false if the learner grows too large. */
  private static boolean learn(
      OnlineLearner learner, List<Instance> rows, Metrics metrics, int largest) {
    for (Instance row : rows) {
      metrics.add(row.label(), learner.predict(row.features()), NO_SCORES);
      learner.learn(row.features(), row.label(), row.weight());
      if (largest > 0 && learner.size() > largest) {
        return false;
      }
    }
    return true;
  }

  private static List<Instance> training(List<Instance> rows) {
    return rows.subList(0, rows.size() * 4 / 5);
  }

  private static Judge.Score tested(Task task, Predictor model, List<Instance> rows) {
    Metrics metrics = metrics(task);
    for (Instance row : rows.subList(rows.size() * 4 / 5, rows.size())) {
      metrics.add(row.label(), model.predict(row.features()), NO_SCORES);
    }
    return score(metrics, model.status().size());
  }

  private static Metrics metrics(Task task) {
    return task.isRegression() ? new RegressionMetrics() : new ClassificationMetrics(false, false);
  }

  private static Judge.Score score(Metrics metrics, int size) {
    return Double.isNaN(metrics.value())
        ? Judge.Score.failed(size)
        : new Judge.Score(metrics.value(), size);
  }
}
