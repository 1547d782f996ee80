package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.avm4j.FixtureContract;
import org.avm4j.FixtureFolder;
import org.avm4j.OnlineLearner;
import org.avm4j.codec.ModelFile;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that an old version left in the middle goes on to the end that it would have had. */
class CheckpointFixturesTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "fixtures", "v1");

  @TempDir Path work;

  @ParameterizedTest
  @ValueSource(strings = {"sgd", "newton-probability", "regression", "anomaly"})
  void aCheckpointOfFormatOneIsResumed(String name) throws Exception {
    copy(FOLDER.resolve("checkpoint-" + name));
    assertThat(ModelFile.open(file("run.checkpoint")).version()).isEqualTo(1);
    String report = resume();
    assertThat(report.lines().map(CheckpointFixturesTest::bare).toList())
        .containsSubsequence(
            Files.readAllLines(file("report.json")).stream()
                .map(CheckpointFixturesTest::bare)
                .toList());
    assertThat(report).doesNotContain("kappaT", "confusion");
    assertThat(file("scores.txt")).hasSameBinaryContentAs(file("expected-scores.txt"));
    FixtureFolder folder = new FixtureFolder(FOLDER);
    assertThat(folder.says(OnlineLearner.load(file("final.avm"))))
        .isEqualTo(folder.lines("checkpoint-" + name + "-final.scores.csv"));
  }

  @Test
  void whatIsSavedFromThenOnIsOfTheNewFormat() throws Exception {
    copy(FOLDER.resolve("checkpoint-sgd"));
    Files.writeString(
        file("command.txt"), Files.readString(file("command.txt")).replace("180", "200"));
    Files.delete(file("run.checkpoint"));
    String whole = resume();
    assertThat(ModelFile.open(file("run.checkpoint")).version()).isEqualTo(ModelFile.VERSION);
    assertThat(resume()).isEqualTo(whole);
  }

  /** A line of JSON; later versions say more, so that a comma may follow. */
  private static String bare(String line) {
    return line.replaceAll(",$", "");
  }

  private Path file(String name) {
    return work.resolve(name);
  }

  private void copy(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.copy(file, file(file.getFileName().toString()));
      }
    }
  }

  /** Runs the command in the copy and returns what it prints, but for the time. */
  private String resume() throws Exception {
    List<String> words = new ArrayList<>(Files.readAllLines(file("command.txt")));
    words.add("--resume");
    Process process =
        new ProcessBuilder(Shell.process(words.toArray(String[]::new)))
            .directory(work.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said.replaceAll("econds\" : ([-0-9.E]+|null)", "econds\" : #");
  }

  /** The models that these runs ended with. */
  @Nested
  class Models extends FixtureContract {
    @Override
    protected Path folder() {
      return FOLDER;
    }

    @Override
    protected int version() {
      return 1;
    }
  }
}
