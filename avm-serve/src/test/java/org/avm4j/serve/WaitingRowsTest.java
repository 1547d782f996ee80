package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that wait for a label are training data: who may leave them, and whose they are. */
class WaitingRowsTest {
  @TempDir Path folder;
  private final String reader = Tokens.generate();
  private final String trusted = Tokens.generate();
  private final String learner = Tokens.generate();
  private final String other = Tokens.generate();
  private final String admin = Tokens.generate();
  private Tokens tokens;

  @BeforeEach
  void writeTokens() throws IOException {
    Path file = folder.resolve("tokens");
    Files.write(
        file,
        List.of(
            Tokens.line(Role.PREDICT, reader) + " reader",
            Tokens.line(Role.PREDICT, trusted) + " pending=2 front end",
            Tokens.line(Role.LEARN, learner) + " learner",
            Tokens.line(Role.LEARN, other),
            Tokens.line(Role.ADMIN, admin)));
    tokens = Tokens.load(file);
  }

  private Service service() throws IOException {
    Service service =
        new Service(folder.resolve("data"), options -> options.withHost("127.0.0.1", tokens));
    AvmClient client = client(service, admin);
    client.create("m", Map.of());
    client.learn("m", ApiTest.rows(20, 1), null);
    return service;
  }

  private static AvmClient client(Service service, String token) {
    return new AvmClient(service.server.uri(), token);
  }

  private static List<Map<String, Object>> row(double x, String id) {
    return List.of(Map.of("x", x, "y", 0.5, "id", id));
  }

  private static Object pending(Service service, AvmClient client) throws IOException {
    return client.model("m").get("pending");
  }

  @Test
  void aTokenThatMayNotLearnLeavesNoRowThatIsLearnedLater() throws IOException {
    try (Service service = service()) {
      AvmClient attacker = client(service, reader);
      assertThatThrownBy(() -> attacker.predict("m", row(1e6, "order-77")))
          .hasMessageContaining("role learn")
          .extracting("status")
          .isEqualTo(403);
      assertThat(attacker.predict("m", List.of(Map.of("x", 1)))).containsKey("predictions");
      AvmClient client = client(service, learner);
      assertThat(pending(service, client)).isEqualTo(0L);
      client.predict("m", row(0.25, "order-77"));
      client.labels("m", List.of(Map.of("id", "order-77", "label", 1)), null);
      assertThat(client.model("m").get("latest").toString())
          .contains("0.25")
          .doesNotContain("1000000");
    }
  }

  @Test
  void anIdThatWaitsForOneTokenIsRefusedToAnother() throws IOException {
    try (Service service = service()) {
      AvmClient first = client(service, learner);
      AvmClient second = client(service, other);
      first.predict("m", row(0.25, "a"));
      first.predict("m", row(0.25, "a"));
      assertThatThrownBy(() -> second.predict("m", row(0.75, "a")))
          .hasMessageContaining("another token")
          .extracting("status")
          .isEqualTo(409);
      assertThat(second.labels("m", List.of(Map.of("id", "a", "label", 1)), null))
          .containsEntry("rows", 1L);
    }
  }

  @Test
  void aQuotaDropsTheOldestRowsOfItsOwnTokenAlone() throws IOException {
    try (Service service = service()) {
      AvmClient client = client(service, learner);
      AvmClient front = client(service, trusted);
      client.predict("m", row(0.1, "theirs"));
      for (int i = 0; i < 5; i++) {
        front.predict("m", row(0.2, "mine-" + i));
      }
      assertThat(pending(service, client)).isEqualTo(3L);
      Map<String, Object> reply =
          client.labels(
              "m",
              List.of(
                  Map.of("id", "theirs", "label", 1),
                  Map.of("id", "mine-2", "label", 1),
                  Map.of("id", "mine-3", "label", 1),
                  Map.of("id", "mine-4", "label", -1)),
              null);
      assertThat(reply).containsEntry("rows", 3L).containsEntry("unknown", List.of("mine-2"));
      front.predict("m", row(0.2, "mine-5"));
      front.predict("m", row(0.2, "mine-6"));
      assertThat(pending(service, client)).isEqualTo(2L);
    }
  }
}
