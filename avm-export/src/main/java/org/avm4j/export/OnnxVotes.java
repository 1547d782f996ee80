package org.avm4j.export;

import org.avm4j.form.ModelForm;

/**
 * ONNX operators for votes of pairs: with w_p = 1 if the first class of pair p wins, else 0, the
 * scores are w A + b, where row p of A has 1 at the first class and -1 at the second, and b is the
 * lead of each class plus one vote of each pair for its second class.
 */
final class OnnxVotes {
  private final Graph graph;
  private final ModelForm.Votes votes;

  OnnxVotes(Graph graph, ModelForm.Votes votes) {
    this.graph = graph;
    this.votes = votes;
  }

  /** The scores [N, classes] of rows. */
  String scores(OnnxRows rows) {
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
    OnnxMachines machines = new OnnxMachines(graph, rows, pairs);
    String decisions = machines.scores(votes.decisions());
    String wins = graph.add("Greater", decisions, graph.number(0));
    String won =
        graph.add("MatMul", graph.cast(wins, Graph.DOUBLE), graph.doubles(gains, pairs, classes));
    return graph.add("Add", won, graph.doubles(base, 1, classes));
  }
}
