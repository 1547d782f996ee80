package org.avm4j.lab.baseline;

import java.util.List;
import org.avm4j.Predictor;
import org.avm4j.data.Instance;

/** A learner that needs all data at once. */
public interface BatchLearner {
  /** Trains a thread-safe model on these instances, which are not changed. */
  Predictor train(List<Instance> data);
}
