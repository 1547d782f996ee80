package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.avm4j.internal.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, killed without warning at random moments. */
class KillTest {
  private static final int KILLS = 20;

  @TempDir Path folder;

  @Test
  void aRunKilledTwentyTimesEndsBitForBitWhereItWouldHaveEnded() throws Exception {
    Path data = folder.resolve("data.libsvm");
    assertThat(
            Shell.run("data", "generate", "mixture", "--rows", "30000", "-o", data.toString())
                .code())
        .isZero();
    finish(data, "whole");
    SplitMix random = new SplitMix(5);
    int kills = 0;
    for (int attempt = 0; kills < KILLS && attempt < 200; attempt++) {
      Process process = start(data, "killed");
      if (process.waitFor(200 + random.nextInt(900), TimeUnit.MILLISECONDS)) {
        assertThat(process.exitValue()).isZero();
        clear();
      } else {
        process.destroyForcibly().waitFor();
        kills++;
      }
    }
    assertThat(kills).isEqualTo(KILLS);
    finish(data, "killed");
    assertThat(folder.resolve("killed.scores"))
        .hasSameBinaryContentAs(folder.resolve("whole.scores"));
    assertThat(folder.resolve("killed.avm")).hasSameBinaryContentAs(folder.resolve("whole.avm"));
  }

  /** A run that was too fast to be killed starts again. */
  private void clear() throws IOException {
    for (String name : List.of("killed.scores", "killed.avm", "killed.checkpoint")) {
      Files.deleteIfExists(folder.resolve(name));
    }
  }

  private void finish(Path data, String name) throws Exception {
    Process process = start(data, name);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("log"))).isZero();
  }

  private Process start(Path data, String name) throws IOException {
    List<String> words =
        Shell.process(
            "online",
            data.toString(),
            "--gamma=0.5",
            "--delta=0.8",
            "--lambda=1e-5",
            "--scale=symmetric",
            "--output=suffix",
            "--beta=3",
            "-m",
            folder.resolve(name + ".avm").toString(),
            "--scores",
            folder.resolve(name + ".scores").toString(),
            "--checkpoint",
            folder.resolve(name + ".checkpoint").toString(),
            "--checkpoint-every=700",
            "--resume",
            "--quiet");
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(folder.toFile(), "log")))
        .start();
  }
}
