package org.avm4j.export;

import org.avm4j.form.KernelExpansion;
import org.avm4j.form.ModelForm;

/** Adds the operators for the scores of a form, for scaled rows. */
final class OnnxScores implements ModelForm.Visitor<String, RuntimeException> {
  private final Graph graph;
  private final String scaled;
  private final int width;
  private final int columns;

  /**
   * For the rows of a graph.
   *
   * @param scaled the name of the scaled rows
   * @param width the number of their features
   * @param columns the number of scores
   */
  OnnxScores(Graph graph, String scaled, int width, int columns) {
    this.graph = graph;
    this.scaled = scaled;
    this.width = width;
    this.columns = columns;
  }

  @Override
  public String boosted(ModelForm.Boosted form) {
    return new OnnxBoosted(graph, form).scores(scaled);
  }

  @Override
  public String votes(ModelForm.Votes form) {
    return new OnnxVotes(graph, form).scores(rows(form.decisions()));
  }

  @Override
  public String machine(ModelForm.Machine form) {
    return new OnnxMachines(graph, rows(form.machine()), columns).scores(form.machine());
  }

  @Override
  public String tree(ModelForm.Tree form) {
    OnnxRows rows = rows(form.root().orElseThrow().machine());
    return new OnnxTree(graph, rows, columns, form).scores();
  }

  @Override
  public String other(ModelForm form) {
    throw new IllegalArgumentException("this form gives no scores: " + form);
  }

  /** The rows, rounded to floats as in a machine. */
  private OnnxRows rows(KernelExpansion machine) {
    String rounded = graph.cast(graph.cast(scaled, Graph.FLOAT), Graph.DOUBLE);
    return OnnxRows.of(graph, rounded, width, machine);
  }
}
