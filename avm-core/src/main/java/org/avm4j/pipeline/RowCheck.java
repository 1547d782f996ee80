package org.avm4j.pipeline;

import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.Row;
import org.avm4j.data.Schema;
import org.avm4j.table.RefusedRowException;

/**
 * Checks whether a {@link RowLearner} would learn rows, by what the learner knew at one moment. For
 * a row without new names the result is final: the learner accepts it whatever it learns in
 * between. A row with a new column, category or label may still be refused by the learner, because
 * other rows may add new names first.
 *
 * <p>It may be shared between threads.
 */
public final class RowCheck {
  private final Schema known;
  private final RowLimits limits;
  private final RowRules.Learner learner;
  private final RowRules answered;
  private final FamiliarRows familiar;
  private Schema trial;
  private RowRules rules;

  private RowCheck(Pipeline pipeline, RowLimits limits) {
    known = pipeline.preparation().schema().snapshot();
    this.limits = limits;
    learner =
        new RowRules.Learner(
            LabelRule.of(pipeline), pipeline.classes(), pipeline.status().instances() > 0);
    answered = new RowRules(known, limits);
    familiar = new FamiliarRows(known, answered, learner);
  }

  /** A check by the present state of a pipeline; call this on the pipeline's thread. */
  public static RowCheck of(Pipeline pipeline, RowLimits limits) {
    return new RowCheck(pipeline, limits);
  }

  /**
   * Checks rows that are to be learned one after the other.
   *
   * @return whether the result is final; otherwise the learner decides
   * @throws RefusedRowException for the first row that would be refused, with its {@linkplain
   *     RefusedRowException#row number}
   */
  public boolean check(List<Row> rows) {
    return familiar.includes(rows) || checkByTrial(rows);
  }

  synchronized boolean checkByTrial(List<Row> rows) {
    begin();
    try {
      boolean isNews = !learner.hasLearned();
      for (int i = 0; i < rows.size(); i++) {
        isNews |= check(rows.get(i), i);
      }
      return !isNews && !bringsNames();
    } finally {
      trial.rollback();
    }
  }

  /** Throws an exception if a label would not be learned, whatever its row. */
  public synchronized void checkLabel(Object label) {
    if (label == null && !learner.labels().needsNone()) {
      throw RowRules.withoutLabel();
    }
    begin();
    try {
      rules.label(label, learner);
    } finally {
      trial.rollback();
    }
  }

  /** Throws an exception if a row that waits for its label could not be learned with any label. */
  public synchronized void checkValues(Row row) {
    begin();
    try {
      rules.features(row, learner.hasLearned());
    } finally {
      trial.rollback();
    }
  }

  /** Whether the learner had learned a row. */
  public boolean hasLearned() {
    return learner.hasLearned();
  }

  /**
   * The features of a row that is to be answered, without a lock. Unknown columns and categories
   * are left out; if columns were declared, a row with any other column is refused.
   */
  public Features features(Row row) {
    return answered.features(row, learner.hasLearned());
  }

  private void begin() {
    if (trial == null) {
      trial = known.copy();
      rules = new RowRules(trial, limits);
    }
    trial.begin();
  }

  private boolean bringsNames() {
    return trial.dimension() > known.dimension()
        || trial.columns().size() > known.columns().size()
        || trial.labels().size() > known.labels().size();
  }

  /** Returns whether the row has a new label. */
  private boolean check(Row row, int number) {
    try {
      double y = rules.instance(row, learner).label();
      return !Double.isNaN(y) && learner.isNews(y);
    } catch (RefusedRowException refused) {
      throw new RefusedRowException(
          refused.reason(), refused.getMessage(), number, refused.getCause());
    }
  }
}
