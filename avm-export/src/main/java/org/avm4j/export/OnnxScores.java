package org.avm4j.export;

import org.avm4j.form.ModelForm;

/** Computes the scores of a form in a graph, for rows that are scaled. */
final class OnnxScores implements ModelForm.Visitor<String, RuntimeException> {
  private final Graph graph;
  private final String scaled;
  private final int width;
  private final int columns;

  /**
   * For rows in a graph.
   *
   * @param scaled the name of the rows
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
    return new OnnxVotes(graph, form).scores(rounded(), width);
  }

  @Override
  public String machine(ModelForm.Machine form) {
    return machines().scores(rounded(), form.machine());
  }

  @Override
  public String tree(ModelForm.Tree form) {
    return new OnnxTree(graph, machines(), form).scores(rounded());
  }

  @Override
  public String other(ModelForm form) {
    throw new IllegalArgumentException("this form gives no scores: " + form);
  }

  private OnnxMachines machines() {
    return new OnnxMachines(graph, width, columns);
  }

  /** The rows rounded to floats, as a machine sees them. */
  private String rounded() {
    return graph.cast(graph.cast(scaled, Graph.FLOAT), Graph.DOUBLE);
  }
}
