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
 * The only place where a learner gets rows. A row is either learned, together with its new columns,
 * categories, labels and means, or refused with a {@link RefusedRowException}, and then no byte of
 * the learner changes.
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

  /** A row learner for this pipeline, with these limits. */
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

  /**
   * The result of a row that was not refused.
   *
   * @param label the number of its label by the schema, NaN if it has none
   * @param answer the answer before it was learned; null if none was asked for
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
    pipeline.learnChecked(one.features(), one.label(), one.weight(), null);
    hasLearned = true;
    return new Learned(one.label(), answer, true);
  }

  private Learned observed(Features x, Prediction answer) {
    return new Learned(Double.NaN, answer, pipeline.observe(x));
  }

  /** Does some work, and rolls the schema back to its former names if the row is refused. */
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

  /** Throws an exception if a row could not be learned with any label; nothing changes. */
  public void checkValues(Row row) {
    schema.begin();
    try {
      rules.features(row, hasLearned);
    } finally {
      schema.rollback();
    }
  }

  /**
   * What the rules must know about the learner; classes are computed only if their number matters.
   */
  private RowRules.Learner learner() {
    double[] classes = pipeline.columns() < limits.classes() ? NO_CLASSES : pipeline.classes();
    return new RowRules.Learner(LabelRule.of(pipeline), classes, hasLearned);
  }

  /**
   * The answer to a row. Unknown columns and categories are left out; if columns were declared, a
   * row with any other column is refused.
   */
  public Prediction answer(Row row) {
    LabelLags.checkNone(pipeline.lags().orElse(null));
    Features x = answered.features(row, hasLearned);
    return pipeline.answer(x);
  }
}
