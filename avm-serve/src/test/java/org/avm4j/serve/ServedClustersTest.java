package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a service tells of the clusters of a stream. */
@Timeout(60)
class ServedClustersTest {
  @TempDir Path folder;

  private static List<Map<String, Object>> clouds(int n) {
    Random random = new Random(4);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      rows.add(
          Map.of(
              "x", 9 * (i % 3) + random.nextGaussian(), "y", 9 * (i % 2) + random.nextGaussian()));
    }
    return rows;
  }

  @Test
  void aModelTellsItsClusters() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of("task", "cluster"));
      service.client.learn("m", clouds(1200), null);
      service.settled("m", 1200);
      Map<?, ?> found = (Map<?, ?>) service.get("/v1/models/m").json().get("clusters");
      assertThat(found.get("count")).isEqualTo(6L);
      assertThat(((Number) found.get("noise")).doubleValue()).isBetween(0.0, 120.0);
      List<?> largest = (List<?>) found.get("largest");
      assertThat(largest).hasSize(6);
      Map<?, ?> first = (Map<?, ?>) largest.get(0);
      assertThat(((Number) first.get("size")).doubleValue()).isBetween(100.0, 300.0);
      assertThat(new TreeSet<Object>(((Map<?, ?>) first.get("centre")).keySet()))
          .isEqualTo(Set.of("x", "y"));
      List<?> events = (List<?>) found.get("lastEvents");
      assertThat(((Number) found.get("events")).intValue()).isGreaterThanOrEqualTo(events.size());
      assertThat(events.toString()).contains("cluster 6 ");
      assertThat(service.get("/metrics").body()).contains("avm_clusters{model=\"m\"} 6");
    }
  }

  @Test
  void whatNeedsLabelsIsRefused() throws IOException {
    try (Service service = new Service(folder)) {
      for (String task : List.of("cluster", "anomaly")) {
        String asked = "{\"task\":\"" + task + "\",\"ask\":5}";
        Service.Reply reply = service.put("/v1/models/m", asked);
        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.body()).contains("needs a task that learns labels");
        assertThat(ModelSpec.parse(asked).ask())
            .as("a model that was stored before is still read")
            .isEqualTo(5);
      }
    }
  }
}
