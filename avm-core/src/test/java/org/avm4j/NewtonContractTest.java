package org.avm4j;

import org.junit.jupiter.api.Nested;

/** The second-order step under the contract of all learners, in all tasks. */
class NewtonContractTest {
  abstract static class Form extends AvmContractTest.Form {
    Form(AvmOptions.Builder builder, int bound) {
      super(builder.update(Update.newton()), bound);
    }
  }

  @Nested
  class BinaryHinge extends Form {
    BinaryHinge() {
      super(AvmOptions.binary().coverage(Coverage.sphere(0.5)).maxSize(90, Limit.DROP), 90);
    }
  }

  @Nested
  class BinarySmoothHinge extends Form {
    BinarySmoothHinge() {
      super(AvmOptions.binary().loss(Loss.smoothHinge(0.5)).kernel(Kernel.matern32(1)), 400);
    }
  }

  @Nested
  class BinaryLogisticDecaying extends Form {
    BinaryLogisticDecaying() {
      super(
          AvmOptions.binary()
              .loss(Loss.logistic())
              .approximation(Approximation.decaying(3, 0.7))
              .maxSize(60, Limit.APPROXIMATE),
          60);
    }
  }

  @Nested
  class MulticlassHinge extends Form {
    MulticlassHinge() {
      super(AvmOptions.multiclass().coverage(Coverage.sphere(0.8)), 400);
    }
  }

  @Nested
  class MulticlassLogistic extends Form {
    MulticlassLogistic() {
      super(AvmOptions.multiclass().task(Task.multiclass(1)).loss(Loss.logistic()), 400);
    }
  }

  @Nested
  class MulticlassForgetfulAndBalanced extends Form {
    MulticlassForgetfulAndBalanced() {
      super(
          AvmOptions.multiclass()
              .coverage(Coverage.sphere(0.6))
              .forgetting(Forgetting.horizon(120))
              .classWeights(ClassWeights.balanced())
              .maxSize(70, Limit.APPROXIMATE),
          70);
    }
  }

  @Nested
  class BinaryForgetfulByItself extends Form {
    BinaryForgetfulByItself() {
      super(AvmOptions.binary().forgetting(Forgetting.auto()), 400);
    }
  }

  @Nested
  class RegressionForgetfulByItself extends Form {
    RegressionForgetfulByItself() {
      super(AvmOptions.regression().forgetting(Forgetting.auto()), 400);
    }
  }

  @Nested
  class RegressionForgetful extends Form {
    RegressionForgetful() {
      super(AvmOptions.regression().forgetting(Forgetting.horizon(150)), 400);
    }
  }

  @Nested
  class RegressionSquared extends Form {
    RegressionSquared() {
      super(AvmOptions.regression().coverage(Coverage.rectangle(0.9)), 400);
    }
  }

  @Nested
  class RegressionAbsolute extends Form {
    RegressionAbsolute() {
      super(AvmOptions.regression().loss(Loss.absolute()).kernel(Kernel.laplacian(1)), 400);
    }
  }

  @Nested
  class RegressionInsensitive extends Form {
    RegressionInsensitive() {
      super(AvmOptions.regression().loss(Loss.epsilonInsensitive(0.05)), 400);
    }
  }
}
