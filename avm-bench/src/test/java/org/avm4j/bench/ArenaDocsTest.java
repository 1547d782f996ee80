package org.avm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What docs say of the arena is what the committed results say. */
class ArenaDocsTest {
  private static final Path DOCS = Path.of("..", "docs", "research");

  /** The limit of rows of the published tables. */
  private static final int ROWS = 20_000;

  @Test
  void everyFigureOfThePageIsInTheResults() throws Exception {
    ArenaReport report =
        new ArenaReport(ResultFile.read(DOCS.resolve("arena/results.csv")).values(), ROWS);
    for (Path file : ArenaReport.pages(DOCS)) {
      assertThat(report.renewed(Files.readString(file))).isEqualTo(Files.readString(file));
    }
    String page = Files.readString(DOCS.resolve("arena.md"));
    String words =
        page.replaceAll("(?s)<!-- arena:.*?<!-- /arena -->", "").replaceAll("`[^`]*`", "");
    assertThat(words)
        .as("figures stand in the tables alone")
        .doesNotContainPattern("[0-9]\\.[0-9]");
  }

  @Test
  void picturesAndPageAreThoseOfTheResults() throws Exception {
    ArenaReport report =
        new ArenaReport(ResultFile.read(DOCS.resolve("arena/results.csv")).values(), ROWS);
    report
        .files()
        .forEach((name, text) -> assertThat(DOCS.resolve("arena/" + name)).hasContent(text));
  }
}
