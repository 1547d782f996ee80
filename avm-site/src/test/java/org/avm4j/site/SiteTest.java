package org.avm4j.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path OUT = Path.of("target", "docs");
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

  @TempDir Path folder;

  @Test
  void theSiteOfThisProjectHasNoBrokenLink() throws IOException {
    assertThat(Site.read(ROOT).write(OUT)).isEmpty();
    assertThat(OUT.resolve("index.html"))
        .content()
        .contains("<nav", ">Start<", ">Commands<", "<table>");
    assertThat(OUT.resolve("docs/decisions/index.html")).exists();
    try (Stream<Path> pages = Files.walk(OUT)) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".html")).toList()) {
        checkLinks(page);
      }
    }
  }

  /** What the browser would do: every link of the page that was written leads to a file. */
  private static void checkLinks(Path page) throws IOException {
    Matcher links = LINK.matcher(Files.readString(page));
    while (links.find()) {
      String link = links.group(1).replaceFirst("#.*", "");
      if (!link.isEmpty() && !link.matches("[a-z]+:.*")) {
        Path target = page.getParent().resolve(link).normalize();
        boolean isInProject =
            Files.exists(ROOT.resolve(OUT.toAbsolutePath().relativize(target.toAbsolutePath())));
        assertThat(Files.exists(target) || isInProject).as(page + " -> " + link).isTrue();
        assertThat(link).as(page.toString()).doesNotEndWith(".md");
      }
    }
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void linksThatLeadNowhereAreTold() throws IOException {
    write(
        "README.md",
        "# One\n[a](docs/a.md) [b](docs/b.md) [c](docs/a.md#two) [d](docs/a.md#three) [e](#one)\n");
    write(
        "docs/a.md",
        "# A\n## Two\n![p](p.png) ![q](q.png) [up](../README.md#one) [web](https://example.org)\n");
    write("docs/p.png", "a picture");
    List<String> broken = Site.read(folder).write(folder.resolve("out"));
    assertThat(broken)
        .containsExactly(
            "README.md: there is no docs/b.md",
            "README.md: docs/a.md has no heading #three",
            "docs/a.md: there is no q.png");
    assertThat(folder.resolve("out/docs/p.png")).hasContent("a picture");
    assertThat(folder.resolve("out/docs/a.html")).content().contains("href=\"../index.html#one\"");
    assertThat(folder.resolve("out/index.html"))
        .content()
        .contains("href=\"docs/a.html\"", "href=\"docs/a.html#two\"", "<h1 id=\"one\">");
  }
}
