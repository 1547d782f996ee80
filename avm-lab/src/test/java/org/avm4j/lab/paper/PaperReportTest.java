package org.avm4j.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole way from data to report, on data that is small. */
@Tag("slow")
class PaperReportTest {
  private static final List<String> BROWSERS =
      List.of("chromium", "chromium-browser", "google-chrome", "chrome");

  /** Tells in an attribute of the page what a reader would see. */
  private static final String LOOK =
      """
      <script>
      window.addEventListener("load", () => {
        const images = [...document.images];
        const isFull = one => [...one.querySelectorAll("th")].some(th => th.textContent === "here");
        const table = [...document.querySelectorAll("table.sortable")].find(isFull);
        const column = n => [...table.tBodies[0].rows].map(row => parseFloat(row.cells[n].textContent));
        const ascends = list => list.every((x, i) => i === 0 || Number.isNaN(x) || list[i - 1] <= x);
        const head = [...table.querySelectorAll("th")].findIndex(th => th.textContent === "here");
        const button = table.querySelectorAll("th button")[head];
        const before = column(head);
        button.click();
        const up = column(head);
        button.click();
        const down = column(head).filter(x => !Number.isNaN(x));
        document.body.dataset.look = JSON.stringify({
          images: images.length,
          loaded: images.filter(image => image.complete && image.naturalWidth > 100).length,
          wasSorted: ascends(before),
          sortedUp: ascends(up),
          sortedDown: ascends(down.reverse()),
          fits: document.documentElement.scrollWidth <= window.innerWidth
        }).replaceAll('"', "'");
      });
      </script>
      </body>
      """;

  @TempDir static Path folder;
  private static Path out;

  @BeforeAll
  static void make() throws Exception {
    Tiny.write(folder);
    out = folder.resolve("out");
    DataFolder data = new DataFolder(folder);
    Results results = new Results(out);
    Plan plan =
        Plan.of(
            new Plan.Request(Arrays.asList(Study.values()), List.of(), List.of()),
            new Plan.Rules(2, 2, 1e9, 1e9),
            Tiny.catalogue(),
            Tiny.settings(),
            data);
    assertThat(new Laboratory(plan, data, results, (e, o) -> {}).run(2)).isTrue();
    new PaperReport(Tiny.catalogue(), Tiny.settings(), results, data, out).write();
  }

  @Test
  void everyTableIsThereWithThePapersNumbersBesideOurs() throws IOException {
    String page = Files.readString(out.resolve("README.md"));
    assertThat(page)
        .contains("## Online classification", "## Batch classification", "## Online regression")
        .contains("### a board", "| AVM-Hinge | 17.46 ± 0.12 | ", "| LIBSVM | 84.92 | ")
        .contains("| **AVM-Newton** | – | ");
    assertThat(out.resolve("online-board.csv")).content().startsWith("method,paper: mistake rate");
  }

  @Test
  void everyFigureIsAPictureWithItsNumbersBesideIt() throws IOException {
    assumeTrue(Chart.canDraw(), "this machine has no font to draw with");
    List<Path> pictures = pictures();
    assertThat(pictures)
        .extracting(file -> file.getFileName().toString())
        .contains(
            "online-board-error.png",
            "online-board-time.png",
            "online-board-error-time.png",
            "regression-hills-error.png",
            "hyperparameters-board-delta.png",
            "hyperparameters-board-beta-rho.png",
            "budget-board-error.png",
            "coverage-board-plane.png",
            "coverage-board-space.png");
    for (Path picture : pictures) {
      BufferedImage image = ImageIO.read(picture.toFile());
      assertThat(image.getWidth()).isGreaterThan(300);
      Path csv = out.resolve(picture.getFileName().toString().replace(".png", ".csv"));
      assertThat(Files.readAllLines(csv)).hasSizeGreaterThan(2);
    }
  }

  private static List<Path> pictures() throws IOException {
    try (Stream<Path> files = Files.list(out)) {
      return files.filter(file -> file.toString().endsWith(".png")).sorted().toList();
    }
  }

  @Test
  void eachStudyIsShownAtAGlance() throws IOException {
    List<String> lines = Files.readAllLines(out.resolve("online.csv"));
    assertThat(lines.get(0)).startsWith("data,paper: others,here: others without bound,");
    assertThat(lines.get(0)).endsWith("paper: AVM,here: AVM,AVM-Newton,AVM-tree,AVM-auto");
    String[] cells = lines.get(1).split(",");
    assertThat(cells[0]).isEqualTo("board");
    assertThat(cells[5]).matches("\\d+\\.\\d\\d AVM-(Hinge|Logit)");
  }

  @Test
  void theReportNeedsNothingElse() throws IOException {
    String html = Files.readString(out.resolve("report.html"));
    assertThat(html).doesNotContain("http://", "https://", "{{", "src=\"/", "@import");
    assertThat(html).contains("<table class=\"sortable\">", "<strong>AVM-Newton</strong>");
  }

  @Test
  void theReportWorksInABrowser() throws Exception {
    assumeTrue(Chart.canDraw(), "this machine has no font to draw with");
    String browser = browser();
    assumeTrue(browser != null, "no browser of " + BROWSERS + " is installed");
    for (String window : List.of("1200,900", "390,844")) {
      look(browser, window);
    }
  }

  private static void look(String browser, String window) throws Exception {
    Path page = out.resolve("look.html");
    String html = Files.readString(out.resolve("report.html"));
    Files.writeString(page, html.replace("</body>", LOOK));
    Path dom = folder.resolve("dom.html");
    Path log = folder.resolve("log.txt");
    Process process =
        new ProcessBuilder(
                browser,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--user-data-dir=" + folder.resolve("profile"),
                "--window-size=" + window,
                "--enable-logging=stderr",
                "--virtual-time-budget=5000",
                "--dump-dom",
                page.toUri().toString())
            .redirectOutput(dom.toFile())
            .redirectError(log.toFile())
            .start();
    boolean ended = process.waitFor(120, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).isTrue();
    assertThat(Files.readString(log)).doesNotContain("CONSOLE");
    int count = pictures().size();
    assertThat(Files.readString(dom))
        .contains("'images':" + count + ",'loaded':" + count)
        .contains("'wasSorted':false,'sortedUp':true,'sortedDown':true,'fits':true");
  }

  private static String browser() {
    for (String name : BROWSERS) {
      for (String place : System.getenv("PATH").split(":")) {
        if (Files.isExecutable(Path.of(place, name))) {
          return name;
        }
      }
    }
    return null;
  }
}
