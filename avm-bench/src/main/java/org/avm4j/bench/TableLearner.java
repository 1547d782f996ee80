package org.avm4j.bench;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.data.Instance;

/** A learner of tables: it collects rows, and learns all of them when the first answer is due. */
final class TableLearner implements Learner {
  private final Rows rows;
  private final Method method;
  private final List<Instance> train = new ArrayList<>();
  private double[] answers;

  /** Learns rows, and answers others in the labels of the data. */
  interface Method {
    double[] answers(Rows task, List<Instance> train, List<Instance> test) throws Exception;
  }

  TableLearner(Rows rows, Method method) {
    this.rows = rows;
    this.method = method;
  }

  @Override
  public double predict(int t) {
    if (answers == null) {
      try {
        answers = method.answers(rows, train, rows.list().subList(0, CellRun.held(rows)));
      } catch (Exception failed) {
        throw new IllegalStateException(failed);
      }
    }
    return answers[t];
  }

  @Override
  public void learn(int t) {
    train.add(rows.list().get(t));
  }
}
