package org.avm4j.bench;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.avm4j.Certainty.Interval;
import org.avm4j.Prediction;
import org.avm4j.asking.AskOptions;
import org.avm4j.asking.LabelBudget;
import org.avm4j.data.Schema;
import org.avm4j.internal.Ablation;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.Survey;

/** A learner of this project, made by the rules of {@code avm online}. */
final class AvmContestant implements Learner {
  private final Rows rows;
  private final Pipeline pipeline;
  private final String unlabelled;
  private LabelBudget budget;
  private Prediction last;

  /** The clusters of all rows learned so far, once they are asked for. */
  private PreparedModel clusters;

  /**
   * The learner of some options of the command line, such as "max-size=500"; "without" names a part
   * of automatic mode that is left out, "unlabelled" is "ask" if the learner chooses its labels and
   * "skip" if it does not observe rows without one.
   */
  AvmContestant(Rows rows, String words) {
    this.rows = rows;
    Map<String, String> options = new HashMap<>(Map.of("task", rows.task()));
    for (String word : words.isEmpty() ? new String[0] : words.split(" ")) {
      options.put(word.split("=")[0], word.split("=")[1]);
    }
    String part = options.remove("without");
    unlabelled = options.getOrDefault("unlabelled", "observe");
    options.remove("unlabelled");
    Ablation.leaveOut(part == null ? Set.of() : EnumSet.of(Ablation.Part.valueOf(part)));
    LearnerSpec spec = LearnerSpec.of(options);
    Survey survey = new Survey(spec.scaling());
    rows.list().forEach(row -> survey.add(row.features(), row.label()));
    pipeline = new DefaultRules(spec, survey, new Schema(), rows.size()).pipeline();
  }

  @Override
  public double predict(int t) {
    if (pipeline.task().isUnsupervised()) {
      clusters = clusters == null ? pipeline.settled() : clusters;
      return clusters.predict(rows.features(t));
    }
    if (pipeline.certaintyLevel().isEmpty() && !unlabelled.equals("ask")) {
      return pipeline.predict(rows.features(t));
    }
    last = pipeline.answer(rows.features(t));
    return last.label();
  }

  @Override
  public void learn(int t) {
    pipeline.learn(rows.features(t), rows.label(t));
    clusters = null;
  }

  @Override
  public void observe(int t) {
    if (!unlabelled.equals("skip")) {
      pipeline.observe(rows.features(t));
    }
  }

  @Override
  public boolean isLabelled(int t, Cell cell) {
    if (!unlabelled.equals("ask")) {
      return cell.isDrawn(t);
    }
    if (budget == null) {
      budget = new LabelBudget(new AskOptions(cell.labels() / 100.0), 1);
    }
    return budget.ask(last);
  }

  @Override
  public Optional<Interval> interval() {
    return pipeline.certaintyLevel().isEmpty()
        ? Optional.empty()
        : Optional.of(last.interval(pipeline.certaintyLevel().getAsDouble()));
  }

  @Override
  public long bytes() {
    return pipeline.toBytes().length;
  }
}
