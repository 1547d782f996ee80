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

/** What a reader of a page would see in a browser. */
final class PageLook {
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
          broken: [...document.querySelectorAll("table.rows th")].filter(e => {
            const words = document.createRange();
            words.selectNodeContents(e);
            return !e.textContent.includes(" ") && words.getClientRects().length > 1;
          }).length,
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
          small: all("svg text").filter(e => e.getBoundingClientRect().height < 8).length,
          broken: all("table:not(.rows):not(.bars) td").filter(e => {
            const words = page.createRange();
            words.selectNodeContents(e);
            return !/[ -]/.test(e.textContent) && words.getClientRects().length > 1;
          }).length
        }).replaceAll('"', "'").slice(1, -1);
      });
      </script>
      """;

  private final Path folder;
  private final String page;
  private final String browser;

  /** A look at a page, in a folder for what the browser needs; skips the test without a browser. */
  PageLook(Path folder, String page) {
    this.folder = folder;
    this.page = page;
    browser = browser();
    assumeThat(browser).as("a browser on the PATH").isNotNull();
  }

  /** What a wide light window shows. */
  String wide() throws IOException, InterruptedException {
    return look(page.replace("</body>", LOOK), List.of("--window-size=1000,900"));
  }

  /** What a narrow dark window shows. */
  String dark() throws IOException, InterruptedException {
    String dark = page.replace("prefers-color-scheme: dark", "min-width: 0");
    return look(dark.replace("</body>", LOOK), List.of("--window-size=420,900"));
  }

  /** Whether a phone of 390 pixels cuts anything, or breaks words in tables. */
  String phone() throws IOException, InterruptedException {
    String framed =
        "<!DOCTYPE html><body><iframe style=\"border:0;width:390px;height:900px\" srcdoc=\""
            + page.replace("&", "&amp;").replace("\"", "&quot;")
            + "\"></iframe>"
            + PHONE
            + "</body>";
    return look(framed, List.of());
  }

  private String look(String html, List<String> more) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("look.html"), html);
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
