package org.avm4j.bench;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.avm4j.data.Schema;
import org.avm4j.internal.Ablation;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.Survey;

/** A learner of this project, made by the rules of {@code avm online}. */
final class Avms implements Learner {
  private final Rows rows;
  private final Pipeline pipeline;

  /**
   * The learner of some options of the command line, such as "max-size=500"; "without" names a part
   * of automatic mode that is left out.
   */
  Avms(Rows rows, String words) {
    this.rows = rows;
    Map<String, String> options = new HashMap<>(Map.of("task", rows.task()));
    for (String word : words.isEmpty() ? new String[0] : words.split(" ")) {
      options.put(word.split("=")[0], word.split("=")[1]);
    }
    String part = options.remove("without");
    Ablation.leaveOut(part == null ? Set.of() : EnumSet.of(Ablation.Part.valueOf(part)));
    LearnerSpec spec = LearnerSpec.of(options);
    Survey survey = new Survey(spec.scaling());
    rows.list().forEach(row -> survey.add(row.features(), row.label()));
    pipeline = new DefaultRules(spec, survey, new Schema(), rows.size()).pipeline();
  }

  @Override
  public double predict(int t) {
    return pipeline.predict(rows.features(t));
  }

  @Override
  public void learn(int t) {
    pipeline.learn(rows.features(t), rows.label(t));
  }

  @Override
  public long bytes() {
    return pipeline.toBytes().length;
  }
}
