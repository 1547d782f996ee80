package org.avm4j.bench;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.avm4j.Features;
import org.avm4j.data.Instance;

/**
 * Gradient boosting by XGBoost: depth 7, η 0.1, histograms, one thread.
 *
 * @param rounds the number of trees, for several classes of each class
 */
record XgBoost(int rounds) implements TableLearner.Method {
  /** Learns rows, and answers others in their own labels. */
  @Override
  public double[] answers(Rows task, List<Instance> train, List<Instance> test)
      throws XGBoostError {
    DMatrix known = matrix(train, task.dimension());
    DMatrix asked = matrix(test, task.dimension());
    try {
      known.setLabel(labels(task, train));
      Booster booster = XGBoost.train(known, options(task), rounds, Map.of(), null, null);
      return Arrays.stream(booster.predict(asked))
          .mapToDouble(said -> answer(task, said[0]))
          .toArray();
    } finally {
      known.dispose();
      asked.dispose();
    }
  }

  private Map<String, Object> options(Rows task) {
    Map<String, Object> options = new HashMap<>();
    options.put("max_depth", 7);
    options.put("eta", 0.1);
    options.put("tree_method", "hist");
    options.put("nthread", 1);
    options.put("seed", 1);
    options.put("verbosity", 0);
    boolean areMany = task.classes().length > 2;
    String ofClasses = areMany ? "multi:softmax" : "binary:logistic";
    options.put("objective", task.isRegression() ? "reg:squarederror" : ofClasses);
    options.put("num_class", areMany ? task.classes().length : 1);
    return options;
  }

  private static double answer(Rows task, float said) {
    if (task.isRegression()) {
      return said;
    }
    return task.decoded(task.classes().length > 2 ? Math.round(said) : said > 0.5f ? 1 : 0);
  }

  private static float[] labels(Rows task, List<Instance> rows) {
    float[] labels = new float[rows.size()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (float) task.coded(rows.get(i).label());
    }
    return labels;
  }

  /** Compressed rows; what is not there counts as missing, as in files of LIBSVM. */
  private static DMatrix matrix(List<Instance> rows, int columns) throws XGBoostError {
    long[] starts = new long[rows.size() + 1];
    for (int r = 0; r < rows.size(); r++) {
      starts[r + 1] = starts[r] + rows.get(r).features().count();
    }
    int[] index = new int[(int) starts[rows.size()]];
    float[] value = new float[index.length];
    for (int r = 0; r < rows.size(); r++) {
      Features row = rows.get(r).features();
      for (int i = 0; i < row.count(); i++) {
        index[(int) starts[r] + i] = row.index(i);
        value[(int) starts[r] + i] = (float) row.value(i);
      }
    }
    return new DMatrix(starts, index, value, DMatrix.SparseType.CSR, columns);
  }
}
