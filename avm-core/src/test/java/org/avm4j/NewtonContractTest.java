package org.avm4j;

import org.junit.jupiter.api.Nested;

/** The second-order step under the contract of all learners, in all tasks. */
class NewtonContractTest {
  abstract static class Form extends AvmContractTest.Form {
    Form(AvmOptions.Builder builder, int bound) {
      super(builder.update(new Update.Newton()), bound);
    }
  }

  @Nested
  class BinaryHinge extends Form {
    BinaryHinge() {
      super(AvmOptions.binary().coverage(new Coverage.Sphere(0.5)).maxSize(90, Limit.DROP), 90);
    }
  }

  @Nested
  class BinarySmoothHinge extends Form {
    BinarySmoothHinge() {
      super(
          AvmOptions.binary().loss(new Loss.SmoothHinge(0.5)).kernel(new Kernel.Matern32(1)), 400);
    }
  }

  @Nested
  class BinaryLogisticDecaying extends Form {
    BinaryLogisticDecaying() {
      super(
          AvmOptions.binary()
              .loss(new Loss.Logistic())
              .approximation(new Approximation.Decaying(3, 0.7))
              .maxSize(60, Limit.APPROXIMATE),
          60);
    }
  }

  @Nested
  class MulticlassHinge extends Form {
    MulticlassHinge() {
      super(AvmOptions.multiclass().coverage(new Coverage.Sphere(0.8)), 400);
    }
  }

  @Nested
  class MulticlassLogistic extends Form {
    MulticlassLogistic() {
      super(AvmOptions.multiclass().task(Task.multiclass(1)).loss(new Loss.Logistic()), 400);
    }
  }

  @Nested
  class MulticlassForgetfulAndBalanced extends Form {
    MulticlassForgetfulAndBalanced() {
      super(
          AvmOptions.multiclass()
              .coverage(new Coverage.Sphere(0.6))
              .forgetting(new Forgetting.Horizon(120))
              .classWeights(ClassWeights.balanced())
              .maxSize(70, Limit.APPROXIMATE),
          70);
    }
  }

  @Nested
  class BinaryForgetfulByItself extends Form {
    BinaryForgetfulByItself() {
      super(AvmOptions.binary().forgetting(new Forgetting.Auto()), 400);
    }
  }

  @Nested
  class RegressionForgetfulByItself extends Form {
    RegressionForgetfulByItself() {
      super(AvmOptions.regression().forgetting(new Forgetting.Auto()), 400);
    }
  }

  @Nested
  class RegressionForgetful extends Form {
    RegressionForgetful() {
      super(AvmOptions.regression().forgetting(new Forgetting.Horizon(150)), 400);
    }
  }

  @Nested
  class RegressionSquared extends Form {
    RegressionSquared() {
      super(AvmOptions.regression().coverage(new Coverage.Rectangle(0.9)), 400);
    }
  }

  @Nested
  class RegressionAbsolute extends Form {
    RegressionAbsolute() {
      super(AvmOptions.regression().loss(new Loss.Absolute()).kernel(new Kernel.Laplacian(1)), 400);
    }
  }

  @Nested
  class RegressionInsensitive extends Form {
    RegressionInsensitive() {
      super(AvmOptions.regression().loss(new Loss.EpsilonInsensitive(0.05)), 400);
    }
  }
}
