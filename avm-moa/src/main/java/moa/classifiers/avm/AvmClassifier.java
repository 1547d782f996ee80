package moa.classifiers.avm;

import com.yahoo.labs.samoa.instances.Instance;
import java.util.stream.IntStream;
import moa.classifiers.MultiClassClassifier;
import moa.classifiers.SemiSupervisedLearner;
import moa.core.Utils;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.Task;
import org.avm4j.pipeline.Calibration;

/**
 * A kernel machine, or a tree of them, for two or several classes.
 *
 * <p>With no options the learner chooses scaling, kernel, width and prior from the first 2,048
 * instances, and then lets a tree of machines grow. In this mode it also learns from instances
 * without a class.
 */
public class AvmClassifier extends AbstractAvm
    implements MultiClassClassifier, SemiSupervisedLearner {
  private static final long serialVersionUID = 1L;
  private static final double[] NO_VOTES = {};

  private int classes;

  /** A learner with the default options. */
  public AvmClassifier() {}

  @Override
  public String getPurposeString() {
    return "Approximation vector machine: online kernel learning whose model stays small.";
  }

  @Override
  Task task(Instance example) {
    classes = example.numClasses();
    return classes <= 2
        ? Task.binary()
        : Task.multiclass(IntStream.range(0, classes).asDoubleStream().toArray());
  }

  @Override
  double label(Instance instance) {
    return classes <= 2 ? 2 * instance.classValue() - 1 : instance.classValue();
  }

  /** The share of each class, the largest for the answer; empty before the first instance. */
  @Override
  public double[] getVotesForInstance(Instance instance) {
    if (!hasLearned()) {
      return NO_VOTES;
    }
    Features x = features(instance);
    Prediction answer = learner().answer(x);
    double[] votes = new double[classes];
    double[] shares = Calibration.uncalibrated(answer.scores(), answer.classes());
    for (int c = 0; c < shares.length; c++) {
      votes[place(answer.classes()[c])] = shares[c];
    }
    int best = place(answer.label());
    int found = Utils.maxIndex(votes);
    if (found != best) {
      votes[best] = Math.nextUp(votes[found]);
    }
    return votes;
  }

  private int place(double label) {
    return classes <= 2 ? (label < 0 ? 0 : 1) : (int) label;
  }
}
