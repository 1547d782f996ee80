package org.avm4j.bench;

import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_node;
import libsvm.svm_parameter;
import org.avm4j.AvmModel;
import org.avm4j.Features;
import org.avm4j.data.Instance;

/** LIBSVM 3.35 answering by the vectors and coefficients of a binary model of ours. */
final class LibsvmModel {
  private final svm_model machine = new svm_model();
  private final double[] value = new double[1];

  LibsvmModel(AvmModel model) {
    int n = model.size();
    machine.param = new svm_parameter();
    machine.param.svm_type = svm_parameter.C_SVC;
    machine.param.kernel_type = svm_parameter.RBF;
    machine.param.gamma = model.provenance().options().kernel().gamma();
    machine.nr_class = 2;
    machine.l = n;
    machine.SV = new svm_node[n][];
    machine.sv_coef = new double[1][n];
    for (int j = 0; j < n; j++) {
      machine.SV[j] = nodes(model.vector(j));
      machine.sv_coef[0][j] = model.coefficient(0, j);
    }
    machine.rho = new double[1];
    machine.label = new int[] {1, -1};
    machine.nSV = new int[] {n, 0};
  }

  double score(svm_node[] row) {
    svm.svm_predict_values(machine, row, value);
    return value[0];
  }

  Rival contender(Workload workload) {
    Instance[] rows = workload.rows();
    svm_node[][] converted = new svm_node[rows.length][];
    for (int t = 0; t < rows.length; t++) {
      converted[t] = nodes(rows[t].features());
    }
    return Ours.contender(
        t -> (score(converted[t]) >= 0 ? 1 : -1) == rows[t].label(), () -> machine.l);
  }

  static svm_node[] nodes(Features x) {
    svm_node[] nodes = new svm_node[x.count()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = new svm_node();
      nodes[i].index = x.index(i) + 1;
      nodes[i].value = x.value(i);
    }
    return nodes;
  }
}
