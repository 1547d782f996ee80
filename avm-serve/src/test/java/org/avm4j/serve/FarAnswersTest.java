package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Answers to rows that are far from everything learned say so, and are counted. */
@Timeout(60)
class FarAnswersTest {
  private static final String FAR = "{\"x\":1000}";

  @TempDir Path folder;

  private static List<Map<String, Object>> rows(Object often, Object seldom) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      rows.add(Map.of("x", i % 3, "label", i % 3 == 0 ? seldom : often));
    }
    return rows;
  }

  private static void learn(Service service, String task, List<Map<String, Object>> rows)
      throws IOException {
    service.client.create("m", Map.of("task", task, "gamma", 1, "delta", 0.1, "max-size", 50));
    service.client.learn("m", rows, null);
    service.settled("m", rows.size());
  }

  /** An answer is counted after it was sent. */
  private static void assertCounted(Service service, long expected) throws InterruptedException {
    for (int i = 0; i < 1000 && counted(service) < expected; i++) {
      Thread.sleep(5);
    }
    assertThat(counted(service)).isEqualTo(expected);
  }

  private static long counted(Service service) {
    return service
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("avm_rows_far_total{"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
        .sum();
  }

  @Test
  void aFarRowGetsTheMostFrequentClass() throws Exception {
    try (Service service = new Service(folder)) {
      learn(service, "binary", rows("often", "seldom"));
      String near = service.post("/v1/models/m/predict", "{\"x\":0}").body();
      assertThat(near).contains("\"label\":\"seldom\"").doesNotContain("far");
      assertThat(counted(service)).isZero();
      String both = service.post("/v1/models/m/predict", "[{\"x\":1}," + FAR + "]").body();
      assertThat(both).containsOnlyOnce("\"far\":true").contains("\"label\":\"often\"");
      assertCounted(service, 1);
    }
  }

  @Test
  void aFarRowIsToldWithAnIdAndWithItsLabel() throws Exception {
    try (Service service = new Service(folder)) {
      learn(service, "binary", rows("often", "seldom"));
      String asked = "{\"x\":1000,\"id\":\"a\"}";
      for (int i = 0; i < 2; i++) {
        assertThat(service.post("/v1/models/m/predict", asked).body()).contains("\"far\":true");
      }
      String observed = "{\"x\":2000,\"label\":\"seldom\"}";
      assertThat(service.post("/v1/models/m/observe", observed).body()).contains("\"far\":true");
      assertCounted(service, 3);
    }
  }

  @Test
  void numbersAreTheStartingValue() throws Exception {
    try (Service service = new Service(folder)) {
      learn(service, "regression", rows(10, 20));
      assertThat(service.post("/v1/models/m/predict", FAR).body()).contains("\"far\":true");
      assertThat(service.post("/v1/models/m/predict", "{\"x\":1}").body()).doesNotContain("far");
    }
  }

  /** The starting value is no small number, so that the first answer alone does not tell. */
  @Test
  void theFirstAnswerThatIsRepeatedIsStillFar() throws Exception {
    try (Service service = new Service(folder)) {
      List<Map<String, Object>> rows = rows(10, 20);
      learn(service, "regression", rows);
      String asked = "{\"x\":1000,\"id\":\"a\"}";
      String first = service.post("/v1/models/m/predict", asked).body();
      service.client.learn("m", List.of(Map.of("x", 1000.1, "label", 90)), null);
      service.settled("m", rows.size() + 1);
      String now = service.post("/v1/models/m/predict", FAR).body();
      String again = service.post("/v1/models/m/predict", asked).body();
      assertThat(first).contains("\"far\":true");
      assertThat(now).doesNotContain("far");
      assertThat(again).contains("\"far\":true");
    }
  }

  @Test
  void tensorsAreCounted() throws Exception {
    try (Service service = new Service(folder)) {
      learn(service, "binary", rows("often", "seldom"));
      String tensor =
          "{\"inputs\":[{\"name\":\"x\",\"shape\":[2],\"datatype\":\"FP64\",\"data\":[0,1000]}]}";
      assertThat(service.post("/v2/models/m/infer", tensor).status()).isEqualTo(200);
      assertCounted(service, 1);
    }
  }

  @Test
  void clustersHaveNoFarRows() throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of("task", "cluster"));
      List<Map<String, Object>> rows = new ArrayList<>();
      rows(1, 2).forEach(row -> rows.add(Map.of("x", row.get("x"))));
      service.client.learn("m", rows, null);
      service.settled("m", rows.size());
      assertThat(service.post("/v1/models/m/predict", FAR).body()).doesNotContain("far");
      assertThat(counted(service)).isZero();
    }
  }
}
