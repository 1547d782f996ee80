package org.avm4j.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.avm4j.data.Row;
import org.avm4j.flink.AvmAnswer;
import org.avm4j.flink.AvmRow;
import org.junit.jupiter.api.Tag;
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

  @Tag("slow")
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

  @Test
  void answersHoldIntervalsThatWereAskedFor() throws Exception {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(
          "{\"shop\":\"s\",\"a\":%s,\"label\":%s}".formatted(i % 10, 1 + i % 10 + i % 7 / 10.0));
    }
    Path in = Files.write(folder.resolve("rows.json"), rows);
    Path out = folder.resolve("out");
    String words =
        "learn --task regression --gamma 0.1 --delta 0.01 --max-size 9 --interval 90 --key shop"
            + " --parallelism 1 --in "
            + in
            + " --out "
            + out;
    assertThat(FlinkMain.execute(words.split(" "))).isZero();
    List<String> answers = lines(out);
    assertThat(answers).hasSize(100);
    assertThat(answers.get(0)).doesNotContain("interval");
    assertThat(answers.get(1)).contains("\"interval\":[null,null]");
    assertThat(answers.get(99)).matches(".*\"interval\":\\[[-0-9.E]+,[-0-9.E]+\\].*");
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
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
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
    assertThat(((Row.Named) row.values()).columns().get("a")).isEqualTo(1.5);
    assertThat(((Row.Named) row.values()).columns()).hasSize(2);
    AvmRow csv = CSV.row("north,\"1,5\",ham");
    assertThat(csv.key()).isEqualTo("north");
    assertThat(csv.label()).isEqualTo("ham");
    assertThat(((Row.Texts) csv.values()).columns()).containsEntry("a", "1,5");
    AvmRow libsvm = LibsvmLine.row("-1 3:0.5 10:2");
    assertThat(libsvm.label()).isEqualTo(-1.0);
    assertThat(((Row.Indexed) libsvm.values()).features().get(9)).isEqualTo(2);
  }

  /** The learner of the example in docs/flink.md. */
  @Test
  void aDeclaredBinaryTaskLearnsYesAndNo() throws Exception {
    List<String> rows = new ArrayList<>(List.of("shop,a,sold"));
    for (int i = 0; i < 1000; i++) {
      rows.add("north,%d,%s".formatted(i % 10, i % 10 > 4 ? "yes" : "no"));
    }
    Path in = Files.write(folder.resolve("rows.csv"), rows);
    String arguments =
        "learn --in %s --out %s --dead-letters %s --key shop --label sold --parallelism 1"
            .formatted(in, folder.resolve("out"), folder.resolve("dead"));
    String learner = " --task binary --gamma 1 --delta 0.01 --max-size 50";
    assertThat(FlinkMain.execute((arguments + learner).split(" "))).isZero();
    List<String> answers = lines(folder.resolve("out"));
    assertThat(answers).hasSize(1000);
    assertThat(answers)
        .filteredOn(line -> version(line) >= 500)
        .isNotEmpty()
        .allMatch(line -> line.contains("\"label\":\"yes\"") == line.contains("\"truth\":\"yes\""));
    assertThat(lines(folder.resolve("dead"))).isEmpty();
  }

  /** Answers of a slow machine are spread over several files, whose names tell nothing. */
  private static int version(String answer) {
    return Integer.parseInt(answer.replaceAll(".*\"version\":\"(\\d+)\".*", "$1"));
  }

  @Test
  void idsOfAllFormsMeet() {
    for (String id : new String[] {"677", "677.0", "\"677\"", "6.77e2"}) {
      String line = "{\"shop\":1,\"a\":1,\"label\":1,\"id\":" + id + "}";
      assertThat(JSON.row(line).id()).isEqualTo("677");
      assertThat(JSON.lateLabel(line).id()).isEqualTo("677");
    }
    String large = "{\"shop\":1,\"a\":1,\"id\":12345678901234567890}";
    assertThat(JSON.row(large).id()).isEqualTo("12345678901234567890");
    RowFormat csv =
        new RowFormat(RowFormat.Form.CSV, List.of("id", "a"), null, "label", "id", "weight");
    assertThat(csv.row("677,1").id()).isEqualTo("677");
    assertThat(csv.row("677.0,1").id()).isEqualTo("677");
    assertThat(csv.row("007,1").id()).isEqualTo("007");
    assertThat(csv.row(",1").id()).isNull();
  }

  @Test
  void aRecordOfCsvWhoseQuotesDoNotMatchIsMalformed() {
    assertThat(CSV.row("north,1,\"yes\"")).isEqualTo(CSV.row("north,1,yes"));
    for (String broken : List.of("north,1,\"yes", "north,1,\"yes\"no", "north,\"1,yes")) {
      assertThatThrownBy(() -> CSV.row(broken)).as(broken).hasMessageContaining("malformed CSV");
    }
  }

  @Test
  void theHeaderOfAFileMayBeQuotedMarkedOrPacked() throws IOException {
    String text = "\n\"shop\", a ,\"label\"\r\nnorth,1,yes\r\n";
    byte[] packed = packed(text);
    assertThat(rows(Files.writeString(folder.resolve("a.csv"), text))).hasSize(1);
    assertThat(rows(Files.writeString(folder.resolve("b.csv"), "\ufeff" + text.strip())))
        .hasSize(1);
    List<AvmRow> rows = rows(Files.write(folder.resolve("c.csv.gz"), packed));
    assertThat(rows).containsExactly(CSV.row("north,1,yes"));
    Path twice = Files.writeString(folder.resolve("d.csv"), "shop,a,a,label\n");
    assertThatThrownBy(() -> rows(twice)).hasMessageContaining("a unique name, found [shop, a, a");
  }

  @Test
  void aDamagedPackedFileEndsTheCommandBeforeItBegins() throws IOException {
    byte[] packed = packed("shop,a,label\nnorth,1,yes\n");
    byte[] method = packed.clone();
    method[2] = 9;
    String model = folder.resolve("m.avm").toString();
    Map<String, byte[]> files =
        Map.of(
            "none.csv.gz",
            new byte[0],
            "magic.csv.gz",
            "shop,a,label\nnorth,1,yes\n".getBytes(StandardCharsets.UTF_8),
            "method.json.gz",
            method,
            "cut.csv.gz",
            Arrays.copyOf(packed, 20));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      String in = Files.write(folder.resolve(file.getKey()), file.getValue()).toString();
      for (String words : List.of("learn --in " + in, "batch --in " + in + " --model " + model)) {
        StringWriter told = new StringWriter();
        int code = FlinkMain.commandLine().setErr(new PrintWriter(told)).execute(words.split(" "));
        assertThat(code).as(words + ": " + told).isEqualTo(65);
        assertThat(told.toString())
            .startsWith("avm: " + in + ": damaged or truncated GZIP data: ")
            .hasLineCount(1);
      }
    }
  }

  private static byte[] packed(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  /** The rows of a file; the lines that are none are left out. */
  private static List<AvmRow> rows(Path file) throws IOException {
    Endpoints ends = new Endpoints();
    ends.in = file.toString();
    ends.key = "shop";
    ends.label = "label";
    ends.id = "id";
    ends.weight = "weight";
    RowFormat format = ends.rowFormat();
    try (BufferedReader lines = ends.reader()) {
      return lines
          .lines()
          .filter(line -> !line.isBlank())
          .map(format::row)
          .filter(Objects::nonNull)
          .toList();
    }
  }

  @Test
  void aColumnThatIsNamedAndNotThereEndsTheCommandBeforeItBegins() throws IOException {
    String in = Files.writeString(folder.resolve("e.csv"), "shop,a,sold\nn,1,yes\n").toString();
    assertThat(FlinkMain.execute("learn", "--in", in, "--key", "nokey", "--label", "sold"))
        .isEqualTo(2);
    assertThat(FlinkMain.execute("learn", "--in", in, "--key", "shop")).isEqualTo(2);
    String model = folder.resolve("m.avm").toString();
    assertThat(FlinkMain.execute("batch", "--in", in, "--model", model)).isEqualTo(2);
  }

  @Test
  void halfASurrogatePairIsMalformed() {
    for (String line :
        new String[] {
          "{\"shop\":\"\\ud800\",\"a\":1}",
          "{\"shop\":1,\"a\":\"\\ud800\"}",
          "{\"shop\":1,\"a\":1,\"label\":\"\\udc00\"}"
        }) {
      assertThatThrownBy(() -> JSON.row(line)).hasMessageContaining("half of a surrogate pair");
    }
  }

  @Test
  void onlyAnswersToFarRowsSaySo() {
    double[] none = {};
    AvmAnswer near = new AvmAnswer("s", "7", "yes", none, none, null, "3");
    AvmAnswer far = new AvmAnswer("s", "7", "yes", none, none, null, null, null, "3", true);
    String line = "{\"key\":\"s\",\"id\":\"7\",\"label\":\"yes\",\"scores\":[],\"version\":\"3\"}";
    assertThat(JsonLines.of(near)).isEqualTo(line);
    assertThat(JsonLines.of(far)).isEqualTo(line.replace(",\"version", ",\"far\":true,\"version"));
  }

  @Test
  void whatExpiresIsWritten() {
    AvmRow row = JSON.row("{\"shop\":\"s\",\"id\":7,\"a\":1}");
    assertThat(JsonLines.expired(row))
        .isEqualTo("{\"expired\":\"row\",\"key\":\"s\",\"id\":\"7\"}");
    assertThat(JsonLines.expired(JSON.lateLabel("{\"shop\":\"s\",\"id\":8,\"label\":\"yes\"}")))
        .isEqualTo("{\"expired\":\"label\",\"key\":\"s\",\"id\":\"8\",\"label\":\"yes\"}");
  }

  @Test
  void wrongFlagsAndMissingFilesAreOneSentenceAndACode() {
    assertThat(FlinkMain.execute("learn", "--in", "pom.xml", "--event-time", "1m")).isEqualTo(2);
    assertThat(FlinkMain.execute("learn", "--in", "pom.xml", "--expired", "out")).isEqualTo(2);
    String late = "learn --in pom.xml --labels pom.xml --event-time 1m";
    assertThat(FlinkMain.execute(late.split(" "))).isEqualTo(2);
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
