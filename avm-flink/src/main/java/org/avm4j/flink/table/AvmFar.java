package org.avm4j.flink.table;

import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.InputGroup;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ScalarFunction;

/**
 * Whether a row is so far from everything that a saved model has learned that its scores mean
 * nothing. The label is then the most frequent class or, for numbers, the starting value of the
 * model.
 *
 * <pre>{@code
 * CREATE FUNCTION avm_far AS 'org.avm4j.flink.table.AvmFar';
 * SELECT id FROM visitors WHERE avm_far('file:///models/spam.avm', 'age', age);
 * }</pre>
 *
 * <p>For a row that the model refuses it is NULL.
 */
public final class AvmFar extends ScalarFunction {
  private static final long serialVersionUID = 2L;

  private transient SavedModels models;

  /** Used by Flink, which creates the function by its class name. */
  public AvmFar() {}

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
  public Boolean eval(
      String model, @DataTypeHint(inputGroup = InputGroup.ANY) Object... namesAndValues) {
    return models.answer(
        model, namesAndValues, (saved, answer) -> answer.isFar() && !saved.task().isUnsupervised());
  }
}
