package org.avm4j.flink.table;

import java.util.Arrays;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.InputGroup;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ScalarFunction;

/**
 * The scores that a saved model gives: one, or one for each class in ascending order of label.
 *
 * <pre>{@code
 * CREATE FUNCTION avm_scores AS 'org.avm4j.flink.table.AvmScores';
 * SELECT id, avm_scores('file:///models/spam.avm', 'age', age)[1] FROM visitors;
 * }</pre>
 *
 * <p>A row that the model refuses has the scores NULL.
 */
public final class AvmScores extends ScalarFunction {
  private static final long serialVersionUID = 2L;

  private transient SavedModels models;

  /** Used by Flink, which creates the function by its class name. */
  public AvmScores() {}

  @Override
  public void open(FunctionContext context) {
    models = new SavedModels();
  }

  /**
   * Called for every row.
   *
   * @param model the path of a model file, on any file system of Flink
   * @param namesAndValues the name and the value of each column, alternating
   */
  public Double[] eval(
      String model, @DataTypeHint(inputGroup = InputGroup.ANY) Object... namesAndValues) {
    return models.answer(
        model,
        namesAndValues,
        (saved, answer) -> Arrays.stream(answer.scores()).boxed().toArray(Double[]::new));
  }
}
