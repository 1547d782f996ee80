package org.avm4j.flink.table;

import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.InputGroup;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ScalarFunction;
import org.avm4j.pipeline.PreparedModel;

/**
 * The label that a saved model predicts, as a text.
 *
 * <pre>{@code
 * CREATE FUNCTION avm_label AS 'org.avm4j.flink.table.AvmLabel';
 * SELECT id, avm_label('file:///models/spam.avm', 'age', age, 'colour', colour) FROM visitors;
 * }</pre>
 *
 * <p>A row that the model refuses has the label NULL.
 */
public final class AvmLabel extends ScalarFunction {
  private static final long serialVersionUID = 2L;

  private transient SavedModels models;

  /** Used by Flink, which creates the function by its class name. */
  public AvmLabel() {}

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
  public String eval(
      String model, @DataTypeHint(inputGroup = InputGroup.ANY) Object... namesAndValues) {
    return models.answer(model, namesAndValues, PreparedModel::labelText);
  }
}
