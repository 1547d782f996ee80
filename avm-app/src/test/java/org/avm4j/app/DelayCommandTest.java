package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DelayCommandTest {
  @TempDir Path folder;
  private Path data;

  @BeforeEach
  void generate() {
    data = folder.resolve("data.libsvm");
    Shell.run("data", "generate", "checkerboard", "--rows", "900", "-o", data.toString());
  }

  private Shell.Result online(String name, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "online",
                data.toString(),
                "-q",
                "--gamma=20",
                "--delta=0.2",
                "--answers",
                folder.resolve(name + ".answers").toString(),
                "--scores",
                folder.resolve(name + ".scores").toString(),
                "-m",
                folder.resolve(name + ".avm").toString()));
    words.addAll(List.of(more));
    return Shell.run(words.toArray(String[]::new));
  }

  @Test
  void lateLabelsAreSaidAndCost() {
    String late = online("late", "--delay", "200", "--json").out();
    assertThat(late).contains("\"delay\" : 200");
    assertThat(rate(late)).isGreaterThan(rate(online("soon", "--json").out()));
    assertThat(online("words", "--delay", "200").out())
        .contains("each label becomes known 200 answers later");
    assertThat(online("wrong", "--delay", "-1").code()).isEqualTo(Failure.USAGE);
  }

  private static double rate(String json) {
    return Double.parseDouble(json.replaceAll("(?s).*?\"mistakeRate\" : ([0-9.]+).*", "$1"));
  }

  /** A bad line stops the run; mended, it goes on from its checkpoint. */
  @Test
  void aRunWithLateLabelsThatStoppedGoesOnBitForBit() throws IOException {
    online("whole", "--delay", "70");
    String good = Files.readString(data);
    List<String> lines = new ArrayList<>(Files.readAllLines(data));
    String[] resumed = {
      "--delay",
      "70",
      "--checkpoint",
      folder.resolve("cp").toString(),
      "--checkpoint-every",
      "130",
      "--resume"
    };
    Files.writeString(data, String.join("\n", lines.subList(0, 500)) + "\n1 1:nonsense\n");
    assertThat(online("parts", resumed).code()).isEqualTo(Failure.BAD_DATA);
    Files.writeString(data, good);
    assertThat(online("parts", resumed).code()).isZero();
    for (String ending : List.of(".answers", ".scores", ".avm")) {
      assertThat(folder.resolve("parts" + ending))
          .hasSameBinaryContentAs(folder.resolve("whole" + ending));
    }
  }
}
