package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service with the least heap that the documentation names. */
@Timeout(300)
class SmallHeapTest {
  private static final Map<String, Object> SGD =
      Map.of("task", "binary", "update", "sgd", "gamma", 2, "delta", 0.3, "max-size", 100);
  private static final int COLUMNS = 40;
  private static final int MAX_BODY = 8 << 20;

  @TempDir Path folder;
  private final HttpClient http = HttpClient.newHttpClient();

  /** CSV that is almost as large as a body may be. */
  private static String largeBody() {
    StringBuilder out = new StringBuilder(MAX_BODY);
    for (int i = 0; i < COLUMNS; i++) {
      out.append('c').append(i).append(',');
    }
    out.append("label\n");
    Random random = new Random(1);
    while (out.length() < MAX_BODY - 1000) {
      for (int i = 0; i < COLUMNS; i++) {
        out.append(random.nextDouble()).append(',');
      }
      out.append(random.nextBoolean() ? "1\n" : "-1\n");
    }
    return out.toString();
  }

  private int send(URI service, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(service.resolve(path))
            .header("Content-Type", "text/csv")
            .POST(BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }

  private static String smallRows(int n) {
    StringBuilder out = new StringBuilder("x,y,label\n");
    for (int i = 0; i < n; i++) {
      out.append("0.")
          .append(100 + i % 800)
          .append(',')
          .append(i % 7 > 3 ? "0.75,1\n" : "0.25,-1\n");
    }
    return out.toString();
  }

  /** A request that is refused is refused as a whole, and one that is not has its reply. */
  @Tag("slow")
  @Test
  void aBodyOfManySmallRowsIsRefusedBeforeAnyIsLearned() throws Exception {
    try (ServiceProcess process = ServiceProcess.start(folder, "-Xmx300m")) {
      AvmClient client = new AvmClient(process.uri());
      client.create("m", SGD);
      String many = smallRows(395_000);
      for (String action : List.of("observe", "learn", "predict")) {
        assertThat(send(process.uri(), "/v1/models/m/" + action, many)).isEqualTo(413);
      }
      assertThat(client.model("m")).containsEntry("sequence", 0L);
      for (int i = 0; i < 5; i++) {
        assertThat(send(process.uri(), "/v1/models/m/observe", smallRows(40_000))).isEqualTo(200);
      }
      assertThat(client.model("m")).containsEntry("sequence", 200_000L);
    }
  }

  @Tag("slow")
  @Test
  void aLoneClientIsNeverToldToWait() throws Exception {
    String body = largeBody();
    try (ServiceProcess process = ServiceProcess.start(folder, "-Xmx300m")) {
      AvmClient client = new AvmClient(process.uri());
      client.create("m", SGD);
      client.create("small", Map.of());
      for (String action : List.of("observe", "predict", "observe", "predict", "observe")) {
        assertThat(send(process.uri(), "/v1/models/m/" + action, body)).as(action).isEqualTo(200);
      }
      for (int i = 0; i < 20; i++) {
        client.learn("small", ApiTest.rows(100, i), null);
        client.predict("small", ApiTest.rows(1, i));
      }
    }
  }
}
