package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.avm4j.data.Row;
import org.avm4j.serve.ServedRow.Purpose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

  /** Memory may run out while a model is loaded; the others are served meanwhile. */
  @Test
  @Timeout(120)
  void anErrorWhileAModelIsLoadedIsToldAndItIsLoadedAgain() throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of());
      service.client.observe("m", ApiTest.rows(200, 1), null);
    }
    try (Service service = new Service(folder)) {
      service.client.observe("m", ApiTest.rows(200, 2), null);
      service.client.create("other", Map.of());
    }
    damageLatestSnapshot();
    List<String> log = new CopyOnWriteArrayList<>();
    AtomicInteger errors = new AtomicInteger();
    Consumer<String> lines =
        line -> {
          log.add(line);
          if (line.contains("is damaged") && errors.getAndIncrement() < 4) {
            throw new OutOfMemoryError("injected");
          }
        };
    try (AvmServer server = AvmServer.start(ServeOptions.of(folder).withPort(0), lines)) {
      server.awaitReady();
      AvmClient client = new AvmClient(server.uri());
      assertThat(client.learn("other", ApiTest.rows(3, 1), null)).containsEntry("rows", 3L);
      assertThatThrownBy(() -> client.predict("m", ApiTest.rows(1, 1)))
          .hasMessageContaining("has failed and is being rebuilt");
      while (errors.get() < 5 || !client.model("m").get("state").equals("ready")) {
        Thread.sleep(20);
      }
      assertThat(client.model("m")).containsEntry("sequence", 400L);
      assertThat(client.learn("m", ApiTest.rows(3, 1), null)).containsEntry("sequence", 403L);
      assertThat(log)
          .anyMatch(line -> line.contains("learning failed") && line.contains("injected"));
    }
  }

  @Test
  void aSnapshotOfALaterVersionIsNotDamage() throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of());
      service.client.observe("m", ApiTest.rows(200, 1), null);
    }
    changeLatestSnapshot(
        body -> {
          CRC32C sum = new CRC32C();
          ByteBuffer.wrap(body).putInt(8, 99);
          sum.update(body, 8, body.length - 12);
          ByteBuffer.wrap(body).putInt(body.length - 4, (int) sum.getValue());
        });
    String sentence =
        "a snapshot of model 'm' was written by a later version of avm: format version 99";
    assertThatThrownBy(() -> new Service(folder))
        .isInstanceOf(DamageException.class)
        .hasMessageStartingWith(sentence)
        .hasMessageNotContaining("--repair");
    List<String> report = new ArrayList<>();
    assertThatThrownBy(() -> AvmServer.repair(folder, report::add))
        .hasMessageStartingWith(sentence);
    assertThat(folder.resolve("damaged-1.db")).doesNotExist();
    changeLatestSnapshot(body -> body[body.length / 2] ^= 1); // the version may be damage, too
    AvmServer.repair(folder, report::add);
    assertThat(report)
        .contains("model 'm': the snapshot at row 200 is damaged and lost")
        .contains("model 'm': its last row is number 200");
  }

  private void damageLatestSnapshot() throws IOException {
    changeLatestSnapshot(body -> body[body.length / 2] ^= 1);
  }

  private void changeLatestSnapshot(Consumer<byte[]> change) throws IOException {
    try (Store store = open(folder)) {
      Store.Entry entry = store.models().get(0);
      long latest = store.versions().list(entry).get(0).number();
      byte[] body = store.versions().body(entry, latest);
      change.accept(body);
      store
          .committer()
          .submitOwn(
              0,
              database ->
                  database.update(
                      "UPDATE snapshot SET body = ? WHERE version = ? AND model = ?",
                      body,
                      latest,
                      entry.id()),
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
