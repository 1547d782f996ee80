package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole commands with their whole output: each file holds command lines and what they print. A
 * change is a diff for a reviewer to read; to write them anew: {@code ./mvnw -pl avm-app -am test
 * -Dgolden.update=true}.
 */
class GoldenTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

  @TempDir Path work;

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyCommandPrintsWhatItDid(Path file) throws IOException {
    copyData();
    String expected = Files.readString(file);
    StringBuilder found = new StringBuilder();
    for (String line : expected.lines().filter(text -> text.startsWith("$ ")).toList()) {
      found.append(line).append('\n').append(run(line.substring(2)));
    }
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, found.toString());
    }
    assertThat(found.toString()).isEqualTo(Files.readString(file));
  }

  private void copyData() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER.resolve("data"))) {
      for (Path file : files.toList()) {
        Files.copy(file, work.resolve(file.getFileName()));
      }
    }
  }

  /** Words in braces, such as {train.csv}, are files; "< {file}" is standard input. */
  private String run(String line) throws IOException {
    String[] parts = line.split(" < ");
    List<String> words = Arrays.stream(parts[0].split(" ")).skip(1).map(this::place).toList();
    InputStream in =
        parts.length == 1
            ? InputStream.nullInputStream()
            : new ByteArrayInputStream(Files.readAllBytes(Path.of(place(parts[1]))));
    Shell.Result result = Shell.run(in, words.toArray(String[]::new));
    return "exit " + result.code() + "\n" + shown("", result.out()) + shown("! ", result.err());
  }

  private String place(String word) {
    return word.replaceAll("\\{([^}]*)\\}", work.toString().replace("\\", "/") + "/$1");
  }

  /** Without what differs from run to run. */
  private String shown(String mark, String text) {
    String plain =
        text.replace(work + "/", "")
            .replace(work.toAbsolutePath() + "/", "")
            .replaceAll("(?m)^written by( +).*$", "written by$1#")
            .replaceAll("(?m)^time( +).*$", "time$1#")
            .replaceAll("(?m)^((file |frozen |model |learner )?bytes)( +).*$", "$1$3#")
            .replaceAll("Bytes\" : \\d+", "Bytes\" : #")
            .replaceAll("econds\" : ([-0-9.E]+|null)", "econds\" : #")
            .replaceAll("(?m)^( +[\\d. ]*\\d) +\\d+$", "$1 #")
            .replaceAll("(?m)^seconds( +).*$", "seconds$1#");
    StringBuilder lines = new StringBuilder();
    plain.lines().forEach(line -> lines.append("| ").append(mark).append(line).append('\n'));
    return lines.toString();
  }
}
