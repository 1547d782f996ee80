package org.avm4j.export;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.form.KernelExpansion;
import org.avm4j.form.ModelForm;

/** Writes the form of a model as JSON. */
final class JsonForms implements ModelForm.Visitor<Void, IOException> {
  private final JsonGenerator out;

  JsonForms(JsonGenerator out) {
    this.out = out;
  }

  void write(ModelForm form) throws IOException {
    out.writeStartObject();
    form.accept(this);
    out.writeEndObject();
  }

  @Override
  public Void other(ModelForm form) {
    throw new IllegalArgumentException("this kind of model cannot be written as JSON: " + form);
  }

  @Override
  public Void machine(ModelForm.Machine form) throws IOException {
    out.writeStringField("form", "machine");
    writeMachine(form.machine());
    return null;
  }

  @Override
  public Void tree(ModelForm.Tree tree) throws IOException {
    out.writeStringField("form", "tree");
    if (tree.live().isPresent()) {
      out.writeObjectFieldStart("live");
      writeMachine(tree.live().get());
      out.writeEndObject();
    }
    out.writeFieldName("root");
    writeNode(tree.root().orElseThrow());
    return null;
  }

  @Override
  public Void votes(ModelForm.Votes votes) throws IOException {
    out.writeStringField("form", "votes");
    writeNumbers(out, "leads", votes.leads());
    writeArray(
        out,
        "pairs",
        votes.pairs(),
        pair -> out.writeArray(new int[] {pair.first(), pair.second()}, 0, 2));
    out.writeObjectFieldStart("decisions");
    writeMachine(votes.decisions());
    out.writeEndObject();
    return null;
  }

  /** A leaf is a number; a node is [feature, threshold, whether 0 goes left, left, right]. */
  @Override
  public Void boosted(ModelForm.Boosted boosted) throws IOException {
    out.writeStringField("form", "boosted");
    writeNumbers(out, "constants", boosted.constants());
    writeArray(out, "trees", boosted.trees(), tree -> writeThreshold(tree.nodes(), 0));
    return null;
  }

  private void writeThreshold(List<ModelForm.Threshold> nodes, int at) throws IOException {
    ModelForm.Threshold node = nodes.get(at);
    if (node.feature() < 0) {
      out.writeNumber(node.number());
      return;
    }
    out.writeStartArray();
    out.writeNumber(node.feature());
    out.writeNumber(node.number());
    out.writeBoolean(node.zeroGoesLeft());
    writeThreshold(nodes, node.left());
    writeThreshold(nodes, node.left() + 1);
    out.writeEndArray();
  }

  private void writeMachine(KernelExpansion machine) throws IOException {
    out.writeStringField("kernel", machine.kernel().word());
    out.writeNumberField("gamma", machine.kernel().gamma());
    out.writeArrayFieldStart("vectors");
    for (int j = 0; j < machine.size(); j++) {
      writeRow(machine.vector(j));
    }
    out.writeEndArray();
    out.writeArrayFieldStart("coefficients");
    for (int c = 0; c < machine.columns(); c++) {
      double[] column = new double[machine.size()];
      for (int j = 0; j < column.length; j++) {
        column[j] = machine.coefficient(c, j);
      }
      out.writeArray(column, 0, column.length);
    }
    out.writeEndArray();
    if (machine.columns() > 0 && machine.linear(0).length > 0) {
      out.writeArrayFieldStart("linear");
      for (int c = 0; c < machine.columns(); c++) {
        double[] linear = machine.linear(c);
        out.writeArray(linear, 0, linear.length);
      }
      out.writeEndArray();
    }
  }

  private void writeNode(ModelForm.Node node) throws IOException {
    out.writeStartObject();
    out.writeNumberField("gate", node.gate());
    out.writeNumberField("part", node.part());
    out.writeObjectFieldStart("machine");
    writeMachine(node.machine());
    out.writeEndObject();
    if (!node.children().isEmpty()) {
      writeArray(out, "centres", node.centres(), this::writeRow);
      writeArray(out, "children", node.children(), this::writeNode);
    }
    out.writeEndObject();
  }

  @Override
  public Void density(ModelForm.Density density) throws IOException {
    out.writeStringField("form", "density");
    out.writeNumberField("threshold", density.threshold());
    out.writeNumberField("mass", density.mass());
    writeCentres(density.scales(), density.centres());
    writeNumbers(out, "counts", density.counts());
    return null;
  }

  @Override
  public Void cells(ModelForm.Cells cells) throws IOException {
    out.writeStringField("form", "cells");
    writeCentres(cells.scales(), cells.centres());
    writeNumbers(out, "weights", cells.weights());
    writeNumbers(out, "reaches", cells.reaches());
    int[] numbers = cells.numbers().stream().mapToInt(Integer::intValue).toArray();
    out.writeFieldName("clusters");
    out.writeArray(numbers, 0, numbers.length);
    return null;
  }

  private void writeCentres(List<ModelForm.FeatureScale> scales, List<Features> centres)
      throws IOException {
    writeArray(out, "scales", scales, this::writeScale);
    writeArray(out, "centres", centres, this::writeRow);
  }

  private void writeScale(ModelForm.FeatureScale scale) throws IOException {
    out.writeStartObject();
    out.writeNumberField("origin", scale.origin());
    out.writeNumberField("factor", scale.factor());
    if (scale.factor() == 0) {
      out.writeNumberField("rows", scale.rows());
      out.writeNumberField("count", scale.count());
      out.writeNumberField("mean", scale.mean());
      out.writeNumberField("absolutes", scale.absolutes());
    }
    out.writeEndObject();
  }

  /** Writes the non-zero entries as pairs of feature and value. */
  private void writeRow(Features row) throws IOException {
    out.writeStartArray();
    for (int i = 0; i < row.count(); i++) {
      out.writeStartArray();
      out.writeNumber(row.index(i));
      out.writeNumber(row.value(i));
      out.writeEndArray();
    }
    out.writeEndArray();
  }

  interface ElementWriter<T> {
    void write(T element) throws IOException;
  }

  /** Writes a field that is an array. */
  static <T> void writeArray(
      JsonGenerator out, String name, Iterable<T> elements, ElementWriter<T> writer)
      throws IOException {
    out.writeArrayFieldStart(name);
    for (T element : elements) {
      writer.write(element);
    }
    out.writeEndArray();
  }

  /** Writes a field that is a list of numbers. */
  static void writeNumbers(JsonGenerator out, String name, List<Double> numbers)
      throws IOException {
    writeNumbers(out, name, numbers.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** Writes a field that is a list of numbers. */
  static void writeNumbers(JsonGenerator out, String name, double[] numbers) throws IOException {
    out.writeFieldName(name);
    out.writeArray(numbers, 0, numbers.length);
  }
}
