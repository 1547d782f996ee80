package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
  @TempDir static Path folder;
  private static String page;
  private static String evaluation;
  private static String training;

  /** Of four columns age and height decide, together; the names must not be taken for HTML. */
  @BeforeAll
  static void make() throws IOException {
    SplitMix random = new SplitMix(2);
    StringBuilder table = new StringBuilder("age,height,city,\"a<b\",class\n");
    for (int i = 0; i < 1500; i++) {
      double age = 18 + random.nextInt(60);
      double height = 150 + random.nextInt(50);
      String city = List.of("Paris", "Rome", "Oslo").get(random.nextInt(3));
      boolean isUp = (age - 48) * (height - 175) > 0 != (i >= 1000);
      table.append(age + "," + height + "," + city + "," + random.nextInt(9) + ",");
      table.append(isUp ? "<up>" : "down").append('\n');
    }
    Path data = Files.writeString(folder.resolve("people.csv"), table);
    run(
        "online",
        data,
        "--probability",
        "--forget=auto",
        "--max-size=60",
        "--html",
        "page.html",
        "-m",
        "m.avm");
    run("evaluate", data, "-m", "m.avm", "--html", "evaluation.html");
    run("train", data, "--gamma=0.01", "--scale=none", "--html", "training.html", "-m", "t.avm");
    training = Files.readString(folder.resolve("training.html"));
    page = Files.readString(folder.resolve("page.html"));
    evaluation = Files.readString(folder.resolve("evaluation.html"));
  }

  private static void run(String command, Path data, String... more) {
    List<String> words = new ArrayList<>(List.of(command, data.toString(), "-q"));
    for (String word : more) {
      words.add(word.matches(".*\\.(html|avm)") ? folder.resolve(word).toString() : word);
    }
    Shell.Result result = Shell.run(words.toArray(String[]::new));
    assertThat(result.code()).as(result.err()).isZero();
  }

  @Test
  void thePageOfARunHasAllParts() {
    assertThat(page)
        .contains("Along the stream", "majority class", "no change", "lines mark drifts")
        .contains("Confusion matrix", "Are the probabilities right?")
        .contains("What automatic mode chose, and why", "mean loss")
        .contains(
            "Which columns mattered when", "Which columns matter<", "The largest core points");
    assertThat(evaluation)
        .contains("Confusion matrix", "Which columns matter", "The largest core points")
        .doesNotContain("Along the stream");
  }

  @Test
  void thePageNeedsNothingElseAndIsWellFormed() {
    assertThat(page).doesNotContainPattern("(src|href)=|https?://|@import|url\\(");
    assertThat(page).contains("&lt;up&gt;", "a&lt;b").doesNotContain("<up>", "NaN", "null");
  }

  @Test
  void corePointsAreInTheUnitsOfTheData() {
    List<Double> ages = new ArrayList<>();
    var found = java.util.regex.Pattern.compile("<td>age ([-0-9.e+]+), height").matcher(page);
    while (found.find()) {
      ages.add(Double.parseDouble(found.group(1)));
    }
    assertThat(ages).isNotEmpty().allMatch(age -> age > 17 && age < 79);
  }

  @Test
  void theColumnsThatDecideComeFirst() {
    String bars = page.substring(page.indexOf("Which columns matter<"));
    int city = bars.indexOf(">city<");
    assertThat(bars.indexOf(">age<")).isBetween(0, city);
    assertThat(bars.indexOf(">height<")).isBetween(0, city);
  }

  @Test
  void aBrowserShowsItInLightAndDark() throws Exception {
    PageLook look = new PageLook(folder, page);
    assertThat(look.wide())
        .contains(
            "'drawings':4,'seen':4,'lines':5,'dashes':4,'dark':false,'broken':0,'contrast':true,'fits':true");
    assertThat(look.dark()).contains("'dark':true,'broken':0,'contrast':true,'fits':true");
  }

  @Test
  void aBrowserShowsThePagesOfTrainAndEvaluate() throws Exception {
    for (String other : List.of(training, evaluation)) {
      PageLook look = new PageLook(folder, other);
      assertThat(look.wide()).contains("'dark':false,'broken':0,'contrast':true,'fits':true");
      assertThat(look.phone()).startsWith("'fits':true,'cut':0,").endsWith("'small':0,'broken':0");
    }
  }

  /** On a phone nothing is cut: no row of a table is wider than the page, and words stay large. */
  @Test
  void aPhoneShowsAllOfIt() throws Exception {
    assertThat(new PageLook(folder, page).phone())
        .isEqualTo("'fits':true,'cut':0,'margins':4,'small':0,'broken':0");
  }
}
