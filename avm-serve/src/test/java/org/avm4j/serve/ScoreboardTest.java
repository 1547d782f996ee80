package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ScoreboardTest {
  @TempDir Path folder;

  private static long instances(Map<String, Object> model) {
    return ((Number) model.get("instances")).longValue();
  }

  @Test
  void aThirdClassDoesNotRestartTheFigures() throws Exception {
    long before;
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of());
      service.client.observe("m", ApiTest.rows(400, 1), null);
      Map<String, Object> binary = service.settled("m", 400);
      before = instances(binary);
      assertThat(binary).containsEntry("task", "binary").containsKey("auc");
      List<Map<String, Object>> rows = ApiTest.rows(100, 2);
      for (int i = 0; i < 100; i += 3) {
        rows.get(i).put("label", 7);
      }
      service.client.observe("m", rows, null);
      Map<String, Object> more = service.settled("m", 500);
      assertThat(more).containsEntry("task", "multiclass").doesNotContainKey("auc");
      assertThat(before).isPositive();
      assertThat(instances(more)).isEqualTo(before + 100);
    }
    try (Service service = new Service(folder)) {
      assertThat(instances(service.client.model("m"))).isEqualTo(before + 100);
    }
  }
}
