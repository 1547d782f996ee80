package org.avm4j.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Forgetting;
import org.avm4j.Kernel;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriftTest {
  private static AvmOptions options(boolean isSecondOrder) {
    return AvmOptions.binary()
        .kernel(Kernel.gaussian(8))
        .coverage(Coverage.sphere(0.4))
        .regularization(1e-4)
        .update(isSecondOrder ? Update.newton() : Update.sgd())
        .forgetting(Forgetting.auto())
        .build();
  }

  private static int mistake(Avm avm, Instance instance) {
    int mistake = avm.predict(instance.features()) == instance.label() ? 0 : 1;
    avm.learn(instance.features(), instance.label());
    return mistake;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void soonAfterADriftTheErrorIsThatOfAFreshLearner(boolean isSecondOrder) {
    Generator.Stream stream = Generator.ABRUPT.stream(1);
    Avm old = new Avm(options(isSecondOrder));
    for (int t = 0; t < 50_000; t++) {
      mistake(old, stream.next());
    }
    assertThat(old.status().drifts()).isZero();
    Avm fresh = new Avm(options(isSecondOrder));
    int ofOld = 0;
    int ofFresh = 0;
    for (int t = 0; t < 10_000; t++) {
      Instance next = stream.next();
      ofOld += mistake(old, next) * (t < 5000 ? 0 : 1);
      ofFresh += mistake(fresh, next) * (t < 5000 ? 0 : 1);
    }
    assertThat(old.status().drifts()).isPositive();
    assertThat(old.status().lastDrifts().get(0).instance()).isBetween(50_001L, 50_300L);
    assertThat((ofOld - ofFresh) / 5000.0).isLessThan(0.01);
  }
}
