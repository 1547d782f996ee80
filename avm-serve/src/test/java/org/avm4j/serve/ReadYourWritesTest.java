package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Predictions by a model that has learned what the client sent; bodies that are packed. */
class ReadYourWritesTest {
  @TempDir Path folder;

  @Test
  void aPredictionWaitsForTheRowThatItNames() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create(
          "m", Map.of("task", "binary", "update", "sgd", "gamma", 2, "delta", 0.3));
      for (int i = 0; i < 20; i++) {
        Map<String, Object> written = service.client.learn("m", ApiTest.rows(50, i), null);
        long sequence = ((Number) written.get("sequence")).longValue();
        Map<String, Object> answer = service.client.predict("m", ApiTest.rows(1, 99), sequence);
        assertThat(((Number) answer.get("sequence")).longValue()).isGreaterThanOrEqualTo(sequence);
      }
    }
  }

  @Test
  void theWaitIsBoundedAndNumbersAreChecked() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of());
      service.client.learn("m", ApiTest.rows(20, 1), null);
      List<Map<String, Object>> rows = ApiTest.rows(1, 2);
      assertThatThrownBy(() -> service.client.predict("m", rows, 1_000_000))
          .hasMessageContaining("did not learn row 1000000")
          .extracting("status")
          .isEqualTo(503);
      for (String wrong : List.of("x", "-1", "1.5", "")) {
        assertThat(service.post("/v1/models/m/predict?min-sequence=" + wrong, "{\"x\":1}").status())
            .as(wrong)
            .isEqualTo(400);
      }
    }
  }

  @Test
  void anUnknownQueryParameterIsRefused() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of());
      service.client.learn("m", ApiTest.rows(5, 1), null);
      String row = "{\"x\":1,\"y\":2,\"label\":1}";
      for (String path :
          List.of(
              "/v1/models/m/predict?minsequence=3",
              "/v1/models/m/predict?min-sequence=0&depth=2",
              "/v1/models/m/learn?min-sequence=3",
              "/v1/models/m/observe?lable=label",
              "/v1/models/m/labels?label=label",
              "/v2/models/m/infer?sequence=1")) {
        Service.Reply reply = service.post(path, row);
        assertThat(reply.status()).as(path).isEqualTo(400);
        assertThat(reply.body()).contains("unknown query parameter");
      }
      Service.Reply twice = service.post("/v1/models/m/predict?min-sequence=1&min-sequence=9", row);
      assertThat(twice.status()).isEqualTo(400);
      assertThat(twice.body()).contains("given more than once");
      assertThat(service.post("/v1/models/m/predict?min-sequence=5", row).status()).isEqualTo(200);
      assertThat(service.post("/v1/models/m/learn?label=label", row).status()).isEqualTo(200);
    }
  }

  @Test
  void gzipMayHaveSeveralMembers() throws IOException {
    byte[] first = gzip("{\"x\":1,".getBytes(StandardCharsets.UTF_8));
    byte[] second = gzip("\"label\":1}".getBytes(StandardCharsets.UTF_8));
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    assertThat(new String(GzipBody.unpack(both, 1000), StandardCharsets.UTF_8))
        .isEqualTo("{\"x\":1,\"label\":1}");
  }

  @Test
  void thousandsOfEmptyMembersAreRefused() throws IOException {
    ByteArrayOutputStream many = new ByteArrayOutputStream();
    for (int i = 0; i < 100_000; i++) {
      many.write(gzip(new byte[0]));
    }
    assertThatThrownBy(() -> GzipBody.unpack(many.toByteArray(), 1000))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("valid gzip");
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  @Test
  void bodiesMayBePackedAndMayNotBeBombs() throws IOException {
    HttpLimits limits = HttpLimits.DEFAULT.withMaxBody(100_000);
    try (Service service = new Service(folder, options -> options.withHttp(limits))) {
      service.client.create("m", Map.of());
      byte[] plain = JsonValues.bytes(ApiTest.rows(50, 1));
      String[] packed = {"Content-Encoding", "gzip", "Content-Type", "application/json"};
      Service.Reply reply = service.send("POST", "/v1/models/m/learn", gzip(plain), packed);
      assertThat(reply.json()).containsEntry("rows", 50L);
      byte[] bomb = gzip(new byte[10_000_000]);
      assertThat(bomb.length).isLessThan(100_000);
      assertThat(service.send("POST", "/v1/models/m/learn", bomb, packed).status()).isEqualTo(413);
      assertThat(service.send("POST", "/v1/models/m/learn", plain, packed).status()).isEqualTo(400);
      byte[] cut = Arrays.copyOf(gzip(plain), 100);
      assertThat(service.send("POST", "/v1/models/m/learn", cut, packed).status()).isEqualTo(400);
      byte[] whole = gzip(plain);
      for (int more : new int[] {1, 7, 8, 30, 5000}) {
        byte[] longer = Arrays.copyOf(whole, whole.length + more);
        Service.Reply refused = service.send("POST", "/v1/models/m/learn", longer, packed);
        assertThat(refused.status()).as("%d bytes more", more).isEqualTo(400);
        assertThat(refused.body()).contains("after the end of its gzip");
      }
      byte[] other = "x".getBytes(StandardCharsets.UTF_8);
      assertThat(
              service.send("POST", "/v1/models/m/learn", other, "Content-Encoding", "br").status())
          .isEqualTo(415);
      assertThat(service.settled("m", 50)).containsEntry("sequence", 50L);
    }
  }
}
