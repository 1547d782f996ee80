package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
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
}
