package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every kind of file keeps when its bytes are damaged or forged: extend this, give one small
 * file of each kind, and these tests run.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class HostileContract {
  private Map<String, byte[]> files;

  /** Small files by name. */
  protected abstract Map<String, byte[]> files();

  /** How often each file is changed. */
  protected int mutations() {
    return 3000;
  }

  /** Whether a learner that was read from a forged file can be used within a moment. */
  protected boolean isQuick(OnlineLearner learner) {
    return true;
  }

  @BeforeAll
  void make() {
    files = files();
  }

  List<String> names() {
    return List.copyOf(files.keySet());
  }

  @ParameterizedTest
  @MethodSource("names")
  void aGoodFileCanBeUsed(String name) {
    assertThat(HostileBytes.useIfReadable(files.get(name))).isTrue();
  }

  @ParameterizedTest
  @MethodSource("names")
  void mutationsAreRefused(String name) {
    byte[] good = files.get(name);
    SplitMix random = new SplitMix(17);
    for (int i = 0; i < mutations(); i++) {
      byte[] bad = HostileBytes.mutated(good, random);
      if (!Arrays.equals(bad, good)) {
        assertThatThrownBy(() -> Model.fromBytes(bad))
            .isInstanceOf(ModelFileException.class)
            .message()
            .isNotBlank();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void mutationsBehindAValidChecksumAreRefusedOrUsable(String name) {
    byte[] good = files.get(name);
    SplitMix random = new SplitMix(23);
    int readable = 0;
    for (int i = 0; i < mutations(); i++) {
      byte[] bad = HostileBytes.forged(good, random);
      readable += HostileBytes.useIfReadable(bad, this::isQuick) ? 1 : 0;
    }
    assertThat(readable).as("readable ones, which were used").isBetween(1, mutations() - 1);
  }
}
