package org.avm4j.table;

import java.io.IOException;
import java.util.Map;
import java.util.ServiceLoader;
import org.avm4j.codec.ModelFile;

/** Makes learners and models of tables; found by the service loader. */
public interface TabularProvider {
  /** A learner by options in the words of the command line. */
  TabularLearner learner(Map<String, ?> options);

  /** The learner that a file holds. */
  TabularLearner learner(ModelFile file) throws IOException;

  /** The model that a file holds, or the snapshot of the learner that it holds. */
  TabularModel model(ModelFile file) throws IOException;

  /** The one of this library. */
  static TabularProvider installed() {
    return ServiceLoader.load(TabularProvider.class, TabularProvider.class.getClassLoader())
        .findFirst()
        .orElseThrow();
  }
}
