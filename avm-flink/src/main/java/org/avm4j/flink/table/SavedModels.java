package org.avm4j.flink.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.flink.core.fs.Path;
import org.avm4j.Prediction;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Row;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.RefusedRowException;

/** The models that a function uses in a subtask, each loaded once. */
final class SavedModels {
  private final Map<String, PreparedModel> models = new HashMap<>();

  /**
   * A value made of the answer to a row; null if the model refuses the row.
   *
   * @param place the file of the model
   * @param namesAndValues the name and the value of each column, alternating
   */
  <T> T answer(
      String place, Object[] namesAndValues, BiFunction<PreparedModel, Prediction, T> value) {
    PreparedModel model = of(place);
    try {
      return value.apply(model, model.answer(row(namesAndValues)));
    } catch (RefusedRowException refused) {
      return null;
    }
  }

  /** The detached model in a file, on any file system of Flink. */
  PreparedModel of(String place) {
    return models.computeIfAbsent(place, SavedModels::load);
  }

  private static PreparedModel load(String place) {
    Path path = new Path(place);
    try (InputStream in = path.getFileSystem().open(path)) {
      return PreparedModel.of(ModelFile.read(in)).detached();
    } catch (IOException failed) {
      throw new UncheckedIOException(place + ": " + failed.getMessage(), failed);
    }
  }

  /** A row from alternating names and values; dates and times become ISO texts. */
  static Row row(Object[] namesAndValues) {
    if (namesAndValues.length == 0 || namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "names and values must alternate: 'age', age, 'colour', colour");
    }
    Map<String, Object> columns = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (!(namesAndValues[i] instanceof String name)) {
        throw new IllegalArgumentException(
            "the name of a column must be a text: " + namesAndValues[i]);
      }
      columns.put(name, TableValues.of(namesAndValues[i + 1]));
    }
    return Row.named(columns, null);
  }
}
