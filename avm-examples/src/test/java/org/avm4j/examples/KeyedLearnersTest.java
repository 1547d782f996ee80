package org.avm4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Limit;
import org.avm4j.Update;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KeyedLearnersTest {
  private static final int KEYS = 10_000;

  private static KeyedLearners learners() {
    AvmOptions options =
        AvmOptions.regression()
            .update(Update.newton())
            .coverage(Coverage.sphere(0.1))
            .maxSize(8, Limit.MERGE)
            .build();
    return new KeyedLearners(() -> new Avm(options));
  }

  private static double observe(KeyedLearners learners, int key, int t) {
    double x = Math.sin(7 * key + t);
    return learners.observe("key-" + key, Features.dense(x, t % 3), key % 10 + x * x);
  }

  @Tag("slow")
  @Test
  void tenThousandLearnersAreRestoredAndGoOnBitForBit() throws IOException {
    KeyedLearners uninterrupted = learners();
    for (int t = 0; t < 5; t++) {
      for (int key = 0; key < KEYS; key++) {
        observe(uninterrupted, key, t);
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    uninterrupted.save(bytes);
    KeyedLearners restored = learners();
    restored.restore(new ByteArrayInputStream(bytes.toByteArray()));
    assertThat(restored.size()).isEqualTo(KEYS);
    for (int t = 5; t < 8; t++) {
      for (int key = 0; key < KEYS; key++) {
        assertThat(observe(restored, key, t)).isEqualTo(observe(uninterrupted, key, t));
      }
    }
  }
}
