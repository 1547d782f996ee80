package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.avm4j.ClusterSummary;
import org.avm4j.ClusterSummary.ClusterEvent;
import org.avm4j.lab.paper.RunFigure;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters of a stream on the command line. */
class ClusterCommandTest {
  private static final int ROWS = 1500;

  @TempDir Path folder;

  /** Three clouds of rows, in turn. */
  @BeforeEach
  void makeRows() throws IOException {
    SplitMix random = new SplitMix(7);
    StringBuilder plain = new StringBuilder("x,y\n");
    StringBuilder labelled = new StringBuilder("x,y,cloud\n");
    for (int i = 0; i < ROWS; i++) {
      double x = random.getAsDouble() + random.getAsDouble() + 5 * (i % 3);
      double y = random.getAsDouble() + random.getAsDouble();
      String row = String.format(Locale.ROOT, "%.4f,%.4f", x, y);
      plain.append(row).append('\n');
      labelled.append(row).append(",cloud").append(i % 3).append('\n');
    }
    Files.writeString(folder.resolve("plain.csv"), plain);
    Files.writeString(folder.resolve("labelled.csv"), labelled);
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private static Shell.Result succeeds(String... arguments) {
    Shell.Result result = Shell.run(arguments);
    assertThat(result.code()).as(String.join(" ", arguments) + "\n" + result.err()).isZero();
    return result;
  }

  @Test
  void labelsAreOnlyComparedWith() {
    Shell.Result online =
        succeeds(
            "online",
            path("labelled.csv"),
            "--label",
            "cloud",
            "--task",
            "cluster",
            "-m",
            path("m.avm"));
    assertThat(online.out()).contains("ari ", "nmi ", "purity ", "clusters    3, with sizes");
    assertThat(online.out())
        .containsPattern("at the end +ari (1\\.0|0\\.9[5-9])\\d+, nmi .*1,500 rows");
    Shell.Result evaluated = succeeds("evaluate", path("labelled.csv"), "-m", path("m.avm"));
    double ari =
        evaluated
            .out()
            .lines()
            .filter(line -> line.startsWith("ari "))
            .mapToDouble(line -> Double.parseDouble(line.substring(4).trim()))
            .findFirst()
            .orElseThrow();
    assertThat(ari).isGreaterThan(0.95);
    Shell.Result inspected = succeeds("inspect", path("m.avm"));
    assertThat(inspected.out().lines().filter(line -> line.matches("cluster \\d+ .*"))).hasSize(3);
  }

  @Test
  void theLastFeatureIsNotTakenAsTheLabel() throws IOException {
    String[] first = {"online", path("plain.csv"), "--task", "cluster", "-m", path("a.avm")};
    Shell.Result guessed = succeeds(first);
    assertThat(guessed.err()).contains("no column is used as the label");
    assertThat(guessed.out()).contains("clusters    3, with sizes").doesNotContain("ari ");
    Shell.Result told =
        succeeds(
            "online", path("plain.csv"), "--task", "cluster", "--no-label", "-m", path("b.avm"));
    assertThat(guessed.out().lines().filter(line -> line.startsWith("clusters")).toList())
        .isEqualTo(told.out().lines().filter(line -> line.startsWith("clusters")).toList());
    succeeds("predict", path("plain.csv"), "-m", path("a.avm"), "-o", path("a.txt"));
    succeeds("predict", path("plain.csv"), "--no-label", "-m", path("b.avm"), "-o", path("b.txt"));
    assertThat(folder.resolve("a.txt")).hasSameTextualContentAs(folder.resolve("b.txt"));
  }

  @Test
  void rowsWithoutAHeaderHaveNoLabelEither() throws IOException {
    List<String> rows = Files.readAllLines(folder.resolve("plain.csv"));
    Files.write(folder.resolve("nameless.csv"), rows.subList(1, rows.size()));
    Shell.Result online =
        succeeds("online", path("nameless.csv"), "--task", "cluster", "-m", path("m.avm"));
    assertThat(online.out()).contains("clusters    3, with sizes").doesNotContain("ari ");
    succeeds("predict", path("nameless.csv"), "-m", path("m.avm"), "-o", path("o.txt"));
    assertThat(Files.readAllLines(folder.resolve("o.txt"))).hasSize(ROWS);
    Shell.Result anomalies = succeeds("online", path("nameless.csv"), "--task", "anomaly");
    assertThat(anomalies.err()).contains("no column is used as the label");
  }

  @Test
  void aColumnCalledClassIsTheLabelOfTasksWithoutOne() throws IOException {
    String rows = Files.readString(folder.resolve("labelled.csv"));
    Files.writeString(folder.resolve("class.csv"), rows.replaceFirst("cloud", "Class"));
    Shell.Result online = succeeds("online", path("class.csv"), "--task", "cluster");
    assertThat(online.err()).contains("column 'Class' is used as the label");
    assertThat(online.out()).contains("clusters    3, with sizes", "ari ");
  }

  @Test
  void theLastNominalAttributeOfArffIsTheLabelAndANumberIsNot() throws IOException {
    List<String> rows = Files.readAllLines(folder.resolve("labelled.csv"));
    String head = "@relation r\n@attribute x numeric\n@attribute y numeric\n";
    String body = String.join("\n", rows.subList(1, rows.size())) + "\n";
    Files.writeString(
        folder.resolve("nominal.arff"),
        head + "@attribute cloud {cloud0,cloud1,cloud2}\n@data\n" + body);
    Files.writeString(
        folder.resolve("numbers.arff"), head + "@data\n" + body.replaceAll(",cloud\\d", ""));
    assertThat(succeeds("online", path("nominal.arff"), "--task", "cluster").out())
        .contains("clusters    3, with sizes", "ari ");
    assertThat(succeeds("online", path("numbers.arff"), "--task", "cluster").out())
        .contains("clusters    3, with sizes")
        .doesNotContain("ari ");
  }

  @Test
  void clustersAreDrawn() throws IOException {
    assumeThat(RunFigure.canDraw()).as("this machine has a font to draw with").isTrue();
    succeeds(
        "online", path("plain.csv"), "--no-label", "--task", "cluster", "--plot", path("run.png"));
    assertThat(ImageIO.read(folder.resolve("run-clusters.png").toFile()).getWidth()).isEqualTo(760);
    List<String> cells = Files.readAllLines(folder.resolve("run-clusters.png.csv"));
    assertThat(cells.get(0)).isEqualTo("series,x,y");
    assertThat(cells.stream().skip(1).map(line -> line.split(",")[0]).distinct())
        .contains("cluster 1", "cluster 2", "cluster 3");
    assertThat(cells.stream().skip(1).mapToDouble(line -> Double.parseDouble(line.split(",")[1])))
        .as("cells stand in the units of the data")
        .allMatch(x -> x > -1 && x < 13)
        .anyMatch(x -> x > 10);
  }

  @Test
  void theReportTellsEventsWithTheirRows() throws IOException {
    Shell.Result online =
        succeeds(
            "online",
            path("plain.csv"),
            "--no-label",
            "--task",
            "cluster",
            "--html",
            path("run.html"));
    assertThat(online.out())
        .containsPattern("events +\\d+")
        .contains("at row 32 ", "cluster 1 born");
    String page = Files.readString(folder.resolve("run.html"));
    assertThat(page)
        .contains("<h2>Clusters</h2>", "<h2>Events</h2>", "aria-label=\"3 clusters\"")
        .contains("class=\"cluster2\"", ">row</th>", "<td>32</td><td>cluster 1 born</td>")
        .doesNotContain("Along the stream")
        .containsPattern("class=\"middle name\">\\d+</text>");
  }

  @Test
  void manyEventsAreCountedAndTheLastTenTold() {
    List<ClusterEvent> events =
        IntStream.rangeClosed(1, 30)
            .mapToObj(i -> new ClusterEvent(ClusterEvent.Kind.BORN, 100 * i, i, -1))
            .toList();
    var rows = ClusterText.rows(new ClusterSummary(List.of(), 7, 1030, events));
    assertThat(rows).containsEntry("events", "1,030, the last 10; --html and --json show more");
    assertThat(rows)
        .containsEntry("at row 2,100", "cluster 21 born")
        .doesNotContainKey("at row 2,000");
  }

  @Test
  void whatNeedsLabelsIsRefused() {
    for (String task : List.of("cluster", "anomaly")) {
      Shell.Result refused =
          Shell.run("online", path("plain.csv"), "--no-label", "--task", task, "--drift");
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err()).contains("--drift needs a task that learns labels");
    }
  }

  @Test
  void rowsWithoutLabelsAreEnough() throws IOException {
    succeeds(
        "online",
        path("plain.csv"),
        "--no-label",
        "--task",
        "cluster",
        "--answers",
        path("early.txt"),
        "-m",
        path("m.avm"));
    assertThat(Files.readAllLines(folder.resolve("early.txt"))).hasSize(ROWS);
    succeeds("predict", path("plain.csv"), "--no-label", "-m", path("m.avm"), "-o", path("o.txt"));
    List<String> numbers = Files.readAllLines(folder.resolve("o.txt"));
    assertThat(numbers).hasSize(ROWS);
    for (int i = 0; i < 3; i++) {
      int cloud = i;
      TreeSet<String> found = new TreeSet<>();
      for (int row = cloud; row < ROWS; row += 3) {
        found.add(numbers.get(row));
      }
      found.remove("-1");
      assertThat(found).as("the cluster of cloud %d", cloud).hasSize(1);
    }
    assertThat(new TreeSet<>(numbers.subList(0, 3))).as("clusters of three clouds").hasSize(3);
  }
}
