package org.avm4j.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.avm4j.Prediction;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.avm4j.eval.Metrics;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.Survey;

/**
 * K-fold cross-validation: rows are shuffled and cut into K folds, and each fold is answered by a
 * model that has learned the other folds in one pass, shuffled again. Classes are spread evenly
 * over the folds. Each model determines ranges and defaults from the rows that it learns, so that
 * nothing of a fold leaks into its model.
 */
public final class CrossValidation {
  private final LearnerSpec spec;
  private final Schema schema;

  /**
   * Cross-validates a learner.
   *
   * @param schema the columns and labels of the rows
   */
  public CrossValidation(LearnerSpec spec, Schema schema) {
    this.spec = spec;
    this.schema = schema;
  }

  /**
   * The result.
   *
   * @param total the figures of the answers to all rows
   * @param folds the figures of the answers to each fold
   * @param sizes the number of vectors in the model for each fold
   */
  public record Result(Metrics total, List<Metrics> folds, List<Integer> sizes) {}

  private record Fold(List<Instance> rows, List<Prediction> answers, Metrics metrics, int size) {}

  /**
   * Answers every row by a model that has not seen it.
   *
   * @param executor runs a task for each fold
   */
  public Result run(List<Instance> rows, int folds, Executor executor) {
    if (folds < 2 || folds > rows.size()) {
      throw new IllegalArgumentException(
          "folds must be from 2 to the " + rows.size() + " rows: " + folds);
    }
    List<List<Instance>> parts = parts(PreparedData.shuffled(rows, spec.seed()), folds);
    List<Supplier<Fold>> tasks = new ArrayList<>();
    for (int i = 0; i < folds; i++) {
      int number = i;
      tasks.add(() -> fold(parts, number));
    }
    return result(TaskResults.all(tasks, executor));
  }

  /** Deals the rows of each class out to the folds; for regression, all rows are one class. */
  private List<List<Instance>> parts(List<Instance> rows, int folds) {
    boolean isRegression = rules(rows).task().isRegression();
    Map<Double, List<Instance>> byClass = new TreeMap<>();
    for (Instance row : rows) {
      byClass.computeIfAbsent(isRegression ? 0 : row.label(), any -> new ArrayList<>()).add(row);
    }
    List<List<Instance>> parts = new ArrayList<>();
    for (int i = 0; i < folds; i++) {
      parts.add(new ArrayList<>());
    }
    int next = 0;
    for (List<Instance> same : byClass.values()) {
      for (Instance row : same) {
        parts.get(next++ % folds).add(row);
      }
    }
    return parts;
  }

  private DefaultRules rules(List<Instance> rows) {
    Survey survey = new Survey(spec.scaling());
    rows.forEach(row -> survey.add(row.features(), row.label()));
    return new DefaultRules(spec, survey, schema, rows.size());
  }

  private Fold fold(List<List<Instance>> parts, int number) {
    List<Instance> learned = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      learned.addAll(i == number ? List.of() : parts.get(i));
    }
    Pipeline pipeline = rules(learned).pipeline();
    for (Instance row : PreparedData.shuffled(learned, spec.seed() + number)) {
      pipeline.learn(row.features(), row.label(), row.weight());
    }
    return answered(pipeline.snapshot(), parts.get(number));
  }

  private Fold answered(PreparedModel model, List<Instance> rows) {
    List<Prediction> answers = rows.stream().map(row -> model.answer(row.features())).toList();
    Metrics metrics = Metrics.of(model, !schema.labels().isEmpty());
    add(rows, answers, metrics);
    return new Fold(rows, answers, metrics, model.status().size());
  }

  private static void add(List<Instance> rows, List<Prediction> answers, Metrics metrics) {
    for (int i = 0; i < rows.size(); i++) {
      Scoring.measure(metrics, rows.get(i).label(), answers.get(i));
    }
  }

  private static Result result(List<Fold> folds) {
    Metrics total = folds.get(0).metrics.fresh();
    folds.forEach(fold -> add(fold.rows, fold.answers, total));
    return new Result(
        total, folds.stream().map(Fold::metrics).toList(), folds.stream().map(Fold::size).toList());
  }
}
