package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes with real pipes. */
class PipeTest {
  private static final List<String> QUICK = List.of("--learner", "ogd", "--gamma", "4", "-q");

  @TempDir Path folder;
  private Path data;
  private List<String> rows;

  @BeforeEach
  void generate() throws IOException {
    data = folder.resolve("data.libsvm");
    Shell.run("data", "generate", "checkerboard", "--rows", "2000", "-o", data.toString());
    rows = Files.readAllLines(data);
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private static List<String> words(String... first) {
    List<String> words = new ArrayList<>(List.of(first));
    words.addAll(QUICK);
    return words;
  }

  private static Process start(List<String> words) throws IOException {
    return new ProcessBuilder(Shell.process(words.toArray(String[]::new)))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static String line(BufferedReader answers) throws Exception {
    return CompletableFuture.supplyAsync(() -> read(answers)).get(60, TimeUnit.SECONDS);
  }

  private static String read(BufferedReader answers) {
    try {
      return answers.readLine();
    } catch (IOException failed) {
      return failed.toString();
    }
  }

  /** The next row is written only when the answer to this one has come. */
  private void converse(Process process, int warmUp) throws Exception {
    try (OutputStream in = process.getOutputStream();
        BufferedReader answers = process.inputReader(StandardCharsets.UTF_8)) {
      for (int i = 0; i < warmUp + 20; i++) {
        in.write((rows.get(i) + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
        for (int due = i + 1 == warmUp ? warmUp : i >= warmUp ? 1 : 0; due > 0; due--) {
          assertThat(line(answers)).matches("-?1|\\?");
        }
      }
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  @Test
  void everyAnswerOfPredictComesBeforeTheNextRow() throws Exception {
    Shell.run(words("train", data.toString(), "-m", file("m")).toArray(String[]::new));
    converse(start(List.of("predict", "-", "-m", file("m"), "-q")), 0);
  }

  @Test
  void everyAnswerOfOnlineComesBeforeTheNextRow() throws Exception {
    converse(start(words("online", "-", "--warm-up", "10", "--answers", "-")), 10);
  }

  @Test
  void aReaderThatHasSeenEnoughEndsTheCommandQuietly() throws Exception {
    Path err = folder.resolve("err");
    List<String> words = Shell.process("data", "generate", "checkerboard", "--rows", "2000000");
    Process process = new ProcessBuilder(words).redirectError(err.toFile()).start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(line(out)).isNotEmpty();
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(err).isEmptyFile();
  }

  @Test
  void aFullDiskIsNamedAndTheReportIsNotLost() {
    assumeThat(Path.of("/dev/full")).as("a device that is always full").exists();
    for (String flag : List.of("--scores", "--answers", "-m")) {
      Shell.Result result =
          Shell.run(words("online", data.toString(), flag, "/dev/full").toArray(String[]::new));
      assertThat(result.code()).isEqualTo(Failure.IO);
      assertThat(result.out()).contains("instances").contains("mistake rate");
      assertThat(result.err()).contains("/dev/full: No space left on device");
    }
  }

  @Test
  void answersOnStandardOutputSendTheReportElsewhere() throws IOException {
    Shell.Result result =
        Shell.run(words("online", data.toString(), "--answers", "-").toArray(String[]::new));
    assertThat(result.out().lines()).hasSize(2000).allMatch(line -> line.matches("-?1"));
    assertThat(result.err()).contains("mistake rate");
    Shell.run(
        words("online", data.toString(), "--answers", file("answers")).toArray(String[]::new));
    assertThat(Files.readString(folder.resolve("answers"))).isEqualTo(result.out());
  }

  @Test
  void onlyOneOutputCanBeStandardOutput() {
    Shell.Result result =
        Shell.run("online", data.toString(), "--answers", "-", "--scores", "-", "-q");
    assertThat(result.code()).isEqualTo(Failure.USAGE);
    assertThat(result.err()).contains("only one output can go to standard output");
  }

  @Test
  void aFrozenModelIsSmallAndAnswersTheSame() throws IOException {
    Shell.run("train", data.toString(), "-m", file("whole"), "-q", "--max-size", "60");
    Shell.Result frozen =
        Shell.run(
            "train", data.toString(), "-m", file("frozen"), "-q", "--max-size", "60", "--freeze");
    assertThat(frozen.code()).as(frozen.err()).isZero();
    assertThat(Files.size(folder.resolve("frozen")))
        .isLessThan(Files.size(folder.resolve("whole")) / 4);
    assertThat(answers("frozen")).isEqualTo(answers("whole"));
    assertThat(Shell.run("inspect", file("whole"), "--json").out())
        .contains("\"frozenBytes\" : " + Files.size(folder.resolve("frozen")));
  }

  private String answers(String model) {
    return Shell.run("predict", data.toString(), "-m", file(model), "-q").out();
  }
}
