package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
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
  /** How the names of runs begin that take seconds each: automatic mode to its last search. */
  private static final String WHOLE = "automatic-whole";

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

  static Stream<String> shortRuns() {
    return runs().stream().filter(name -> !name.startsWith(WHOLE));
  }

  static Stream<String> wholeStreams() {
    return runs().stream().filter(name -> name.startsWith(WHOLE));
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("wholeStreams")
  void aWholeStreamHasTheFingerprintOnRecord(String name) throws IOException {
    aRunHasTheFingerprintOnRecord(name);
  }

  @ParameterizedTest
  @MethodSource("shortRuns")
  void aRunHasTheFingerprintOnRecord(String name) throws IOException {
    String found = BitsRuns.fingerprint(BitsRuns.all().get(name).get());
    assertThat(found).isEqualTo(BitsRuns.recorded().get(name));
  }

  @Test
  void everyRecordIsOfARun() throws IOException {
    assertThat(BitsRuns.recorded().keySet()).containsExactlyInAnyOrderElementsOf(runs());
  }
}
