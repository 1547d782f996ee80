package org.avm4j.pipeline;

import java.util.Set;
import org.avm4j.FeatureException;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.data.Instance;
import org.avm4j.data.Missing;
import org.avm4j.data.Row;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.avm4j.table.RefusedRowException;
import org.avm4j.table.RefusedRowException.Reason;

/**
 * Turns a row into an instance, or refuses the row. Both {@link RowLearner} and {@link RowCheck}
 * use these rules. The names of the row are added to the schema: the caller begins a change of the
 * schema first, and rolls it back if the row is refused.
 */
final class RowRules {
  /**
   * What the rules must know about the learner.
   *
   * @param labels which labels it accepts
   * @param classes the labels of its classes
   * @param hasLearned whether it has learned a row
   */
  record Learner(LabelRule labels, double[] classes, boolean hasLearned) {
    /** Whether a label is new, so that its row may be refused later. */
    boolean isNews(double y) {
      return labels.mayGrow() && !LabelRule.contains(classes, y);
    }
  }

  private final Schema schema;
  private final RowLimits limits;
  private final RowEncoder rows;

  RowRules(Schema schema, RowLimits limits) {
    this.schema = schema;
    this.limits = limits;
    rows = new RowEncoder(schema, Missing.MEAN);
  }

  Instance instance(Row row, Learner learner) {
    double y = label(row.label(), learner);
    reasoned(Reason.WEIGHT, () -> OnlineLearner.checkWeight(row.weight()));
    return new Instance(features(row, learner.hasLearned()), y, row.weight());
  }

  /** The number of a label to be learned; NaN if the row has none and need not have one. */
  double label(Object label, Learner learner) {
    LabelRule rule = learner.labels();
    if (label == null) {
      if (!rule.needsNone() && !limits.takesUnlabelled()) {
        throw withoutLabel();
      }
      return Double.NaN;
    }
    double[] y = new double[1];
    int before = schema.labels().size();
    reasoned(Reason.LABEL, () -> y[0] = rows.label(label));
    if (schema.labels().size() > before) {
      checkLength("label", schema.labelText(y[0]));
    }
    rule.check(y[0], schema);
    if (learner.classes().length >= limits.classes() && learner.isNews(y[0])) {
      throw new RefusedRowException(
          Reason.LIMIT,
          "a model has at most %,d classes here, found the new label '%s'"
              .formatted(limits.classes(), schema.labelText(y[0])));
    }
    return y[0];
  }

  static RefusedRowException withoutLabel() {
    return new RefusedRowException(Reason.LABEL, "a row to learn must have a label");
  }

  Features features(Row row, boolean hasLearned) {
    boolean knowsNames = !schema.columns().isEmpty();
    if (row.values().areNamed() ? hasLearned && !knowsNames : knowsNames) {
      throw new RefusedRowException(
          Reason.COLUMNS,
          knowsNames
              ? "the model knows its columns by name, found a row by index"
              : "the model learned from rows by index, found a row by column name");
    }
    checkColumns(row.values());
    int before = schema.dimension();
    Features[] x = new Features[1];
    reasoned(Reason.VALUE, () -> x[0] = row.values().encode(rows));
    reasoned(Reason.VALUE, () -> FeatureException.check(x[0]));
    boolean isWider = !row.values().areNamed() || schema.dimension() > before;
    int width = Math.max(schema.dimension(), x[0].dimension());
    if (isWider && width > limits.features()) {
      throw new RefusedRowException(
          Reason.LIMIT,
          "a model has at most %,d features here, the row makes it %,d"
              .formatted(limits.features(), width));
    }
    for (int i = before; i < schema.dimension(); i++) {
      checkLength("column", schema.columnOf(i).name());
      checkLength("category", schema.categoryOf(i));
    }
    return x[0];
  }

  /** Refuses a new name, which may be null, if it is so long that a few of them fill the memory. */
  private void checkLength(String what, String name) {
    if (name != null && name.length() > limits.nameLength()) {
      throw new RefusedRowException(
          Reason.LIMIT,
          "a new %s has at most %,d characters here, found %,d"
              .formatted(what, limits.nameLength(), name.length()));
    }
  }

  private void checkColumns(Row.Values values) {
    Set<String> names = values.columns().keySet();
    for (String name : names) {
      if (!limits.isOpen() && schema.column(name) == null) {
        throw new RefusedRowException(
            Reason.COLUMNS, "there is no column '" + name + "' among those that were declared");
      }
    }
    if (values.areNamed() && names.stream().allMatch(name -> schema.column(name) == null)) {
      reasoned(Reason.COLUMNS, () -> schema.absent(names));
    }
  }

  /** A refusal that names the column instead of the feature. */
  RefusedRowException refusal(IllegalArgumentException refused, Reason reason) {
    if (refused instanceof RefusedRowException known) {
      return known;
    }
    String message =
        refused instanceof FeatureException feature
            ? feature.message(schema::featureName)
            : refused.getMessage();
    return new RefusedRowException(reason, message, 0, refused);
  }

  private void reasoned(Reason reason, Runnable step) {
    try {
      step.run();
    } catch (IllegalArgumentException refused) {
      throw refusal(refused, reason);
    }
  }
}
