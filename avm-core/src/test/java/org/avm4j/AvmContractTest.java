package org.avm4j;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** The machine under the contract of all learners, in many forms. */
class AvmContractTest {
  abstract static class Form extends LearnerContract {
    private final AvmOptions options;
    private final int bound;

    Form(AvmOptions.Builder builder, int bound) {
      this(builder.regularization(0.001).build(), bound);
    }

    Form(AvmOptions options, int bound) {
      this.options = options;
      this.bound = bound;
    }

    @Override
    protected OnlineLearner make() {
      return new Avm(options);
    }

    @Override
    protected OnlineLearner load(Path file) throws IOException {
      return Avm.load(file);
    }

    @Override
    protected Task task() {
      return options.task();
    }

    @Override
    protected int bound() {
      return bound;
    }
  }

  /** (4 D / δ)^d is far above what three features in [-1, 1] and balls of radius 0.25 can hold. */
  private static final int SPHERES = 1000;

  @Nested
  class BinaryHinge extends Form {
    BinaryHinge() {
      super(AvmOptions.binary().coverage(Coverage.sphere(0.5)), SPHERES);
    }
  }

  @Nested
  class BinaryLogisticAverage extends Form {
    BinaryLogisticAverage() {
      super(AvmOptions.binary().loss(Loss.logistic()).output(Output.average()), SPHERES);
    }
  }

  @Nested
  class BinarySuffix extends Form {
    BinarySuffix() {
      super(
          AvmOptions.binary()
              .loss(Loss.smoothHinge(0.5))
              .kernel(Kernel.matern52(1))
              .output(Output.suffix(0.5)),
          SPHERES);
    }
  }

  @Nested
  class BinaryDecayingWithACap extends Form {
    BinaryDecayingWithACap() {
      super(
          AvmOptions.binary()
              .coverage(Coverage.rectangle(0.7))
              .approximation(Approximation.decaying(3, 0.7))
              .maxSize(60, Limit.APPROXIMATE),
          60);
    }
  }

  @Nested
  class BinaryForgetfulAndBalanced extends Form {
    BinaryForgetfulAndBalanced() {
      super(
          AvmOptions.binary()
              .coverage(Coverage.sphere(0.5))
              .forgetting(Forgetting.horizon(90))
              .classWeights(ClassWeights.balanced())
              .maxSize(80, Limit.APPROXIMATE),
          80);
    }
  }

  @Nested
  class MulticlassForgetfulByItself extends Form {
    MulticlassForgetfulByItself() {
      super(
          AvmOptions.multiclass().coverage(Coverage.sphere(0.5)).forgetting(Forgetting.auto()),
          SPHERES);
    }
  }

  @Nested
  class RegressionForgetful extends Form {
    RegressionForgetful() {
      super(
          AvmOptions.regression()
              .coverage(Coverage.sphere(0.5))
              .forgetting(Forgetting.horizon(100))
              .regularization(0.02)
              .build(),
          SPHERES);
    }
  }

  @Nested
  class BinaryPlainSgd extends Form {
    BinaryPlainSgd() {
      super(AvmOptions.binary().approximation(Approximation.never()), 0);
    }
  }

  @Nested
  class MulticlassHinge extends Form {
    MulticlassHinge() {
      super(AvmOptions.multiclass().coverage(Coverage.sphere(0.6)), SPHERES);
    }
  }

  @Nested
  class MulticlassWhenConfident extends Form {
    MulticlassWhenConfident() {
      super(
          AvmOptions.multiclass()
              .loss(Loss.logistic())
              .approximation(Approximation.whenConfident())
              .output(Output.suffix(0.25))
              .maxSize(200, Limit.DROP),
          200);
    }
  }

  @Nested
  class RegressionSquared extends Form {
    RegressionSquared() {
      super(AvmOptions.regression().coverage(Coverage.sphere(0.5)), SPHERES);
    }
  }

  @Nested
  class RegressionAbsolute extends Form {
    RegressionAbsolute() {
      super(
          AvmOptions.regression()
              .loss(Loss.absolute())
              .kernel(Kernel.laplacian(1))
              .output(Output.average()),
          SPHERES);
    }
  }

  @Nested
  class RegressionInsensitive extends Form {
    RegressionInsensitive() {
      super(
          AvmOptions.regression()
              .loss(Loss.epsilonInsensitive(0.05))
              .kernel(Kernel.rationalQuadratic(2))
              .output(Output.average()),
          SPHERES);
    }
  }
}
