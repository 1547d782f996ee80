package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key stands for one request: the same one is repeated, any other is refused. */
class IdempotencyTest {
  @TempDir Path folder;

  private static Service.Reply send(Service service, String action, String body) {
    return service.post("/v1/models/m/" + action, body, "Idempotency-Key", "key");
  }

  @Test
  void aKeyWithOtherRowsIsRefusedAndNothingIsDropped() throws IOException {
    try (Service service = new Service(folder)) {
      service.put("/v1/models/m", "{}");
      String first = "{\"x\":1,\"y\":2,\"label\":1}";
      assertThat(send(service, "learn", first).json()).containsEntry("rows", 1L);
      for (String other :
          new String[] {
            "{\"x\":1,\"y\":3,\"label\":1}",
            "{\"x\":1,\"y\":2,\"label\":2}",
            "{\"x\":1,\"y\":2,\"label\":1,\"weight\":2}",
            "{\"x\":1,\"y\":2,\"label\":1,\"id\":1}",
            "{\"x\":1,\"z\":2,\"label\":1}",
            "{\"x\":\"1\",\"y\":2,\"label\":1}",
            "[" + first + "," + first + "]"
          }) {
        Service.Reply reply = send(service, "learn", other);
        assertThat(reply.status()).as(other).isEqualTo(422);
        assertThat(reply.body()).contains("Idempotency-Key");
      }
      assertThat(send(service, "observe", first).status()).isEqualTo(422);
      assertThat(send(service, "labels", "{\"id\":1,\"label\":1}").status()).isEqualTo(422);
      assertThat(service.settled("m", 1)).containsEntry("sequence", 1L);
    }
  }

  @Test
  void theSameRowsInOtherWordsAreRepeated() throws IOException {
    try (Service service = new Service(folder)) {
      service.put("/v1/models/m", "{}");
      send(service, "learn", "{\"x\":1,\"y\":2.5,\"label\":1}");
      assertThat(send(service, "learn", "[{\"label\":1.0, \"y\":25e-1, \"x\":1.0}]").json())
          .containsEntry("repeated", true)
          .containsEntry("rows", 1L);
    }
    try (Service service = new Service(folder)) {
      assertThat(send(service, "learn", "{\"x\":1,\"y\":2.5,\"label\":1}").json())
          .containsEntry("repeated", true);
      assertThat(send(service, "learn", "{\"x\":1,\"y\":9,\"label\":1}").status()).isEqualTo(422);
    }
  }

  @Test
  void aRequestHasOneKey() throws IOException {
    try (Service service = new Service(folder)) {
      service.put("/v1/models/m", "{}");
      String[] two = {"Idempotency-Key", "a", "Idempotency-Key", "b"};
      Service.Reply reply = service.post("/v1/models/m/learn", "{\"x\":1,\"label\":1}", two);
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.body()).contains("one Idempotency-Key");
    }
  }

  @Test
  void labelsHaveKeysToo() throws IOException {
    try (Service service = new Service(folder)) {
      service.put("/v1/models/m", "{}");
      service.post("/v1/models/m/predict", "[{\"x\":1,\"id\":1},{\"x\":2,\"id\":2}]");
      assertThat(send(service, "labels", "{\"id\":1,\"label\":1}").json())
          .containsEntry("rows", 1L);
      assertThat(send(service, "labels", "{\"id\":\"1\",\"label\":1}").json())
          .containsEntry("repeated", true);
      assertThat(send(service, "labels", "{\"id\":2,\"label\":1}").status()).isEqualTo(422);
    }
  }

  private static Service.Reply sendAs(Service service, String token, double x) {
    String row = "{\"x\":" + x + ",\"label\":1}";
    return service.post(
        "/v1/models/m/learn", row, "Idempotency-Key", "key", "Authorization", "Bearer " + token);
  }

  @Test
  void aKeyBelongsToTheTokenThatUsedIt() throws IOException {
    String[] secret = {Tokens.generate(), Tokens.generate()};
    Path file = folder.resolve("tokens");
    Files.write(
        file,
        List.of(Tokens.line(Role.ADMIN, secret[0]) + " first", Tokens.line(Role.LEARN, secret[1])));
    Tokens tokens = Tokens.load(file);
    Path data = folder.resolve("data");
    try (Service open = new Service(data)) {
      open.put("/v1/models/m", "{}");
      assertThat(send(open, "learn", "{\"x\":1.0,\"label\":1}").json()).containsEntry("rows", 1L);
    }
    try (Service service = new Service(data, options -> options.withHost("127.0.0.1", tokens))) {
      assertThat(sendAs(service, secret[0], 1).json()).containsEntry("repeated", true);
      assertThat(sendAs(service, secret[0], 2).json()).doesNotContainKey("repeated");
      assertThat(sendAs(service, secret[1], 3).json()).doesNotContainKey("repeated");
      assertThat(sendAs(service, secret[0], 2).json()).containsEntry("repeated", true);
      assertThat(sendAs(service, secret[1], 3).json()).containsEntry("repeated", true);
      assertThat(sendAs(service, secret[1], 2).status()).isEqualTo(422);
    }
    try (Service service = new Service(data, options -> options.withHost("127.0.0.1", tokens))) {
      assertThat(sendAs(service, secret[1], 3).json())
          .containsEntry("repeated", true)
          .containsEntry("sequence", 3L);
    }
  }
}
