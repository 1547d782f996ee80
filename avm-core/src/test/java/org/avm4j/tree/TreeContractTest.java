package org.avm4j.tree;

import java.io.IOException;
import java.nio.file.Path;
import org.avm4j.AvmOptions;
import org.avm4j.ClassWeights;
import org.avm4j.Coverage;
import org.avm4j.Kernel;
import org.avm4j.LearnerContract;
import org.avm4j.Limit;
import org.avm4j.Loss;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.Update;
import org.junit.jupiter.api.Nested;

/** A tree so small that it splits, folds and replants within the streams of the contract. */
class TreeContractTest {
  private static final int POINTS = 200;

  /** A root of 16 points, machines of 8 points below it, three ways. */
  static TreeOptions small(AvmOptions.Builder builder) {
    return small(builder, Update.NO_LINEAR_PART);
  }

  /** The same with a linear part of so many features at the root. */
  static TreeOptions small(AvmOptions.Builder builder, int linear) {
    AvmOptions machine =
        builder
            .update(Update.newton(0.1, linear))
            .coverage(Coverage.sphere(1e-9))
            .maxSize(16, Limit.MERGE)
            .build();
    return new TreeOptions(machine, 8, 3, POINTS);
  }

  abstract static class Form extends LearnerContract {
    private final TreeOptions options;

    Form(TreeOptions options) {
      this.options = options;
    }

    @Override
    protected OnlineLearner make() {
      return new AvmTree(options);
    }

    @Override
    protected OnlineLearner load(Path file) throws IOException {
      return AvmTree.load(file);
    }

    @Override
    protected Task task() {
      return options.machine().task();
    }

    @Override
    protected int bound() {
      return options.maxPoints();
    }
  }

  @Nested
  class Binary extends Form {
    Binary() {
      super(small(AvmOptions.binary()));
    }
  }

  @Nested
  class BinaryLogisticBalanced extends Form {
    BinaryLogisticBalanced() {
      super(
          small(
              AvmOptions.binary()
                  .loss(Loss.logistic())
                  .kernel(Kernel.laplacian(1))
                  .classWeights(ClassWeights.balanced())));
    }
  }

  @Nested
  class Multiclass extends Form {
    Multiclass() {
      super(small(AvmOptions.multiclass()));
    }
  }

  @Nested
  class MulticlassBalanced extends Form {
    MulticlassBalanced() {
      super(
          small(
              AvmOptions.multiclass()
                  .task(Task.multiclass(1))
                  .kernel(Kernel.matern32(1))
                  .classWeights(ClassWeights.balanced())));
    }
  }

  @Nested
  class Regression extends Form {
    Regression() {
      super(small(AvmOptions.regression()));
    }
  }

  @Nested
  class RegressionWithLinearPart extends Form {
    RegressionWithLinearPart() {
      super(small(AvmOptions.regression(), 2));
    }
  }

  @Nested
  class BinaryWithLinearPart extends Form {
    BinaryWithLinearPart() {
      super(small(AvmOptions.binary(), 7));
    }
  }
}
