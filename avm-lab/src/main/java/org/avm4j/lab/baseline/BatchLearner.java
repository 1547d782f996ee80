package org.avm4j.lab.baseline;

import java.util.List;
import org.avm4j.Predictor;
import org.avm4j.data.Instance;

/** A learner that wants all of the data at once. */
public interface BatchLearner {
  /** The model of these instances, which are not changed; safe to use from any thread. */
  Predictor train(List<Instance> data);
}
