package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same seed gives the same bits on every machine and every Java.
 *
 * <p>The fingerprints of all {@link BitsRuns} are on record. A difference means that digits
 * changed: either a promise is broken, or the change was meant, and then {@code -Dbits.update=true}
 * writes the file anew and the change log says so.
 */
class SameBitsTest {
  @BeforeAll
  static void update() throws IOException {
    if (Boolean.getBoolean("bits.update")) {
      Map<String, String> found = new TreeMap<>();
      BitsRuns.all().forEach((name, run) -> found.put(name, BitsRuns.fingerprint(run.get())));
      BitsRuns.record(found);
    }
  }

  static Set<String> runs() {
    return BitsRuns.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("runs")
  void aRunHasTheFingerprintOnRecord(String name) throws IOException {
    String found = BitsRuns.fingerprint(BitsRuns.all().get(name).get());
    assertThat(found).isEqualTo(BitsRuns.recorded().get(name));
  }

  @Test
  void everyRecordIsOfARun() throws IOException {
    assertThat(BitsRuns.recorded().keySet()).containsExactlyInAnyOrderElementsOf(runs());
  }
}
