package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.data.Row;
import org.avm4j.serve.ServedRow.Purpose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
  @TempDir Path folder;

  private static Store open(Path folder) throws IOException {
    return Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC());
  }

  @Test
  void aDamagedSnapshotIsPassedOverForTheOneBeforeIt() throws IOException {
    Object answers;
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of());
      service.client.observe("m", ApiTest.rows(200, 1), null);
    }
    try (Service service = new Service(folder)) {
      service.client.observe("m", ApiTest.rows(200, 2), null);
      service.settled("m", 400);
      answers = service.client.predict("m", ApiTest.rows(30, 3));
    }
    damageLatestSnapshot();
    try (Service service = new Service(folder)) {
      assertThat(service.client.predict("m", ApiTest.rows(30, 3))).isEqualTo(answers);
      assertThat(service.log).anyMatch(line -> line.contains("the snapshot at row 400 is damaged"));
    }
  }

  private void damageLatestSnapshot() throws IOException {
    try (Store store = open(folder)) {
      Store.Entry entry = store.models().get(0);
      List<Version> versions = store.versions().list(entry);
      assertThat(versions).extracting(Version::sequence).containsExactly(400L, 200L);
      long latest = versions.get(0).number();
      byte[] body = store.versions().body(entry, latest);
      body[body.length / 2] ^= 1;
      store
          .committer()
          .submitOwn(
              0,
              database ->
                  database.update("UPDATE snapshot SET body = ? WHERE version = ?", body, latest),
              done -> {})
          .join();
    }
  }

  @Test
  void aRowThatTheLearnerRefusesIsRefusedAgainAfterARestart() throws IOException {
    byte[] before;
    try (Store store = open(folder)) {
      long id = store.create("m", "{}", null).join().id();
      for (Map<String, Object> row : ApiTest.rows(50, 1)) {
        Map<String, Object> values = new LinkedHashMap<>(row);
        Object label = values.remove("label");
        ServedRow good = new ServedRow(Row.named(values, label), null, Purpose.LEARN, null);
        Map<String, Object> wrong = new LinkedHashMap<>(values);
        wrong.put("x", "no number");
        ServedRow bad = new ServedRow(Row.named(wrong, label), null, Purpose.OBSERVE, null);
        store.rows().append(id, null, List.of(good, bad), batch -> {}).join();
      }
      ModelSpec spec = ModelSpec.parse("{}");
      Learning learning = Learning.of(spec);
      StoredRows.replay(store, id, 0, batch -> batch.rows().forEach(learning::take));
      assertThat(learning.refused().total()).isEqualTo(50);
      before = learning.pipeline().toBytes();
    }
    try (Service service = new Service(folder)) {
      assertThat(service.client.model("m")).containsEntry("refused", 50L);
      Path file = folder.resolve("m.avm");
      service.client.save("m", file);
      assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }
  }

  @Test
  void aServiceThatIsAskedToEndKeepsWhatWasAcknowledged() throws Exception {
    ServiceProcess process = ServiceProcess.start(folder);
    AvmClient client = new AvmClient(process.uri());
    client.create("m", Map.of());
    for (int i = 0; i < 10; i++) {
      client.learn("m", ApiTest.rows(300, i), null);
    }
    process.terminate();
    try (Service service = new Service(folder)) {
      assertThat(service.client.model("m")).containsEntry("sequence", 3000L);
    }
  }
}
