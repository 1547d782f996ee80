package org.avm4j.spec;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.asking.AskOptions;
import org.avm4j.asking.LabelBudget;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Decimal;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.TabularLearner;
import org.avm4j.table.TabularModel;
import org.avm4j.table.TabularProvider;

/** Pipelines as learners of tables, for the service loader. */
public final class TabularLearners implements TabularProvider {
  private static final String ASK = "ask";
  private static final String DRIFT = "drift";

  /** For the service loader. */
  public TabularLearners() {}

  @Override
  public TabularLearner learner(Map<String, ?> options) {
    Map<String, Object> plain = new LinkedHashMap<>(options);
    Object ask = plain.remove(ASK);
    Object drift = plain.remove(DRIFT);
    LearnerSpec spec = LearnerSpec.of(plain);
    boolean hasDrift = drift != null && SpecOption.flag(DRIFT).text(drift).equals("true");
    String given = ask != null ? ASK : hasDrift ? DRIFT : null;
    if (given != null && spec.isUnsupervised()) {
      throw new SpecException(
          "{" + given + "} needs labels, which this task does not learn", given);
    }
    LabelBudget budget =
        ask == null ? null : new LabelBudget(new AskOptions(share(ask)), spec.seed());
    return new DefaultRules(spec).pipeline().watch(budget, hasDrift);
  }

  /** A share of 1, given as a percentage: a number, or a text that may end in a percent sign. */
  private static double share(Object ask) {
    double percent = Decimal.parse(ask.toString().replaceFirst("%$", "").strip());
    if (!(percent > 0 && percent <= 100)) {
      throw new SpecException(
          "{" + ASK + "} must be a percentage above 0 and at most 100: '" + ask + "'", ASK);
    }
    return percent / 100;
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
