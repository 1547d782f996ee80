package org.avm4j.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.avm4j.OnlineLearner;
import org.avm4j.Prediction;
import org.avm4j.codec.ModelFile;

/**
 * A learner of rows by column name, such as JSON objects or rows of a database. Numbers stay
 * numbers, a text becomes one feature for each category, and a missing number is the mean of its
 * column so far. New columns, categories and labels may appear at any time.
 *
 * <pre>{@code
 * TabularLearner learner = TabularLearner.automatic();
 * Map<String, Object> row = new LinkedHashMap<>(); // new columns are numbered in its order
 * row.put("age", 42);
 * row.put("colour", "red");
 * learner.learn(row, "spam");
 * TabularModel model = learner.snapshot();
 * String label = model.labelText(model.answer(Map.of("colour", "red")));
 * }</pre>
 */
public interface TabularLearner extends OnlineLearner {
  /**
   * Takes one step on a row. A row that is refused changes nothing.
   *
   * @param label a number or a text; null only if the task needs none
   * @throws RefusedRowException if the row may not be learned
   */
  void learn(Map<String, ?> row, Object label, double weight);

  /** Takes one step on a row of weight 1. */
  default void learn(Map<String, ?> row, Object label) {
    learn(row, label, 1);
  }

  /**
   * Takes one step on a row whose label is not known.
   *
   * @return whether the learner had a use for it; if not, nothing has changed
   * @throws RefusedRowException if the row may not be observed
   */
  boolean observe(Map<String, ?> row);

  /**
   * The whole answer to a row; unknown columns and categories are left out. Before any row was
   * learned, its label means nothing. With the option {@code ask} the answer says whether the label
   * is {@linkplain Prediction#isWorthAsking worth asking for}, and each answer counts as one row of
   * the budget.
   */
  Prediction answer(Map<String, ?> row);

  /**
   * Calls this whenever a rise of the error was found and explained, in the thread that learns and
   * after the row was learned. A loaded learner or a copy has no listeners.
   *
   * @throws IllegalStateException if the learner was made without the option {@code drift}
   */
  void onDrift(Consumer<DriftNotice> listener);

  @Override
  TabularModel snapshot();

  @Override
  TabularLearner copy();

  /** A learner that finds task, scaling and settings from the stream. */
  static TabularLearner automatic() {
    return of(Map.of());
  }

  /**
   * A learner by options in the words of the command line, such as {@code Map.of("task",
   * "regression", "interval", 90)}. {@code ask}, with a percentage of the rows, lets answers say
   * whose labels are worth asking for; {@code drift}, with true, explains rises of the error.
   *
   * @throws IllegalArgumentException if there is no such option, or a value does not fit
   */
  static TabularLearner of(Map<String, ?> options) {
    return TabularProvider.installed().learner(options);
  }

  /** The learner saved in a file; one that knows no columns gets an empty table. */
  static TabularLearner load(Path file) throws IOException {
    return TabularProvider.installed().learner(ModelFile.open(file));
  }
}
