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
 * Gradient boosting by XGBoost: depth 7, η 0.1, histograms.
 *
 * @param rounds the number of trees, for several classes of each class
 * @param threads the most threads that it may use
 */
record Boosting(int rounds, int threads) {
  /** Learns rows, and answers others in their own labels. */
  double[] answers(TableTask task, List<Instance> train, List<Instance> test) throws XGBoostError {
    int columns = Math.max(columns(train), columns(test));
    DMatrix known = matrix(train, columns);
    DMatrix asked = matrix(test, columns);
    Booster booster = null;
    try {
      known.setLabel(labels(task, train));
      booster = XGBoost.train(known, options(task), rounds, new HashMap<>(), null, null);
      return answers(task, booster.predict(asked));
    } finally {
      known.dispose();
      asked.dispose();
      if (booster != null) {
        booster.dispose();
      }
    }
  }

  private Map<String, Object> options(TableTask task) {
    Map<String, Object> options = new HashMap<>();
    options.put("max_depth", 7);
    options.put("eta", 0.1);
    options.put("tree_method", "hist");
    options.put("nthread", threads);
    options.put("seed", 1);
    options.put("verbosity", 0);
    options.put("objective", objective(task));
    if (task.classes().length > 2) {
      options.put("num_class", task.classes().length);
    }
    return options;
  }

  private static String objective(TableTask task) {
    if (task.isRegression()) {
      return "reg:squarederror";
    }
    return task.classes().length > 2 ? "multi:softmax" : "binary:logistic";
  }

  private static double[] answers(TableTask task, float[][] said) {
    double[] answers = new double[said.length];
    Arrays.setAll(answers, i -> answer(task, said[i][0]));
    return answers;
  }

  private static double answer(TableTask task, float said) {
    if (task.isRegression()) {
      return said;
    }
    boolean isNumber = task.classes().length > 2;
    return task.classes()[isNumber ? Math.round(said) : said > 0.5f ? 1 : 0];
  }

  private static int columns(List<Instance> rows) {
    return rows.stream().mapToInt(row -> row.features().dimension()).max().orElse(0);
  }

  private static float[] labels(TableTask task, List<Instance> rows) {
    float[] labels = new float[rows.size()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = task.coded(rows.get(i).label());
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
