package moa.classifiers.avm;

import com.yahoo.labs.samoa.instances.Instance;
import moa.classifiers.Regressor;
import org.avm4j.Task;

/**
 * A kernel machine, or a tree of them, for regression.
 *
 * <p>With no options the learner chooses scaling, kernel, width and prior from the first 2,048
 * instances, and then lets a tree of machines grow.
 */
public class AvmRegressor extends AbstractAvm implements Regressor {
  private static final long serialVersionUID = 1L;

  /** A learner with the default options. */
  public AvmRegressor() {}

  @Override
  public String getPurposeString() {
    return "Approximation vector machine: online kernel regression whose model stays small.";
  }

  @Override
  Task task(Instance example) {
    return Task.regression();
  }

  @Override
  double label(Instance instance) {
    return instance.classValue();
  }

  /** The predicted number; 0 before the first instance. */
  @Override
  public double[] getVotesForInstance(Instance instance) {
    return new double[] {hasLearned() ? learner().predict(features(instance)) : 0};
  }
}
