package org.avm4j.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.avm4j.Model;
import org.avm4j.Prediction;
import org.avm4j.codec.ModelFile;

/** A frozen model of rows by column name. */
public interface TabularModel extends Model {
  /** The whole answer to a row; unknown columns and categories are left out. */
  Prediction answer(Map<String, ?> row);

  /**
   * The predicted label as it is in the data; 1 for an anomaly and -1 for none; for clusters a
   * number.
   */
  String labelText(Prediction answer);

  /**
   * Why the model answers a row as it does.
   *
   * @param columns the most columns to tell of
   * @param points the most core points to tell of
   */
  Explanation explain(Map<String, ?> row, int columns, int points);

  /** The model saved in a file, or the snapshot of the learner saved there. */
  static TabularModel load(Path file) throws IOException {
    return TabularProvider.installed().model(ModelFile.open(file));
  }
}
