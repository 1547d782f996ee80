package org.avm4j.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.avm4j.flink.AvmRow;
import org.avm4j.flink.RowValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ready job from file to file, as a user starts it. */
class JobTest {
  private static final RowFormat JSON =
      new RowFormat(RowFormat.Form.JSON, List.of("a", "b"), "shop", "label", "id", "weight");
  private static final RowFormat CSV =
      new RowFormat(
          RowFormat.Form.CSV, List.of("shop", "a", "label"), "shop", "label", "id", "weight");

  @TempDir Path folder;

  @Test
  void badRowsAreDeadLettersAndAllGoodRowsAreLearned() throws Exception {
    List<String> rows = new ArrayList<>();
    List<String> bad = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      double a = i % 10 / 10.0;
      String label = a > 0.45 ? "yes" : "no";
      rows.add(
          "{\"shop\":\"s%d\",\"id\":\"%d\",\"a\":%s,\"b\":1,\"label\":\"%s\"}"
              .formatted(i % 3, i, a, label));
      if (i % 100 == 7) {
        bad.add(bad(i / 100));
        rows.add(bad.get(bad.size() - 1));
      }
    }
    Path in = Files.write(folder.resolve("rows.json"), rows);
    int code =
        FlinkMain.execute(
            "learn",
            "--in",
            in.toString(),
            "--out",
            folder.resolve("out").toString(),
            "--dead-letters",
            folder.resolve("dead").toString(),
            "--models",
            folder.resolve("models").toString(),
            "--models-every",
            "100",
            "--key",
            "shop",
            "--columns",
            "a,b",
            "--parallelism",
            "2",
            "--checkpoint-every",
            "500ms");
    assertThat(code).isZero();
    List<String> answers = lines(folder.resolve("out"));
    assertThat(answers).hasSize(1000).allMatch(line -> line.contains("\"version\":"));
    List<String> dead = lines(folder.resolve("dead"));
    assertThat(dead).hasSameSizeAs(bad).allMatch(line -> line.contains("\"reason\":\""));
    List<String> models = lines(folder.resolve("models"));
    assertThat(models).hasSize(9);
    Path model = Files.write(folder.resolve("control.json"), List.of(models.get(8)));
    assertThat(
            FlinkMain.execute(
                "score",
                "--in",
                in.toString(),
                "--out",
                folder.resolve("scored").toString(),
                "--control",
                model.toString(),
                "--dead-letters",
                folder.resolve("dead2").toString(),
                "--key",
                "shop",
                "--parallelism",
                "1"))
        .isZero();
    int scored = lines(folder.resolve("scored")).size();
    int refused = lines(folder.resolve("dead2")).size();
    assertThat(scored + refused).isEqualTo(rows.size());
  }

  private static String bad(int kind) {
    return switch (kind) {
      case 0 -> "{\"shop\":\"s1\",";
      case 1 -> "{\"shop\":\"s1\",\"a\":NaN,\"label\":\"yes\"}";
      case 2 -> "{\"shop\":\"s1\",\"a\":1,\"colour\":\"red\",\"label\":\"yes\"}";
      case 3 -> "{\"shop\":\"s1\",\"a\":\"" + "x".repeat(2 << 20) + "\",\"label\":\"yes\"}";
      case 4 -> "{\"a\":1,\"label\":\"yes\"}";
      case 5 -> "[1, 2]";
      case 6 -> "{\"shop\":\"s1\",\"a\":1e999,\"label\":\"yes\"}";
      case 7 -> "{\"shop\":\"s1\",\"a\":1,\"weight\":-1,\"label\":\"yes\"}";
      case 8 -> "{\"shop\":\"s1\",\"a\":\"many\",\"label\":\"yes\"}";
      default -> "no JSON at all";
    };
  }

  private static List<String> lines(Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    if (!Files.exists(folder)) {
      return lines;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(file.getFileName().toString()).as("all files are complete").startsWith("part-");
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  @Test
  void rowsComeByColumnName() {
    AvmRow row = JSON.row("{\"shop\": 7, \"a\": 1.5, \"b\": null, \"label\": true, \"id\": \"x\"}");
    assertThat(row.key()).isEqualTo("7");
    assertThat(row.label()).isEqualTo(1.0);
    assertThat(((RowValues.Named) row.values()).columns()).containsEntry("a", 1.5).hasSize(2);
    AvmRow csv = CSV.row("north,\"1,5\",ham");
    assertThat(csv.key()).isEqualTo("north");
    assertThat(csv.label()).isEqualTo("ham");
    assertThat(((RowValues.Texts) csv.values()).columns()).containsEntry("a", "1,5");
    AvmRow libsvm = LibsvmLine.row("-1 3:0.5 10:2");
    assertThat(libsvm.label()).isEqualTo(-1.0);
    assertThat(((RowValues.Indexed) libsvm.values()).features().get(9)).isEqualTo(2);
  }

  @Test
  void wrongFlagsAndMissingFilesAreOneSentenceAndACode() {
    assertThat(FlinkMain.execute("learn")).isEqualTo(2);
    assertThat(FlinkMain.execute("learn", "--in", "nowhere.json")).isEqualTo(66);
    assertThat(FlinkMain.execute("learn", "--in", "kafka:rows")).isEqualTo(2);
    assertThat(FlinkMain.execute("learn", "--in", "pom.xml", "--kernel", "none")).isEqualTo(2);
    assertThat(FlinkMain.execute("learn", "--in", "pom.xml", "--warm-start", "pom.xml"))
        .isEqualTo(65);
    assertThat(FlinkMain.execute("score", "--in", "pom.xml")).isEqualTo(2);
    assertThat(FlinkMain.execute("--help")).isZero();
    assertThat(FlinkMain.execute("learn", "--help")).isZero();
  }
}
