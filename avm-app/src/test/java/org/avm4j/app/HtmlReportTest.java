package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
  private static final List<String> BROWSERS =
      List.of("chromium", "chromium-browser", "google-chrome", "chrome");

  /** Tells in an attribute of the page what a reader would see. */
  private static final String LOOK =
      """
      <script>
      window.addEventListener("load", () => {
        const luminance = colour => {
          const parts = colour.match(/[0-9.]+/g).slice(0, 3).map(v => v / 255)
            .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
          return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
        };
        const paper = luminance(getComputedStyle(document.body).backgroundColor);
        const contrast = colour => {
          const ink = luminance(colour);
          return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
        };
        const words = [...document.querySelectorAll("h1, h2, p, th, td")].map(e => getComputedStyle(e).color);
        const drawn = [...document.querySelectorAll("svg text")].map(e => getComputedStyle(e).fill);
        const lines = [...document.querySelectorAll("svg polyline")];
        const dashes = lines.map(e => getComputedStyle(e).strokeDasharray + getComputedStyle(e).strokeWidth);
        document.body.dataset.look = JSON.stringify({
          drawings: document.querySelectorAll("svg").length,
          seen: [...document.querySelectorAll("svg")].filter(e => e.getBoundingClientRect().height > 50).length,
          lines: lines.length,
          dashes: new Set(dashes.slice(0, 4)).size,
          dark: paper < 0.5,
          contrast: Math.min(...words.concat(drawn).map(contrast)) >= 4.5,
          fits: document.documentElement.scrollWidth <= window.innerWidth
        }).replaceAll('"', "'");
      });
      </script>
      </body>
      """;

  private static final String PHONE =
      """
      <script>
      window.addEventListener("load", () => {
        const page = document.querySelector("iframe").contentDocument;
        const all = selector => [...page.querySelectorAll(selector)];
        document.body.dataset.look = JSON.stringify({
          fits: page.documentElement.scrollWidth <= 390,
          cut: all("table.bars td, table.rows td").filter(e => e.getBoundingClientRect().right > 390).length,
          margins: all("table.bars .margin").filter(e => e.getBoundingClientRect().width > 0).length,
          small: all("svg text").filter(e => e.getBoundingClientRect().height < 8).length
        }).replaceAll('"', "'").slice(1, -1);
      });
      </script>
      """;

  @TempDir static Path folder;
  private static String page;
  private static String evaluation;

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
        .contains("Along the stream", "majority class", "no change", "drifts that were found")
        .contains("What was taken for what", "Are the probabilities right?")
        .contains("What automatic mode chose, and why", "mean loss")
        .contains("Which columns matter", "The largest core points");
    assertThat(evaluation)
        .contains("What was taken for what", "Which columns matter", "The largest core points")
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
    String browser = browser();
    assumeThat(browser).as("a browser on the PATH").isNotNull();
    Path looked = folder.resolve("look.html");
    Files.writeString(looked, page.replace("</body>", LOOK));
    assertThat(look(browser, looked, List.of()))
        .contains(
            "'drawings':3,'seen':3,'lines':5,'dashes':4,'dark':false,'contrast':true,'fits':true");
    Files.writeString(
        looked,
        page.replace("prefers-color-scheme: dark", "min-width: 0").replace("</body>", LOOK));
    assertThat(look(browser, looked, List.of("--window-size=420,900")))
        .contains("'dark':true,'contrast':true,'fits':true");
  }

  /** On a phone nothing is cut: no row of a table is wider than the page, and words stay large. */
  @Test
  void aPhoneShowsAllOfIt() throws Exception {
    String browser = browser();
    assumeThat(browser).as("a browser on the PATH").isNotNull();
    Path phone = folder.resolve("phone.html");
    Files.writeString(
        phone,
        "<!DOCTYPE html><body><iframe style=\"border:0;width:390px;height:900px\" srcdoc=\""
            + page.replace("&", "&amp;").replace("\"", "&quot;")
            + "\"></iframe>"
            + PHONE
            + "</body>");
    assertThat(look(browser, phone, List.of()))
        .isEqualTo("'fits':true,'cut':0,'margins':4,'small':0");
  }

  private static String look(String browser, Path file, List<String> more) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                browser,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + folder.resolve("profile"),
                "--dump-dom"));
    words.addAll(more);
    words.add(file.toUri().toString());
    Path dom = folder.resolve("dom");
    Process process =
        new ProcessBuilder(words)
            .redirectOutput(dom.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    String text = Files.readString(dom, StandardCharsets.UTF_8);
    return text.replaceAll("(?s).*data-look=\"([^\"]*)\".*", "$1");
  }

  private static String browser() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(java.io.File.pathSeparator))
        .flatMap(place -> BROWSERS.stream().map(name -> Path.of(place, name)))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst()
        .orElse(null);
  }
}
