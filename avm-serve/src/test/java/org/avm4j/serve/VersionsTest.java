package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Versions of a model: kept, listed, pinned to answer, rolled back. */
@Timeout(120)
class VersionsTest {
  private static final Map<String, Object> SGD =
      Map.of("task", "binary", "update", "sgd", "gamma", 2, "delta", 0.3, "lambda", 1e-4);
  private static final List<Map<String, Object>> ASKED = unlabelled(ApiTest.rows(20, 99));

  @TempDir Path folder;

  static List<Map<String, Object>> unlabelled(List<Map<String, Object>> rows) {
    rows.forEach(row -> row.remove("label"));
    return rows;
  }

  private static Object predictions(Service service) throws IOException {
    return service.client.predict("m", ASKED).get("predictions");
  }

  private static long number(Map<?, ?> reply, String key) {
    return ((Number) reply.get(key)).longValue();
  }

  /** Learns rows and keeps a version of what follows. */
  private static long version(Service service, int rows, long seed) throws IOException {
    service.client.observe("m", ApiTest.rows(rows, seed), null);
    return number(service.client.keepVersion("m"), "version");
  }

  @Test
  void aPinnedVersionAnswersUntilItIsUnpinnedAlsoAfterARestart() throws IOException {
    Object early;
    Object late;
    long first;
    long second;
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      first = version(service, 100, 1);
      early = predictions(service);
      second = version(service, 200, 2);
      late = predictions(service);
      assertThat(early).isNotEqualTo(late);
      assertThat(service.client.pin("m", first)).containsEntry("sequence", 100L);
      assertThat(predictions(service)).isEqualTo(early);
      assertThat(service.client.predict("m", ASKED))
          .containsEntry("version", first)
          .containsEntry("sequence", 100L);
      service.client.learn("m", ApiTest.rows(50, 3), null);
    }
    try (Service service = new Service(folder)) {
      assertThat(service.settled("m", 350))
          .containsEntry("sequence", 350L)
          .containsEntry("champion", first);
      assertThat(predictions(service)).isEqualTo(early);
      service.client.pin("m", second);
      assertThat(predictions(service)).isEqualTo(late);
      service.client.unpin("m");
      assertThat(service.client.predict("m", ASKED))
          .containsEntry("sequence", 350L)
          .doesNotContainKey("version");
      assertThat(service.log).anyMatch(line -> line.contains("\"pin\""));
    }
    try (Service service = new Service(folder)) {
      assertThat(service.client.versions("m")).containsEntry("champion", null);
      assertThat(service.client.predict("m", ASKED)).containsEntry("sequence", 350L);
    }
  }

  @Test
  void theListTellsRowsTimeAndErrorOfEachVersion() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      long before = System.currentTimeMillis() - 1;
      version(service, 100, 1);
      Map<String, Object> then = service.client.model("m");
      version(service, 100, 2);
      assertThat(service.client.keepVersion("m"))
          .as("nothing was learned since")
          .containsEntry("version", 2L);
      List<?> versions = (List<?>) service.client.versions("m").get("versions");
      assertThat(versions).hasSize(2);
      Map<?, ?> latest = (Map<?, ?>) versions.get(0);
      Map<?, ?> first = (Map<?, ?>) versions.get(1);
      assertThat(number(latest, "version")).isEqualTo(2);
      assertThat(number(latest, "sequence")).isEqualTo(200);
      assertThat(number(first, "version")).isEqualTo(1);
      assertThat(number(first, "at")).isBetween(before, System.currentTimeMillis());
      for (String figure : List.of("sequence", "instances", "metric", "mistakeRate", "recent")) {
        assertThat(first.get(figure)).as(figure).isNotNull().isEqualTo(then.get(figure));
      }
    }
  }

  @Test
  void aPinnedVersionAnswersInferenceTooAndIsJudgedByLabelsThatComeLater() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      long version = version(service, 100, 1);
      String tensors =
          "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[0.4]},"
              + "{\"name\":\"y\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[0.8]}]}";
      Object early = service.post("/v2/models/m/infer", tensors).json().get("outputs");
      version(service, 200, 2);
      assertThat(service.post("/v2/models/m/infer", tensors).json().get("outputs"))
          .isNotEqualTo(early);
      service.client.pin("m", version);
      assertThat(service.post("/v2/models/m/infer", tensors).json().get("outputs"))
          .isEqualTo(early);
      service.client.predict("m", List.of(Map.of("x", 0.4, "y", 0.8, "id", "late")));
      service.client.labels("m", List.of(Map.of("id", "late", "label", 1)), null);
      assertThat(service.settled("m", 301)).containsEntry("instances", 301L);
    }
  }

  @Test
  void aPinnedVersionRefusesToWaitForRowsThatItWillNeverLearn() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      long version = version(service, 100, 1);
      service.client.pin("m", version);
      assertThat(service.client.predict("m", ASKED, 100)).containsEntry("sequence", 100L);
      assertThatThrownBy(() -> service.client.predict("m", ASKED, 101))
          .hasMessageContaining("version 1 is pinned and will never learn row 101")
          .extracting("status")
          .isEqualTo(409);
    }
  }

  @Test
  void whatIsNoVersionIsRefused() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      assertThat(service.post("/v1/models/m/versions", "").status()).isEqualTo(409);
      version(service, 10, 1);
      assertThat(service.put("/v1/models/m/champion", "{\"version\":7}").status()).isEqualTo(404);
      for (String wrong :
          List.of("{}", "{\"version\":0}", "{\"version\":\"1\"}", "{\"version\":1,\"x\":2}")) {
        assertThat(service.put("/v1/models/m/champion", wrong).status()).as(wrong).isEqualTo(400);
      }
      assertThat(service.get("/v1/models/m/champion").status()).isEqualTo(405);
      assertThat(service.get("/v1/models/none/versions").status()).isEqualTo(404);
    }
  }

  @Test
  void tenVersionsAreKeptWithGapsThatGrowWithTheirAge() throws IOException {
    try (Store store = Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC())) {
      Store.Entry entry = store.create("m", "{}", null).join();
      for (int i = 1; i <= 1000; i++) {
        store.versions().add(entry, 10 * i, "{}", new byte[] {1}).join();
        if (i == 300) {
          store.versions().pin(entry.id(), 300, () -> {}).join();
        }
      }
      List<Long> numbers = store.versions().list(entry).stream().map(Version::number).toList();
      assertThat(numbers)
          .hasSize(VersionTransaction.KEPT)
          .startsWith(1000L, 999L)
          .contains(300L)
          .endsWith(1L);
      List<Long> free = new ArrayList<>(numbers);
      free.remove(300L);
      for (int i = 2; i < free.size() - 1; i++) {
        double gap = free.get(i - 1) - free.get(i);
        assertThat(gap / (1000 - free.get(i))).as("gap before %s", free.get(i)).isBetween(0.2, 0.9);
      }
    }
  }

  @Test
  void repairKeepsThePinnedVersion() throws IOException {
    Object early;
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      long first = version(service, 100, 1);
      early = predictions(service);
      version(service, 200, 2);
      service.client.pin("m", first);
      service.client.challenge("m", SGD);
    }
    List<String> report = new ArrayList<>();
    AvmServer.repair(folder, report::add);
    assertThat(report).anyMatch(line -> line.contains("its challenger is lost"));
    try (Service service = new Service(folder)) {
      assertThat(predictions(service)).isEqualTo(early);
      assertThat(service.get("/v1/models/m/challenger").status()).isEqualTo(404);
      assertThat(version(service, 10, 3)).isEqualTo(3);
    }
    damage(1);
    assertThatThrownBy(() -> new Service(folder))
        .isInstanceOf(DamageException.class)
        .hasMessageContaining("version 1 of model 'm' is damaged");
    AvmServer.repair(folder, report::add);
    assertThat(report).anyMatch(line -> line.contains("the pinned version is lost"));
    try (Service service = new Service(folder)) {
      assertThat(service.client.predict("m", ASKED)).containsEntry("sequence", 310L);
    }
  }

  private void damage(long version) throws IOException {
    try (Store store = Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC())) {
      byte[] body = store.versions().body(store.models().get(0), version);
      body[body.length / 2] ^= 1;
      store
          .committer()
          .submitOwn(
              0,
              database ->
                  database.update("UPDATE snapshot SET body = ? WHERE version = ?", body, version),
              done -> {})
          .join();
    }
  }

  @Test
  void onlyAnAdminChangesWhoAnswers() throws IOException {
    String admin = Tokens.generate();
    String learn = Tokens.generate();
    String predict = Tokens.generate();
    Path file = folder.resolve("tokens");
    Files.write(
        file,
        List.of(
            Tokens.line(Role.ADMIN, admin),
            Tokens.line(Role.LEARN, learn),
            Tokens.line(Role.PREDICT, predict)));
    Tokens tokens = Tokens.load(file);
    Path data = folder.resolve("data");
    try (Service service = new Service(data, options -> options.withHost("127.0.0.1", tokens))) {
      AvmClient client = new AvmClient(service.server.uri(), admin);
      client.create("m", SGD);
      client.observe("m", ApiTest.rows(10, 1), null);
      client.keepVersion("m");
      client.challenge("m", SGD);
      for (String changing :
          List.of(
              "POST versions",
              "PUT champion",
              "DELETE champion",
              "PUT challenger",
              "DELETE challenger",
              "POST promote")) {
        String[] parts = changing.split(" ");
        String path = "/v1/models/m/" + parts[1];
        for (String token : List.of(learn, predict)) {
          Service.Reply reply =
              service.send(parts[0], path, new byte[0], "Authorization", "Bearer " + token);
          assertThat(reply.status()).as(changing).isEqualTo(403);
        }
        assertThat(service.send(parts[0], path, new byte[0]).status()).isEqualTo(401);
      }
      for (String looking : List.of("versions", "challenger")) {
        String path = "/v1/models/m/" + looking;
        assertThat(service.get(path, "Authorization", "Bearer " + predict).status()).isEqualTo(200);
      }
    }
  }
}
