package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser; screenshots are left in {@code target/page}. */
class PageTest {
  @TempDir Path folder;

  private static final String ERROR_LINE =
      "document.querySelector('#error-chart .recent').getAttribute('d')";

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

      assertThat(browser.complaints).isEmpty();
      browser.screenshot(shots.resolve("light.png"), 1200, 1700, false);
      browser.screenshot(shots.resolve("dark.png"), 1200, 1700, true);
      browser.screenshot(shots.resolve("phone.png"), 390, 2600, false);
      assertThat(browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
          .isEqualTo(true);

      service.close();
      browser.await("document.querySelector('#link.lost') !== null");
      service = new Service(data, options -> options.withPort(port));
      browser.await("document.querySelector('#link.live') !== null");
      service.client.observe("board", ApiTest.rows(20, 3), null);
      browser.await(
          "[...document.querySelectorAll('#tiles .tile')].some(t =>"
              + " t.textContent === '1,720rows learned')");
      assertThat(browser.complaints).allMatch(complaint -> complaint.contains("ERR_"));
    } finally {
      service.close();
    }
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

  private static String csv(int n) {
    StringBuilder text = new StringBuilder("x,y,label\n");
    for (Map<String, Object> row : ApiTest.rows(n, 11)) {
      text.append(row.get("x")).append(',').append(row.get("y")).append(',');
      text.append(row.get("label")).append('\n');
    }
    return text.toString();
  }
}
