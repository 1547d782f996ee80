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
      super(AvmOptions.binary().coverage(new Coverage.Sphere(0.5)), SPHERES);
    }
  }

  @Nested
  class BinaryLogisticAverage extends Form {
    BinaryLogisticAverage() {
      super(AvmOptions.binary().loss(new Loss.Logistic()).output(new Output.Average()), SPHERES);
    }
  }

  @Nested
  class BinarySuffix extends Form {
    BinarySuffix() {
      super(
          AvmOptions.binary()
              .loss(new Loss.SmoothHinge(0.5))
              .kernel(new Kernel.Matern52(1))
              .output(new Output.Suffix(0.5)),
          SPHERES);
    }
  }

  @Nested
  class BinaryDecayingWithACap extends Form {
    BinaryDecayingWithACap() {
      super(
          AvmOptions.binary()
              .coverage(new Coverage.Rectangle(0.7))
              .approximation(new Approximation.Decaying(3, 0.7))
              .maxSize(60, Limit.APPROXIMATE),
          60);
    }
  }

  @Nested
  class BinaryForgetfulAndBalanced extends Form {
    BinaryForgetfulAndBalanced() {
      super(
          AvmOptions.binary()
              .coverage(new Coverage.Sphere(0.5))
              .forgetting(new Forgetting.Horizon(90))
              .classWeights(ClassWeights.balanced())
              .maxSize(80, Limit.APPROXIMATE),
          80);
    }
  }

  @Nested
  class MulticlassForgetfulByItself extends Form {
    MulticlassForgetfulByItself() {
      super(
          AvmOptions.multiclass()
              .coverage(new Coverage.Sphere(0.5))
              .forgetting(new Forgetting.Auto()),
          SPHERES);
    }
  }

  @Nested
  class RegressionForgetful extends Form {
    RegressionForgetful() {
      super(
          AvmOptions.regression()
              .coverage(new Coverage.Sphere(0.5))
              .forgetting(new Forgetting.Horizon(100))
              .regularization(0.02)
              .build(),
          SPHERES);
    }
  }

  @Nested
  class BinaryPlainSgd extends Form {
    BinaryPlainSgd() {
      super(AvmOptions.binary().approximation(new Approximation.Never()), 0);
    }
  }

  @Nested
  class MulticlassHinge extends Form {
    MulticlassHinge() {
      super(AvmOptions.multiclass().coverage(new Coverage.Sphere(0.6)), SPHERES);
    }
  }

  @Nested
  class MulticlassWhenConfident extends Form {
    MulticlassWhenConfident() {
      super(
          AvmOptions.multiclass()
              .loss(new Loss.Logistic())
              .approximation(new Approximation.WhenConfident())
              .output(new Output.Suffix(0.25))
              .maxSize(200, Limit.DROP),
          200);
    }
  }

  @Nested
  class RegressionSquared extends Form {
    RegressionSquared() {
      super(AvmOptions.regression().coverage(new Coverage.Sphere(0.5)), SPHERES);
    }
  }

  @Nested
  class RegressionAbsolute extends Form {
    RegressionAbsolute() {
      super(
          AvmOptions.regression()
              .loss(new Loss.Absolute())
              .kernel(new Kernel.Laplacian(1))
              .output(new Output.Average()),
          SPHERES);
    }
  }

  @Nested
  class RegressionInsensitive extends Form {
    RegressionInsensitive() {
      super(
          AvmOptions.regression()
              .loss(new Loss.EpsilonInsensitive(0.05))
              .kernel(new Kernel.RationalQuadratic(2))
              .output(new Output.Average()),
          SPHERES);
    }
  }
}
