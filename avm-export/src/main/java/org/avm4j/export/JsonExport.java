package org.avm4j.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.avm4j.Model;
import org.avm4j.Task;
import org.avm4j.codec.AtomicFile;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;
import org.avm4j.form.CertaintyForm;

/**
 * Exports a model as JSON, with all that is needed to compute its scores by hand. The page {@code
 * docs/exports.md} describes the fields.
 */
public final class JsonExport {
  private final ExportPlan plan;
  private final JsonGenerator out;

  private JsonExport(ExportPlan plan, JsonGenerator out) {
    this.plan = plan;
    this.out = out;
  }

  /** Writes the model to a file. */
  public static void write(Model model, Path file) throws IOException {
    ExportPlan plan = ExportPlan.of(model);
    AtomicFile.write(file, to -> write(plan, to));
  }

  /** Writes the model to a stream, which stays open. */
  public static void write(Model model, OutputStream to) throws IOException {
    write(ExportPlan.of(model), to);
  }

  private static void write(ExportPlan plan, OutputStream to) throws IOException {
    JsonFactory factory = new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    try (JsonGenerator out = factory.createGenerator(to)) {
      new JsonExport(plan, out).write();
      out.writeRaw('\n');
    }
  }

  private void write() throws IOException {
    out.writeStartObject();
    out.writeStringField("format", "avm-json");
    out.writeNumberField("version", 1);
    out.writeStringField("writtenBy", ModelFile.libraryVersionOfThis());
    out.writeStringField("task", plan.model().task().word());
    out.writeNumberField("instances", plan.model().status().instances());
    out.writeNumberField("features", plan.width());
    if (plan.hasNames()) {
      new JsonColumns(out, plan.schema()).write();
    }
    writeAnswers();
    writeCertainty();
    if (plan.isMean()) {
      writeMean();
    } else {
      writeModel(plan);
    }
    out.writeEndObject();
  }

  /** Writes a mean, whose members have scalers of their own. */
  private void writeMean() throws IOException {
    out.writeArrayFieldStart("scalers");
    out.writeEndArray();
    out.writeObjectFieldStart("model");
    out.writeStringField("form", "mean");
    JsonForms.writeNumbers(out, "weights", plan.weights());
    JsonForms.writeArray(out, "members", plan.members(), this::writeMember);
    out.writeEndObject();
  }

  private void writeMember(ExportPlan member) throws IOException {
    out.writeStartObject();
    writeModel(member);
    out.writeEndObject();
  }

  private void writeModel(ExportPlan one) throws IOException {
    JsonForms.writeArray(out, "scalers", one.scalers(), this::writeScaler);
    if (plan.task() == Task.Kind.REGRESSION) {
      out.writeNumberField("scoreFactor", one.scoreFactor());
      out.writeNumberField("scoreShift", one.scoreShift());
    }
    out.writeFieldName("model");
    new JsonForms(out).write(one.form());
  }

  private void writeScaler(Scaler scaler) throws IOException {
    double[] factors = new double[scaler.dimension()];
    double[] shifts = new double[scaler.dimension()];
    Arrays.setAll(factors, scaler::factor);
    Arrays.setAll(shifts, scaler::shift);
    out.writeStartObject();
    writeNumbers("factors", factors);
    writeNumbers("shifts", shifts);
    writeMatrix(scaler.metric());
    out.writeEndObject();
  }

  private void writeMatrix(Metric metric) throws IOException {
    if (!metric.isMatrix()) {
      return;
    }
    out.writeArrayFieldStart("matrix");
    for (int i = 0; i < metric.dimension(); i++) {
      out.writeArray(metric.row(i), 0, metric.dimension());
    }
    out.writeEndArray();
  }

  private void writeAnswers() throws IOException {
    if (plan.task() == Task.Kind.REGRESSION || plan.task() == Task.Kind.CLUSTER) {
      return;
    }
    double[] classes = plan.model().classes();
    writeNumbers("classes", classes);
    if (plan.task() != Task.Kind.ANOMALY) {
      writeNumbers("prior", plan.model().priorScores());
    }
    if (!plan.schema().labels().isEmpty() && plan.task() != Task.Kind.ANOMALY) {
      JsonForms.writeArray(out, "labels", plan.classTexts(), out::writeString);
    }
    if (plan.calibration() != null) {
      PlattFits fits = PlattFits.of(plan);
      out.writeObjectFieldStart("calibration");
      if (plan.calibration().isSoftmax()) {
        out.writeBooleanField("softmax", true);
      }
      writeNumbers("slopes", fits.slopes());
      writeNumbers("offsets", fits.offsets());
      out.writeEndObject();
    }
  }

  /** Left out while the certainty is unknown, because JSON has no infinite numbers. */
  private void writeCertainty() throws IOException {
    Optional<CertaintyForm.Intervals> intervals = plan.intervals();
    if (intervals.isPresent() && Double.isFinite(intervals.get().halfWidths().get(0))) {
      out.writeObjectFieldStart("interval");
      out.writeNumberField("level", intervals.get().level());
      JsonForms.writeNumbers(out, "answers", intervals.get().answers());
      JsonForms.writeNumbers(out, "halfWidths", intervals.get().halfWidths());
      out.writeEndObject();
    }
    Optional<CertaintyForm.LabelSets> sets = plan.labelSets();
    if (sets.isPresent() && Double.isFinite(sets.get().threshold())) {
      out.writeObjectFieldStart("labelSet");
      out.writeNumberField("level", sets.get().level());
      out.writeNumberField("threshold", sets.get().threshold());
      out.writeEndObject();
    }
  }

  private void writeNumbers(String name, double[] numbers) throws IOException {
    JsonForms.writeNumbers(out, name, numbers);
  }
}
