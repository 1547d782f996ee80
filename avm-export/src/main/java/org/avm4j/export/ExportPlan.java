package org.avm4j.export;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.avm4j.Model;
import org.avm4j.Task;
import org.avm4j.data.Column;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.form.CertaintyForm;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;

/** The view of a model that all exports share, from the user's row to the answer. */
final class ExportPlan {
  private final PreparedModel model;
  private final ModelForm form;
  private final List<Scaler> scalers;
  private final List<ExportPlan> members;

  /**
   * The plan of a model, detached from its stream, because another program does not know the latest
   * labels.
   */
  static ExportPlan of(Model model) {
    return new ExportPlan(PreparedModel.of(model).detached());
  }

  /** Throws an exception if a model cannot be exported, or has learned nothing yet. */
  private ExportPlan(PreparedModel model) {
    this.model = model;
    if (model.lags().isPresent()) {
      throw new IllegalArgumentException(
          "the model uses the labels of earlier rows, which other formats cannot represent");
    }
    members = model.members().stream().map(ExportPlan::new).toList();
    form = members.isEmpty() ? formOf(model).simplest() : null;
    scalers =
        model.preparations().stream()
            .map(Preparation::scaler)
            .filter(scaler -> !scaler.isIdentity())
            .toList();
    if (model.columns() == 0 || width() == 0) {
      throw new IllegalArgumentException("the model has learned nothing yet: nothing to export");
    }
  }

  private static ModelForm formOf(PreparedModel model) {
    return model
        .inspect(OpenModel.class)
        .map(OpenModel::form)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "this kind of model cannot be exported, only machines, trees of machines,"
                        + " boosted trees, anomaly detectors and clusters"));
  }

  /** An exception for a column of a kind that only this library reads. */
  static IllegalArgumentException notExported(Column column) {
    return new IllegalArgumentException(
        "column '%s' is of the kind %s, which cannot be exported"
            .formatted(column.name(), column.kind()));
  }

  PreparedModel model() {
    return model;
  }

  /** Whether the model is a weighted mean of the scores of its members. */
  boolean isMean() {
    return !members.isEmpty();
  }

  /**
   * The members of the mean, each of which takes the user's rows; this plan if the model is not a
   * mean.
   */
  List<ExportPlan> members() {
    return isMean() ? members : List.of(this);
  }

  double[] weights() {
    return isMean() ? model.memberWeights() : new double[] {1};
  }

  /** The form of the model; null if it is a mean. */
  ModelForm form() {
    return form;
  }

  Task.Kind task() {
    return model.task().kind();
  }

  Schema schema() {
    return model.preparation().schema();
  }

  /** Whether rows have column names. */
  boolean hasNames() {
    return !schema().columns().isEmpty();
  }

  /** The scalers that are applied to a row, one after the other. */
  List<Scaler> scalers() {
    return scalers;
  }

  Calibration calibration() {
    return model.calibration().orElse(null);
  }

  /** Intervals around the answers of a regression, if the model was learned with them. */
  Optional<CertaintyForm.Intervals> intervals() {
    return model
        .inspect(CertaintyForm.class)
        .filter(CertaintyForm.Intervals.class::isInstance)
        .map(CertaintyForm.Intervals.class::cast);
  }

  /** Sets of labels, if the model was learned with them and has the probabilities they need. */
  Optional<CertaintyForm.LabelSets> labelSets() {
    return model
        .inspect(CertaintyForm.class)
        .filter(form -> calibration() != null && form instanceof CertaintyForm.LabelSets)
        .map(CertaintyForm.LabelSets.class::cast);
  }

  /** The number of features of the user's rows. */
  int width() {
    if (hasNames()) {
      return schema().dimension();
    }
    if (isMean()) {
      return members.stream().mapToInt(ExportPlan::width).max().orElse(0);
    }
    return scalers.isEmpty() ? form.dimension() : scalers.get(0).dimension();
  }

  /** The number of features of a scaled row, at least those of the form. */
  int scaledWidth() {
    int arriving = scalers.isEmpty() ? width() : scalers.get(scalers.size() - 1).dimension();
    return Math.max(arriving, form.dimension());
  }

  /** The class labels as texts, in the order of the scores. */
  List<String> classTexts() {
    return IntStream.range(0, model.classes().length)
        .mapToObj(c -> schema().labelText(model.classes()[c]))
        .toList();
  }

  /** The factor that converts a regression score to the scale of the data. */
  double scoreFactor() {
    return standards().mapToDouble(Labels.Standard::deviation).reduce(1, (a, b) -> a * b);
  }

  /** The number that is added to a regression score after the factor. */
  double scoreShift() {
    List<Labels.Standard> maps = standards().toList();
    double shift = 0;
    for (int i = maps.size() - 1; i >= 0; i--) {
      shift = maps.get(i).inverse(shift);
    }
    return shift;
  }

  private Stream<Labels.Standard> standards() {
    return model.preparations().stream()
        .map(Preparation::labels)
        .filter(Labels.Standard.class::isInstance)
        .map(Labels.Standard.class::cast);
  }
}
