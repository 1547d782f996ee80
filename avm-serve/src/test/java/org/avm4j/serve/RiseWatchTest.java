package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.avm4j.data.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rises of the error that are explained where a model asks for it. */
@Timeout(120)
class RiseWatchTest {
  private static final int CHANGE = 2500;
  private static final int ROWS = 4000;
  private static final Map<String, Object> WATCHED =
      Map.of("task", "binary", "forget", 500, "max-size", 60, "drift", true);

  @TempDir Path folder;

  /** Rows whose label follows the income at first, and later the age. */
  static List<Map<String, Object>> rows() {
    Random random = new Random(5);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("income", random.nextGaussian());
      row.put("age", random.nextGaussian());
      row.put("noise", random.nextGaussian());
      row.put("label", (double) row.get(i < CHANGE ? "income" : "age") > 0 ? "yes" : "no");
      rows.add(row);
    }
    return rows;
  }

  private static List<ServedRow> served() {
    return rows().stream()
        .map(
            row -> {
              Map<String, Object> values = new LinkedHashMap<>(row);
              Object label = values.remove("label");
              return new ServedRow(Row.named(values, label), null, ServedRow.Purpose.OBSERVE, null);
            })
        .toList();
  }

  @Test
  void whatChangedIsToldByNameOnThePageAndCounted() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", WATCHED);
      service.client.create("plain", Map.of("task", "binary", "forget", 500, "max-size", 60));
      List<Map<String, Object>> rows = rows();
      for (String model : List.of("m", "plain")) {
        for (int i = 0; i < ROWS; i += 500) {
          service.client.observe(model, rows.subList(i, i + 500), null);
        }
      }
      Map<String, Object> model = service.settled("m", ROWS);
      List<?> events = (List<?>) model.get("drift");
      assertThat(events).hasSize(1);
      Map<?, ?> event = (Map<?, ?>) events.get(0);
      assertThat(((Number) event.get("since")).intValue()).isBetween(CHANGE - 100, CHANGE + 200);
      assertThat(event.get("cause")).isEqualTo("rule");
      assertThat(event.get("text").toString())
          .contains(
              "the relation to the labels changed, the inputs did not",
              "the effect of income changed")
          .doesNotContain("noise");
      assertThat(event.get("error").toString()).startsWith("mistakes ").contains(", then ");
      assertThat(service.get("/metrics").body())
          .contains("avm_error_rises_total{model=\"m\",cause=\"rule\"} 1\n")
          .contains("avm_error_rises_total{model=\"m\",cause=\"inputs\"} 0\n")
          .doesNotContain("avm_error_rises_total{model=\"plain\"");
      assertThat(service.settled("plain", ROWS)).doesNotContainKey("drift");
    }
    try (Service service = new Service(folder)) {
      assertThat((List<?>) service.client.model("m").get("drift")).hasSize(1);
      assertThat(service.get("/metrics").body())
          .contains("avm_error_rises_total{model=\"m\",cause=\"rule\"} 1\n");
    }
  }

  @Test
  void aWatchGoesOnFromASnapshotBitForBit() throws Exception {
    ModelSpec spec = ModelSpec.of(WATCHED);
    Learning whole = Learning.of(spec);
    Learning parts = Learning.of(spec);
    int taken = 0;
    for (ServedRow row : served()) {
      whole.take(row);
      parts.take(row);
      taken++;
      if (taken % 900 == 0) {
        parts = Learning.fromBytes(parts.toBytes(), spec, 0);
      }
    }
    assertThat(whole.rises().events()).hasSize(1);
    assertThat(parts.toBytes()).isEqualTo(whole.toBytes());
    assertThat(parts.rises()).isEqualTo(whole.rises());
  }

  @Test
  void aWatchDoesNotChangeTheLearner() {
    Learning watched = Learning.of(ModelSpec.of(WATCHED));
    Map<String, Object> words = new LinkedHashMap<>(WATCHED);
    words.remove("drift");
    Learning plain = Learning.of(ModelSpec.of(words));
    served().subList(0, 700).forEach(watched::take);
    served().subList(0, 700).forEach(plain::take);
    assertThat(watched.pipeline().toBytes()).isEqualTo(plain.pipeline().toBytes());
    assertThat(plain.rises()).isNull();
  }

  @Test
  void whatCannotBeWatchedIsRefused() throws IOException {
    try (Service service = new Service(folder)) {
      assertThat(service.put("/v1/models/m", "{\"drift\":1}").body())
          .contains("\\\"drift\\\" must be true or false");
      assertThat(service.put("/v1/models/m", "{\"task\":\"anomaly\",\"drift\":true}").body())
          .contains("needs a task with labels");
      assertThat(service.put("/v1/models/m", "{\"drift\":false}").status()).isEqualTo(201);
      assertThat(service.put("/v1/models/m/challenger", "{\"drift\":true}").body())
          .contains("remove");
    }
  }
}
