package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, killed without warning at random moments. */
class KillTest {
  @TempDir Path folder;

  @Tag("slow")
  @Test
  void aRunKilledTwentyTimesEndsBitForBitWhereItWouldHaveEnded() throws Exception {
    killed(
        20,
        30_000,
        "--gamma=0.5",
        "--delta=0.8",
        "--lambda=1e-5",
        "--scale=symmetric",
        "--output=suffix",
        "--beta=3");
  }

  @Test
  void anAutomaticRunKilledEndsBitForBitWhereItWouldHaveEnded() throws Exception {
    killed(6, 5_000, "--max-size=40");
  }

  private void killed(int wanted, int rows, String... options) throws Exception {
    Path data = folder.resolve("data.libsvm");
    assertThat(
            Shell.run("data", "generate", "mixture", "--rows", "" + rows, "-o", data.toString())
                .code())
        .isZero();
    finish(data, "whole", options);
    SplitMix random = new SplitMix(5);
    int kills = 0;
    for (int attempt = 0; kills < wanted && attempt < 200; attempt++) {
      Process process = start(data, "killed", options);
      if (process.waitFor(200 + random.nextInt(900), TimeUnit.MILLISECONDS)) {
        assertThat(process.exitValue()).isZero();
        clear();
      } else {
        process.destroyForcibly().waitFor();
        kills++;
      }
    }
    assertThat(kills).isEqualTo(wanted);
    finish(data, "killed", options);
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

  private void finish(Path data, String name, String... options) throws Exception {
    Process process = start(data, name, options);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("log"))).isZero();
  }

  private Process start(Path data, String name, String... options) throws IOException {
    List<String> words =
        new ArrayList<>(
            Shell.process(
                "online",
                data.toString(),
                "-m",
                folder.resolve(name + ".avm").toString(),
                "--scores",
                folder.resolve(name + ".scores").toString(),
                "--checkpoint",
                folder.resolve(name + ".checkpoint").toString(),
                "--checkpoint-every=700",
                "--resume",
                "--quiet"));
    words.addAll(List.of(options));
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(folder.toFile(), "log")))
        .start();
  }
}
