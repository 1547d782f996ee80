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

  /**
   * {@inheritDoc} With w_p = 1 if the first class of pair p wins, else 0, the scores are w A + b,
   * where row p of A has 1 at the first class and -1 at the second, and b is the lead of each class
   * plus one vote of each pair for its second class.
   */
  @Override
  public String votes(ModelForm.Votes votes) {
    int pairs = votes.pairs().size();
    int classes = votes.leads().size();
    double[] gains = new double[pairs * classes];
    double[] base = votes.leads().stream().mapToDouble(Double::doubleValue).toArray();
    for (int p = 0; p < pairs; p++) {
      ModelForm.Pair pair = votes.pairs().get(p);
      gains[p * classes + pair.first()] = 1;
      gains[p * classes + pair.second()] = -1;
      base[pair.second()]++;
    }
    OnnxRows rows = rows(votes.decisions());
    String decisions = new OnnxMachines(graph, rows, pairs).scores(votes.decisions());
    String wins = graph.cast(graph.add("Greater", decisions, graph.number(0)), Graph.DOUBLE);
    String won = graph.add("MatMul", wins, graph.doubles(gains, pairs, classes));
    return graph.add("Add", won, graph.doubles(base, 1, classes));
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
