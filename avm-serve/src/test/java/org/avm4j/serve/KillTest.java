package org.avm4j.serve;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small version of {@code ./avm-serve/long-test kills}. */
class KillTest {
  @TempDir Path folder;

  @Test
  void afterEveryKillEachAcknowledgedRowIsThereOnceAndTheModelIsTheSame() throws Exception {
    new KillRun(folder, 2, 3000, 4, 20, 7).run();
  }
}
