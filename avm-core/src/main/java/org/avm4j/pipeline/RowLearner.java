package org.avm4j.pipeline;

import java.util.function.Supplier;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.data.Instance;
import org.avm4j.data.Row;
import org.avm4j.data.Schema;
import org.avm4j.table.RefusedRowException;
import org.avm4j.table.RefusedRowException.Reason;

/**
 * The one place where a row meets a learner. A row is learned, with all that it teaches about
 * columns, categories, labels and means; or it is refused with a {@link RefusedRowException}, and
 * every byte of the learner is as it was.
 *
 * <pre>{@code
 * RowLearner learner = new RowLearner(pipeline, RowLimits.SHARED);
 * learner.learn(Row.named(Map.of("age", 42, "colour", "red"), "spam"));
 * }</pre>
 *
 * <p>It belongs to the thread of its pipeline. What may stand in a row is described in {@code
 * docs/rows.md}.
 */
public final class RowLearner {
  private static final double[] NO_CLASSES = {};

  private final Pipeline pipeline;
  private final RowLimits limits;
  private final Schema schema;
  private final RowRules rules;
  private final RowRules answered;
  private boolean hasLearned;

  /** Rows for this pipeline, within these limits. */
  public RowLearner(Pipeline pipeline, RowLimits limits) {
    this.pipeline = pipeline;
    this.limits = limits;
    schema = pipeline.preparation().schema();
    rules = new RowRules(schema, limits);
    answered = new RowRules(schema.frozen(), limits);
    hasLearned = pipeline.status().instances() > 0;
  }

  /** The pipeline that learns. */
  public Pipeline pipeline() {
    return pipeline;
  }

  /** Whether a row was learned. */
  public boolean hasLearned() {
    return hasLearned;
  }

  /**
   * What came of a row that was not refused.
   *
   * @param label the number of its label by the schema, NaN if it has none
   * @param answer the answer from before it was learned, null if none was asked for
   * @param isTaken whether the row was learned or observed; false for a row without a label that
   *     the learner cannot use, which changes nothing
   */
  public record Learned(double label, Prediction answer, boolean isTaken) {}

  /** Learns a row, or refuses it and changes nothing. */
  public Learned learn(Row row) {
    return change(() -> learn(rules.instance(row, learner()), null));
  }

  /** Answers a row, then learns it; or refuses it and changes nothing. */
  public Learned answerAndLearn(Row row) {
    return change(
        () -> {
          Instance instance = rules.instance(row, learner());
          return learn(instance, pipeline.answer(instance.features()));
        });
  }

  /**
   * Observes a row and ignores its label; or refuses it and changes nothing.
   *
   * @return whether the learner used the row; otherwise nothing has changed
   */
  public boolean observe(Row row) {
    return change(() -> observed(rules.features(row, hasLearned), null)).isTaken();
  }

  private Learned learn(Instance one, Prediction answer) {
    if (Double.isNaN(one.label()) && !pipeline.task().isUnsupervised()) {
      return observed(one.features(), answer);
    }
    pipeline.learnChecked(one.features(), one.label(), one.weight());
    hasLearned = true;
    return new Learned(one.label(), answer, true);
  }

  private Learned observed(Features x, Prediction answer) {
    return new Learned(Double.NaN, answer, pipeline.observe(x));
  }

  /** Lets the schema keep the names of a row only if the learner has taken the row. */
  private Learned change(Supplier<Learned> work) {
    LabelLags.checkNone(pipeline.lags().orElse(null));
    boolean isTaken = false;
    schema.begin();
    try {
      Learned learned = work.get();
      isTaken = learned.isTaken();
      return learned;
    } catch (IllegalArgumentException refused) {
      throw rules.refusal(refused, Reason.VALUE);
    } finally {
      if (isTaken) {
        schema.commit();
      } else {
        schema.rollback();
      }
    }
  }

  /** Refuses a row whose values could not be learned whatever its label; nothing changes. */
  public void checkValues(Row row) {
    schema.begin();
    try {
      rules.features(row, hasLearned);
    } finally {
      schema.rollback();
    }
  }

  /** Classes are asked for only where their number matters. */
  private RowRules.Learner learner() {
    double[] classes = pipeline.columns() < limits.classes() ? NO_CLASSES : pipeline.classes();
    return new RowRules.Learner(LabelRule.of(pipeline), classes, hasLearned);
  }

  /**
   * The answer to a row. Columns and categories that the model does not know are left out; where
   * columns were declared, a row with any other is refused.
   */
  public Prediction answer(Row row) {
    LabelLags.checkNone(pipeline.lags().orElse(null));
    Features x = answered.features(row, hasLearned);
    return pipeline.answer(x);
  }
}
