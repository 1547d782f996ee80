package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.avm4j.codec.ModelFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser; screenshots are left in {@code target/page}. */
@Tag("slow")
class PageTest {
  @TempDir Path folder;

  private static final String ERROR_LINE =
      "document.querySelector('#error-chart .recent').getAttribute('d')";

  private static final String LOADED =
      "document.body.dataset.role && !document.getElementById('detail').hidden";

  /** Whether the buttons for backups, deletion, versions, challengers and files are seen. */
  private static final String OFFERED =
      "['backup', 'delete', 'keep', 'challenge', 'drop'].map(id =>"
          + " document.getElementById(id).getClientRects().length > 0).join(' ')";

  @Test
  void thePageShowsALivingModelAndSurvivesARestart() throws Exception {
    assumeTrue(Browser.program().isPresent(), "no chromium is installed");
    Path shots = Files.createDirectories(Path.of("target", "page"));
    Path profile = Files.createTempDirectory(shots, "profile").toAbsolutePath();
    Path data = folder.resolve("data");
    Service service = new Service(data);
    int port = service.server.uri().getPort();
    try (Browser browser = Browser.start(profile)) {
      browser.open(service.server.uri().resolve("/"));
      browser.await("document.querySelector('#link.live') !== null");
      browser.await("!document.getElementById('none').hidden");
      browser.evaluate(
          "document.getElementById('new-name').value = 'board';"
              + "document.getElementById('new-spec').value = '{\"task\":\"binary\",\"forget\":\"auto\","
              + "\"max-size\":100}'; document.querySelector('#create button').click()");
      browser.await("document.getElementById('name').textContent.startsWith('board')");

      service.client.observe("board", ApiTest.rows(500, 1), null);
      browser.await(
          "document.querySelector('#error-chart .recent') && " + ERROR_LINE + ".length > 30");
      Object before = browser.evaluate(ERROR_LINE);
      service.client.observe("board", ApiTest.rows(500, 2), null);
      browser.await(ERROR_LINE + " !== " + JsonValues.text(before));

      browser.await("document.querySelectorAll('#try [data-column]').length === 2");
      browser.evaluate("document.querySelector('#try button').click()");
      browser.await("document.getElementById('answer').textContent.startsWith('Answer: ')");

      Path csv = folder.resolve("rows.csv");
      Files.writeString(csv, csv(700));
      browser.choose("#file", csv);
      browser.await(
          "document.getElementById('uploaded').textContent === '700 rows of rows.csv learned'");
      assertThat(service.settled("board", 1700)).containsEntry("instances", 1700L);
      browser.await("document.querySelectorAll('#latest tbody tr').length === 20");
      browser.await("document.querySelectorAll('#confusion td.own').length === 2");
      browser.await("document.querySelectorAll('#points tbody tr').length === 8");

      assertThat(browser.evaluate("document.getElementById('refused-section').hidden"))
          .isEqualTo(true);
      service.post("/v1/models/board/learn", "{\"x\":1,\"label\":\"<img src=x>\"}");
      browser.await("document.querySelectorAll('#refused tbody tr').length === 1");
      assertThat(browser.evaluate("document.getElementById('refused').textContent"))
          .asString()
          .contains("found '<img src=x>'");
      assertThat(browser.evaluate("document.getElementById('refused-counts').textContent"))
          .isEqualTo("1 by the door: label");
      assertThat(browser.evaluate("document.querySelector('#refused img') === null"))
          .isEqualTo(true);

      assertThat(browser.evaluate("document.querySelectorAll('#tiles .tile').length"))
          .isEqualTo(12L);
      assertThat(
              browser.evaluate(
                  "getComputedStyle(document.getElementById('tiles')).gridTemplateColumns"
                      + ".split(' ').length"))
          .isIn(2L, 3L, 4L, 6L);
      assertThat(browser.evaluate("document.getElementById('service').textContent"))
          .asString()
          .contains("version ", "of disk free", "memory");
      assertThat(browser.evaluate("short(1190) + ' ' + short(14240) + ' ' + short(999.4)"))
          .isEqualTo("1,190 14k 999");
      assertThat(browser.evaluate("calmTop([1, 1, 2, 2, 1, 1, 2, 1, 2, 2, 1, 900]) <= 6"))
          .isEqualTo(true);
      assertThat(
              browser.evaluate(
                  "getComputedStyle(document.querySelectorAll('#confusion th')[1]).textAlign"))
          .isEqualTo("right");
      showsStrangeLabels(service, browser);
      tellsWhatChanged(service, browser);
      choosesWhoAnswers(service, browser);
      downloads(browser);

      assertThat(browser.complaints).isEmpty();
      browser.screenshot(shots.resolve("light.png"), 1000, 2300, false);
      browser.screenshot(shots.resolve("dark.png"), 1000, 2300, true);
      browser.screenshot(shots.resolve("phone.png"), 390, 3600, false);
      assertThat(browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
          .isEqualTo(true);

      service.close();
      browser.await("document.querySelector('#link.lost') !== null");
      service = new Service(data, options -> options.withPort(port));
      browser.await("document.querySelector('#link.live') !== null");
      service.client.observe("board", ApiTest.rows(20, 3), null);
      browser.await(
          "[...document.querySelectorAll('#tiles .tile')].some(t =>"
              + " t.textContent === '1,750rows learned')");
      assertThat(browser.complaints).allMatch(complaint -> complaint.contains("ERR_"));
    } finally {
      service.close();
    }
  }

  private void downloads(Browser browser) throws Exception {
    Path files = Files.createDirectories(folder.resolve("downloads")).toAbsolutePath();
    browser.call(
        "Browser.setDownloadBehavior",
        Map.of("behavior", "allow", "downloadPath", files.toString()));
    browser.evaluate("document.getElementById('export').click()");
    browser.evaluate("document.getElementById('backup').click()");
    Path model = awaitFile(files, ".avm");
    assertThat(ModelFile.parse(Files.readAllBytes(model)).kind()).isNotEmpty();
    Path data = Files.createDirectories(folder.resolve("restored"));
    Files.move(awaitFile(files, ".db"), data.resolve(StoreFolder.FILE));
    try (Service restored = new Service(data)) {
      assertThat(restored.client.models()).isNotEmpty();
    }
    assertThat(browser.evaluate("document.getElementById('message').textContent")).isEqualTo("");
  }

  /** The browser gives a file its name when all of it is there. */
  private static Path awaitFile(Path folder, String ending) throws Exception {
    for (int tries = 0; tries < 3000; tries++) {
      try (Stream<Path> files = Files.list(folder)) {
        Optional<Path> found = files.filter(file -> file.toString().endsWith(ending)).findFirst();
        if (found.isPresent()) {
          return found.get();
        }
      }
      Thread.sleep(20);
    }
    throw new AssertionError("no " + ending + " was downloaded within a minute");
  }

  private static void showsStrangeLabels(Service service, Browser browser) throws Exception {
    String name = "a-name-that-is-longer-than-any-column-of-the-table-has-room-for";
    service.client.create(name, Map.of("task", "multiclass"));
    for (int i = 0; i < 12; i++) {
      String label = i % 2 == 0 ? "__proto__" : "a\u202eb";
      service.client.observe(name, List.of(Map.of("x", i % 2, "label", label)), null);
    }
    browser.await("[...document.querySelectorAll('#models button')].length === 2");
    browser.evaluate("select('" + name + "')");
    browser.await("document.getElementById('confusion').textContent.includes('__proto__')");
    browser.await("document.querySelectorAll('#confusion td.own').length === 2");
    assertThat(browser.evaluate("document.getElementById('confusion').textContent"))
        .asString()
        .contains("__proto__", "a\\u202eb")
        .doesNotContain("NaN", "\u202e");
    assertThat(
            browser.evaluate(
                "(() => { const t = document.getElementById('models').parentElement;"
                    + " return t.scrollWidth <= t.clientWidth; })()"))
        .isEqualTo(true);
    browser.evaluate("window.confirm = () => true; document.getElementById('delete').click()");
    browser.await("[...document.querySelectorAll('#models button')].length === 1");
    assertThat(service.client.models()).hasSize(1);
    browser.await("document.getElementById('name').textContent.startsWith('board')");
    browser.await("document.querySelectorAll('#refused tbody tr').length === 1");
  }

  private static void tellsWhatChanged(Service service, Browser browser) throws Exception {
    assertThat(browser.evaluate("document.getElementById('drift-section').hidden")).isEqualTo(true);
    service.client.create(
        "drifting", Map.of("task", "binary", "forget", 500, "max-size", 60, "drift", true));
    browser.await("[...document.querySelectorAll('#models button')].length === 2");
    browser.evaluate("select('drifting')");
    browser.await("!document.getElementById('drift-section').hidden");
    browser.await("!document.getElementById('no-drift').hidden");
    service.client.observe("drifting", RiseWatchTest.rows(), null);
    browser.await("document.querySelectorAll('#drift tbody tr').length === 1");
    assertThat(browser.evaluate("document.getElementById('drift').textContent"))
        .asString()
        .contains("the relation to the labels changed, the inputs did not", "income");
    browser.await("document.querySelectorAll('#error-chart .risemark').length === 1");
    browser.screenshot(Path.of("target", "page", "drift.png"), 1000, 1000, false);
    service.client.delete("drifting");
    browser.await("document.getElementById('name').textContent.startsWith('board')");
  }

  /** Versions are kept, pinned and unpinned, and a challenger is made and promoted, by buttons. */
  private static void choosesWhoAnswers(Service service, Browser browser) throws Exception {
    String latest = "document.querySelector('#versions tbody tr:first-child').textContent";
    browser.await(latest + ".startsWith('latest1,700')");
    click(browser, "#keep");
    browser.await(version("1,700", "Pin") + " !== undefined");
    Object kept = browser.evaluate("Number(" + version("1,700", "Pin") + ".cells[0].textContent)");
    service.client.observe("board", ApiTest.rows(30, 5), null);
    browser.await(latest + ".startsWith('latest1,730')");
    click(browser, "#keep");
    browser.await(version("1,730", "Pin") + " !== undefined");
    browser.evaluate(version("1,700", "Roll back") + ".querySelector('button').click()");
    browser.await(
        "document.getElementById('answers').textContent ==="
            + " 'version "
            + kept
            + " is pinned, 30 rows behind the learner'");
    assertThat(service.client.versions("board")).containsEntry("champion", kept);
    browser.await(version("1,700", "answers") + " !== undefined");
    browser.await(version("1,730", "Pin") + " !== undefined");
    click(browser, "#try button");
    browser.await(
        "document.getElementById('answer').textContent.includes('by version " + kept + "')");
    click(browser, "#versions tbody tr:first-child button");
    browser.await("document.getElementById('answers').textContent === 'the latest is used'");

    browser.evaluate("document.getElementById('challenge-spec').value = '{\"gama\":1}'");
    click(browser, "#challenge button");
    browser.await("document.getElementById('said').textContent.includes('gama')");
    browser.evaluate("document.getElementById('challenge-spec').value = '{\"task\":\"binary\"}'");
    click(browser, "#challenge button");
    browser.await("!document.getElementById('decide').hidden");
    browser.await("document.getElementById('challenger').textContent.includes('1,7301,730')");
    assertThat(browser.evaluate("document.getElementById('said').textContent")).isEqualTo("");
    Object before = service.client.model("board").get("spec");
    click(browser, "#promote");
    browser.await(
        "!document.getElementById('challenger-options').textContent.includes('binary\"}')");
    assertThat(service.client.model("board").get("spec")).isNotEqualTo(before);
    assertThat(service.client.challenger("board")).containsEntry("spec", before);
    click(browser, "#promote");
    browser.await(
        "document.getElementById('challenger-options').textContent.includes('binary\"}')");
    assertThat(service.client.model("board")).containsEntry("spec", before);
    browser.complaints.removeIf(complaint -> complaint.contains("status of 422"));
  }

  /** The line of a version that has learned up to a row, with a button or word at its end. */
  private static String version(String row, String word) {
    return "[...document.querySelectorAll('#versions tbody tr')].find(line =>"
        + " line.cells[0].textContent !== 'latest' && line.cells[1].textContent === '"
        + row
        + "' && line.textContent.endsWith('"
        + word
        + "'))";
  }

  private static void click(Browser browser, String selector) throws Exception {
    browser.evaluate("document.querySelector('" + selector + "').click()");
  }

  @Test
  void aTokenIsOfferedWhatItMayDo() throws Exception {
    assumeTrue(Browser.program().isPresent(), "no chromium is installed");
    Path profile = Files.createTempDirectory(folder, "profile").toAbsolutePath();
    String admin = Tokens.generate();
    String guest = Tokens.generate();
    Path file = folder.resolve("tokens");
    Files.write(
        file,
        List.of(
            Tokens.line(Role.ADMIN, admin) + " models=m tenant", Tokens.line(Role.PREDICT, guest)));
    Tokens tokens = Tokens.load(file);
    try (Service service =
            new Service(folder.resolve("data"), options -> options.withHost("127.0.0.1", tokens));
        Browser browser = Browser.start(profile)) {
      new AvmClient(service.server.uri(), admin).create("m", Map.of("task", "binary"));
      new AvmClient(service.server.uri(), admin).observe("m", ApiTest.rows(20, 1), null);
      URI page = service.server.uri().resolve("/");
      browser.open(page);
      browser.evaluate("sessionStorage.setItem('token', '" + guest + "')");
      browser.open(page);
      browser.await(LOADED);
      assertThat(browser.evaluate(OFFERED)).isEqualTo("false false false false false");
      browser.evaluate("sessionStorage.setItem('token', '" + admin + "')");
      browser.open(page);
      browser.await(LOADED + " && " + OFFERED + " === 'false true true true true'");
    }
  }

  private static String csv(int n) {
    StringBuilder text = new StringBuilder("x,y,label\n");
    for (Map<String, Object> row : ApiTest.rows(n, 11)) {
      text.append(row.get("x")).append(',').append(row.get("y")).append(',');
      text.append(row.get("label")).append('\n');
    }
    return text.toString();
  }
}
