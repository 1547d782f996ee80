package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.avm4j.lab.paper.RunFigure;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page and the pictures of a stream of numbers that say how sure they are. */
class StreamPageTest {
  private static final int ROWS = 2000;
  private static final int CHANGE = 1000;

  @TempDir static Path folder;
  private static List<String> lines;
  private static String page;

  /** A price depends on the size, and from the middle on age takes its place. */
  @BeforeAll
  static void make() throws IOException {
    lines = new ArrayList<>(List.of("size,age,town,price"));
    SplitMix random = new SplitMix(5);
    for (int t = 0; t < ROWS; t++) {
      double size = 50 + 100 * random.getAsDouble();
      double age = 100 * random.getAsDouble();
      String town = List.of("Aix", "Bonn", "Cork").get(random.nextInt(3));
      double price = 300 + 2 * (t < CHANGE ? size : age) + 20 * random.getAsDouble();
      lines.add(String.format(Locale.ROOT, "%.3f,%.2f,%s,%.3f", size, age, town, price));
    }
    Files.write(folder.resolve("data.csv"), lines);
    assertThat(online("whole", "--interval=90").code()).isZero();
    page = Files.readString(folder.resolve("whole.html"));
  }

  private static Shell.Result online(String name, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "online",
                folder.resolve("data.csv").toString(),
                "-q",
                "--label=price",
                "--scale=standard",
                "--gamma=0.1",
                "--delta=0.5",
                "--update=newton",
                "--forget=300",
                "--max-size=60",
                "--at-limit=merge",
                "--html",
                folder.resolve(name + ".html").toString(),
                "-m",
                folder.resolve(name + ".avm").toString()));
    words.addAll(List.of(more));
    return Shell.run(words.toArray(String[]::new));
  }

  private static String part(String heading) {
    int from = page.indexOf("<h2>" + heading);
    assertThat(from).as(heading).isPositive();
    int end = page.indexOf("<h2>", from + 4);
    return page.substring(from, end < 0 ? page.length() : end);
  }

  /** The cells of a column in the map, the first part of the stream first. */
  private static List<String> cells(String column) {
    String row = part("Which columns mattered when").split(">" + column + "</text>", 2)[1];
    List<String> cells = new ArrayList<>();
    Matcher cell = Pattern.compile("class=\"heat\"[^>]*>\\s*<text[^>]*>([^<]*)<").matcher(row);
    while (cells.size() < 10 && cell.find()) {
      cells.add(cell.group(1));
    }
    return cells;
  }

  @Test
  void theMapTellsWhichColumnMatteredWhen() {
    assertThat(cells("size").subList(1, 5)).allMatch(cell -> Double.parseDouble(cell) > 20);
    assertThat(cells("size").subList(8, 10)).allMatch(cell -> cell.equals("·") || small(cell));
    assertThat(cells("age").subList(1, 5)).allMatch(cell -> cell.equals("·") || small(cell));
    assertThat(cells("age").subList(8, 10)).allMatch(cell -> Double.parseDouble(cell) > 20);
    assertThat(part("Which columns mattered when")).contains(">200<", ">2,000<", "RMSE");
  }

  private static boolean small(String cell) {
    return Double.parseDouble(cell) < 10;
  }

  @Test
  void theBandHoldsTheLabelsAsOftenAsItSays() {
    String band = part("How sure are the latest answers?");
    int covered = band.split("class=\"covered\"").length - 2;
    int missed = band.split("class=\"missed\"").length - 2;
    assertThat(covered + missed).as("a dot for each label").isEqualTo(200);
    assertThat(missed).isBetween(8, 35);
    assertThat(band)
        .contains("<polygon", missed + " of the 200 labels lie outside", "about 20 are");
  }

  /** A tenth of the labels is outside; the ends in the CSV are those behind the answers. */
  @Test
  void thePictureHasTheSameBand() throws IOException {
    assumeThat(RunFigure.canDraw()).as("this machine has a font to draw with").isTrue();
    Path plot = folder.resolve("run.png");
    Path answers = folder.resolve("answers");
    String[] more = {"--interval=90", "--plot", plot.toString(), "--answers", answers.toString()};
    assertThat(online("plot", more).code()).isZero();
    assertThat(ImageIO.read(folder.resolve("run-band.png").toFile()).getWidth()).isEqualTo(900);
    List<String> numbers = Files.readAllLines(folder.resolve("run-band.png.csv"));
    assertThat(numbers).hasSize(1 + 4 * 200);
    String[] last = Files.readAllLines(answers).get(ROWS - 1).split(" ");
    assertThat(number(numbers, "answer")).isEqualTo(rounded(last[0]));
    assertThat(number(numbers, "interval low")).isEqualTo(rounded(last[1]));
    assertThat(number(numbers, "interval high")).isEqualTo(rounded(last[2]));
  }

  private static double number(List<String> numbers, String series) {
    String start = series + "," + ROWS + ",";
    return numbers.stream()
        .filter(line -> line.startsWith(start))
        .mapToDouble(line -> rounded(line.substring(start.length())))
        .findFirst()
        .orElseThrow();
  }

  private static double rounded(String number) {
    return Math.rint(100 * Double.parseDouble(number)) / 100;
  }

  @Test
  void aRunThatStoppedShowsTheSame() throws IOException {
    String[] resumed = {
      "--interval=90",
      "--checkpoint",
      folder.resolve("cp").toString(),
      "--checkpoint-every=170",
      "--resume"
    };
    try {
      for (int stop : new int[] {350, 1750, 1950}) {
        List<String> some = new ArrayList<>(lines.subList(0, stop));
        some.add("1,2,Aix,3,4,5");
        Files.write(folder.resolve("data.csv"), some);
        assertThat(online("parts", resumed).code()).isEqualTo(Failure.BAD_DATA);
      }
    } finally {
      Files.write(folder.resolve("data.csv"), lines);
    }
    assertThat(online("parts", resumed).code()).isZero();
    String parts = Files.readString(folder.resolve("parts.html"));
    for (String heading : List.of("How sure are the latest", "Which columns mattered when")) {
      assertThat(parts).contains(part(heading));
    }
    assertThat(folder.resolve("parts.avm")).hasSameBinaryContentAs(folder.resolve("whole.avm"));
  }

  @Test
  void anEvaluationHasTheBandToo() throws IOException {
    Path html = folder.resolve("evaluation.html");
    String data = folder.resolve("data.csv").toString();
    String model = folder.resolve("whole.avm").toString();
    Shell.Result result = Shell.run("evaluate", data, "-m", model, "--html", html.toString(), "-q");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(html).content().contains("How sure are the latest answers?", "<polygon");
  }

  @Test
  void withoutIntervalsThereIsNoBand() throws IOException {
    assertThat(online("plain").code()).isZero();
    assertThat(folder.resolve("plain.html"))
        .content()
        .contains("Which columns mattered when")
        .doesNotContain("How sure are the latest answers?", "<polygon");
  }

  @Test
  void aBrowserShowsItInLightAndDarkAndOnAPhone() throws Exception {
    PageLook look = new PageLook(folder, page);
    assertThat(look.wide())
        .contains("'drawings':5,'seen':5")
        .contains("'dark':false,'broken':0,'contrast':true,'fits':true");
    assertThat(look.dark()).contains("'dark':true,'broken':0,'contrast':true,'fits':true");
    assertThat(look.phone()).startsWith("'fits':true,'cut':0").endsWith("'small':0,'broken':0");
  }
}
