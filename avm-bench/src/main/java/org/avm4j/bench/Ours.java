package org.avm4j.bench;

import java.util.function.IntSupplier;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.OnlineLearner;
import org.avm4j.Predictor;
import org.avm4j.data.Instance;
import org.avm4j.lab.baseline.BaselineOptions;
import org.avm4j.lab.baseline.Baselines;

/** What is in this project, as contenders. */
final class Ours {
  private Ours() {}

  static Rival avm(Workload workload, AvmOptions options) {
    return learning(workload, new Avm(options));
  }

  static Rival baseline(Workload workload, BaselineOptions options) {
    return learning(workload, Baselines.create(options));
  }

  /** A learner that answers each row and then learns it. */
  static Rival learning(Workload workload, OnlineLearner learner) {
    Instance[] rows = workload.rows();
    return contender(
        t -> {
          boolean isRight = learner.predict(rows[t].features()) == rows[t].label();
          learner.learn(rows[t].features(), rows[t].label());
          return isRight;
        },
        learner::size);
  }

  /** A model that only answers. */
  static Rival model(Workload workload, AvmModel model) {
    Instance[] rows = workload.rows();
    Predictor predictor = model;
    return contender(t -> predictor.predict(rows[t].features()) == rows[t].label(), model::size);
  }

  /** A step over row t. */
  interface Step {
    boolean take(int t);
  }

  static Rival contender(Step step, IntSupplier size) {
    return new Rival() {
      @Override
      public boolean step(int t) {
        return step.take(t);
      }

      @Override
      public int size() {
        return size.getAsInt();
      }
    };
  }
}
