package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of answers and of data are written whole or not at all. */
class WholeFileTest {
  @TempDir Path folder;

  @BeforeEach
  void files() throws IOException {
    StringBuilder rows = new StringBuilder("a,y\n");
    for (int i = 0; i < 60; i++) {
      rows.append(i).append(',').append(i < 30 ? "x" : "z").append('\n');
    }
    Files.writeString(folder.resolve("good.csv"), rows);
    Files.writeString(folder.resolve("bad.csv"), rows + "1,2,3\n");
    Files.writeString(folder.resolve("out.csv"), "old");
    assertThat(run("train good.csv -m m.avm --gamma=1 --average=1 -q").code()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "predict bad.csv -m m.avm -o out.csv",
        "predict bad.csv -m m.avm -o - --scores out.csv",
        "evaluate bad.csv -m m.avm --scores out.csv",
        "data convert bad.csv -o out.csv"
      })
  void aRunThatFailsLeavesTheOldFile(String command) throws IOException {
    Shell.Result failed = run(command);
    assertThat(failed.code()).isEqualTo(65);
    assertThat(failed.err()).contains("bad.csv:62: expected 2 fields, found 3");
    assertThat(folder.resolve("out.csv")).hasContent("old");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(4);
    }
    assertThat(run(command + " --skip-bad-lines").code()).isZero();
    assertThat(Files.readAllLines(folder.resolve("out.csv"))).hasSizeBetween(60, 61);
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aFileThatIsReplacedKeepsItsPermissions() throws IOException {
    Path out = folder.resolve("out.csv");
    Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("rw-------"));
    assertThat(run("predict good.csv -m m.avm -o out.csv").code()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(out)))
        .isEqualTo("rw-------");
  }

  @Test
  void answersToAStreamAreWrittenAsTheyCome() throws IOException {
    String rows = "a,y\n1,x\n2,x\n3,x,x\n";
    Shell.Result failed =
        Shell.run(
            new ByteArrayInputStream(rows.getBytes(StandardCharsets.UTF_8)),
            words("predict - -m m.avm -o out.csv"));
    assertThat(failed.code()).isEqualTo(65);
    assertThat(Files.readAllLines(folder.resolve("out.csv"))).hasSize(3);
  }

  @Test
  void whatCannotBeWrittenIsNamed() {
    for (String command : new String[] {"predict good.csv -m m.avm", "data convert good.csv"}) {
      Shell.Result full = Shell.run(words(command + " -o FULL"));
      assertThat(full.code()).isEqualTo(74);
      assertThat(full.err()).contains("avm: /dev/full: No space left on device");
    }
  }

  private Shell.Result run(String command) {
    return Shell.run(words(command));
  }

  /** The words of a command, with the names of files in the folder. */
  private String[] words(String command) {
    return Stream.of(command.split(" "))
        .map(word -> word.matches("\\w+\\.(csv|avm)") ? folder.resolve(word).toString() : word)
        .map(word -> word.equals("FULL") ? "/dev/full" : word)
        .toArray(String[]::new);
  }
}
