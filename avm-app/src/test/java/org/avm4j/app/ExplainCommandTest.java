package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers with their reasons, and the columns that matter in reports. */
class ExplainCommandTest {
  private static final String[] COLOURS = {"red", "red", "blue", "dark, green"};

  @TempDir Path folder;
  private String data;
  private String asked;
  private String model;

  /** price = 10 size + 50 for blue; noise is noise. */
  @BeforeEach
  void write() throws IOException {
    Random random = new Random(1);
    StringBuilder rows = new StringBuilder("size,colour,noise,price\n");
    for (int i = 0; i < 400; i++) {
      double size = random.nextDouble() * 4 + 3;
      String colour = COLOURS[random.nextInt(4)];
      double price = 10 * size + (colour.equals("blue") ? 50 : 0);
      rows.append(
          String.format(
              Locale.ROOT, "%.3f,\"%s\",%.3f,%.3f%n", size, colour, random.nextDouble(), price));
    }
    data = file("data.csv", rows.toString());
    asked = file("asked.csv", "noise,colour,size\n0.5,blue,5\n0.4,\"dark, green\",6.9\n");
    model = folder.resolve("model.avm").toString();
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private String train(String... flags) {
    String[] words = {"train", data, "-m", model, "-q", "--learner=avm", "--gamma=0.2"};
    String[] all = Arrays.copyOf(words, words.length + flags.length);
    System.arraycopy(flags, 0, all, words.length, flags.length);
    return ok(all);
  }

  private static String ok(String... words) {
    Shell.Result result = Shell.run(words);
    assertThat(result.code()).as(result.err()).isZero();
    return result.out();
  }

  private static String wrong(int code, String... words) {
    Shell.Result result = Shell.run(words);
    assertThat(result.code()).isEqualTo(code);
    return result.err();
  }

  @Test
  void theColumnThatMovedTheAnswerStandsBelowIt() {
    train("--scale=standard");
    List<String> lines = ok("predict", "--explain", asked, "-m", model).lines().toList();
    assertThat(lines.get(0)).matches("-?[0-9.]+");
    assertThat(lines.get(1)).startsWith("  score ").contains("a row with typical values scores");
    assertThat(lines.get(2)).matches("  \\+[4-6][0-9.]+ +colour +blue +usually red");
    assertThat(lines).filteredOn(line -> line.startsWith("  core point at distance")).hasSize(6);
    assertThat(lines).filteredOn(line -> !line.startsWith(" ")).hasSize(2);
    assertThat(ok("predict", asked, "-m", model))
        .isEqualTo(
            String.join("\n", lines.stream().filter(line -> !line.startsWith(" ")).toList())
                + "\n");
  }

  @Test
  void soManyColumnsAsAskedFor() {
    train("--scale=standard");
    List<String> lines = ok("predict", asked, "--explain=1", "-m", model).lines().toList();
    assertThat(lines).filteredOn(line -> line.contains("usually")).hasSize(2);
  }

  @Test
  void asCsvWithQuotes() {
    train("--scale=standard");
    List<String> lines = ok("predict", asked, "--explain", "--csv", "-m", model).lines().toList();
    assertThat(lines.get(0)).isEqualTo(ExplainText.CSV_HEADER);
    assertThat(lines.get(1)).matches("1,[0-9.]+,column,1,colour,blue,red,[4-6][0-9.]+,");
    assertThat(lines)
        .anyMatch(line -> line.contains(",column,") && line.contains("\"dark, green\""));
    assertThat(lines).anyMatch(line -> line.matches("2,[0-9.]+,point,3,size,[0-9.]+,,,[0-9.]+"));
  }

  @Test
  void asJsonAnObjectALine() throws IOException {
    train("--scale=standard");
    List<String> lines =
        ok("predict", asked, "--explain=2", "--json", "-m", model).lines().toList();
    assertThat(lines).hasSize(2);
    for (String line : lines) {
      try (JsonParser parser = new JsonFactory().createParser(line)) {
        int fields = 0;
        while (parser.nextToken() != null) {
          fields += parser.currentToken() == JsonToken.FIELD_NAME ? 1 : 0;
        }
        assertThat(fields).isEqualTo(6 + 2 * 4 + 3 * (3 + 3));
      }
    }
    assertThat(lines.get(0))
        .startsWith("{\"row\":1,\"answer\":")
        .contains("\"column\":\"colour\",\"value\":\"blue\",\"usual\":\"red\"")
        .contains("\"corePoints\":[{\"distance\":")
        .contains("\"noise\":");
  }

  @Test
  void rowsWithoutNamesHaveNumberedFeatures() throws IOException {
    StringBuilder rows = new StringBuilder();
    Random random = new Random(2);
    for (int i = 0; i < 200; i++) {
      double x = random.nextGaussian();
      rows.append(x > 0 ? "1" : "-1").append(" 1:").append(random.nextDouble()).append(" 3:");
      rows.append(x).append('\n');
    }
    String plain = file("plain.libsvm", rows.toString());
    ok("train", plain, "-m", model, "-q", "--gamma=0.5", "--delta=0.2");
    String first = ok("predict", plain, "-m", model, "--explain=1").lines().toList().get(2);
    assertThat(first).matches("  \\+[0-9.]+ +x3 +[-0-9.]+ +usually [-0-9.]+");
    assertThat(ok("inspect", model)).contains("  x3  +").doesNotContain("  x1  +");
  }

  @Test
  void wrongFlagsAreToldInASentence() {
    train();
    assertThat(wrong(Failure.USAGE, "predict", asked, "-m", model, "--json"))
        .contains("--json needs --explain");
    assertThat(wrong(Failure.USAGE, "predict", asked, "-m", model, "--explain", "--csv", "--json"))
        .contains("cannot be combined");
    assertThat(wrong(Failure.USAGE, "predict", asked, "-m", model, "--explain=0"))
        .contains("--explain must be at least 1: 0");
  }

  /** A model that was imported has learned no rows. */
  @Test
  void aModelWithoutUsualValuesSaysSo() throws IOException {
    String other =
        file(
            "other.model",
            """
            svm_type epsilon_svr
            kernel_type rbf
            gamma 0.5
            nr_class 2
            total_sv 2
            rho -1
            SV
            2 1:1 2:0.5
            -1 1:0.2 2:3
            """);
    ok("import", "--libsvm", other, "-m", model);
    String rows = file("rows.libsvm", "0 1:1 2:2\n");
    Shell.Result result = Shell.run("predict", rows, "-m", model, "--explain");
    assertThat(result.err()).contains("was saved without typical values").contains("with 0");
    assertThat(result.out()).contains("usually 0");
  }

  @Test
  void trainingEndsWithTheColumnsThatMatterAndTheModelKeepsThem() {
    String report = train("--scale=standard");
    String table = report.substring(report.indexOf("columns that matter"));
    assertThat(table)
        .startsWith("columns that matter: increase of the RMSE (")
        .contains("when a column's values are permuted, over 80 rows")
        .containsPattern("(?m)^  colour  \\+")
        .doesNotContain("noise");
    assertThat(ok("inspect", model)).endsWith(table);
    assertThat(ok("inspect", model, "--json")).contains("\"importance\"").contains("\"noise\"");
    assertThat(train("--scale=standard", "--json")).contains("\"figure\" : \"rmse\"");
    assertThat(train("--scale=standard", "--freeze")).contains("columns that matter");
    assertThat(ok("inspect", model)).endsWith(table);
  }

  @Test
  void evaluationAndPagesTellTheColumnsThatMatter() throws IOException {
    String page = folder.resolve("page.html").toString();
    train("--scale=standard", "--html=" + page);
    assertThat(Files.readString(Path.of(page))).contains("Which columns matter").contains("colour");
    String report = ok("evaluate", data, "-m", model, "--html=" + page);
    assertThat(report).contains("permuted, over 400 rows").containsPattern("(?m)^  colour +\\+");
    assertThat(ok("evaluate", data, "-m", model, "--json")).contains("\"standardError\"");
    assertThat(Files.readString(Path.of(page)))
        .contains("Which columns matter")
        .contains("400 rows");
  }
}
