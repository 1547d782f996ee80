package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;

import org.avm4j.auto.AutoAvm;
import org.junit.jupiter.api.Test;

class ToStringTest {
  @Test
  void aLearnerAndItsModelSayWhatTheyAre() {
    Avm avm = new Avm(AvmOptions.binary().kernel(Kernel.gaussian(3)).regularization(0.1).build());
    assertThat(avm.toString()).startsWith("avm binary: 0 instances, 0 vectors");
    avm.learn(Features.dense(1, 2), 1);
    assertThat(avm.toString())
        .startsWith("avm binary: 1 instances, 1 vectors")
        .contains(", kernel gaussian, gamma 3.0");
    assertThat(avm.snapshot().toString()).startsWith("avm binary: 1 instances, 1 vectors");
  }

  @Test
  void automaticModeSaysWhatItHasFound() {
    AutoAvm auto = new AutoAvm();
    assertThat(auto.toString()).contains("0 instances");
    auto.learn(Features.dense(1, 2), 1);
    assertThat(auto.toString()).contains("1 instances");
    assertThat(auto.snapshot().toString()).isNotEmpty();
  }
}
