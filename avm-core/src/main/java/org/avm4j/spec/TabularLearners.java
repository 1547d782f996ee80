package org.avm4j.spec;

import java.io.IOException;
import java.util.Map;
import org.avm4j.codec.ModelFile;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.TabularLearner;
import org.avm4j.table.TabularModel;
import org.avm4j.table.TabularProvider;

/** Pipelines as learners of tables, for the service loader. */
public final class TabularLearners implements TabularProvider {
  /** For the service loader. */
  public TabularLearners() {}

  @Override
  public TabularLearner learner(Map<String, ?> options) {
    return new DefaultRules(LearnerSpec.of(options)).pipeline();
  }

  @Override
  public TabularLearner learner(ModelFile file) throws IOException {
    return Pipeline.of(file);
  }

  @Override
  public TabularModel model(ModelFile file) throws IOException {
    return PreparedModel.of(file);
  }
}
