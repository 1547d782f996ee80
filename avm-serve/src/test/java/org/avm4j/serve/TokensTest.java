package org.avm4j.serve;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.avm4j.data.BadDataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TokensTest {
  @TempDir Path folder;
  private final String admin = Tokens.generate();
  private final String second = Tokens.generate();

  private Path write(String... lines) throws IOException {
    Path file = folder.resolve("tokens");
    Files.write(file, List.of(lines));
    return file;
  }

  private Service service(Path file) throws IOException {
    Tokens tokens = Tokens.load(file);
    return new Service(folder.resolve("data"), options -> options.withHost("127.0.0.1", tokens));
  }

  private static int status(Service service, String path, String token) {
    return service.get(path, "Authorization", "bearer " + token).status();
  }

  @Test
  void aTokenThatIsTakenOutOfTheFileIsRefusedWithoutARestart() throws Exception {
    Path file = write(Tokens.line(Role.ADMIN, admin), Tokens.line(Role.LEARN, second));
    try (Service service = service(file)) {
      assertThat(status(service, "/v1/models", second)).isEqualTo(200);
      write(Tokens.line(Role.ADMIN, admin));
      while (status(service, "/v1/models", second) != 401) {
        Thread.sleep(20);
      }
      assertThat(status(service, "/v1/models", admin)).isEqualTo(200);
      write("nonsense");
      while (service.log.stream().noneMatch(line -> line.contains("tokens:1: expected a role"))) {
        Thread.sleep(20);
      }
      assertThat(status(service, "/v1/models", admin)).isEqualTo(200);
      Files.delete(file);
      while (service.log.stream().noneMatch(line -> line.contains("is missing"))) {
        Thread.sleep(20);
      }
      assertThat(status(service, "/v1/models", admin)).isEqualTo(200);
    }
  }

  @Test
  void aStreamOfEventsEndsWithItsToken() throws Exception {
    Path file =
        write(Tokens.line(Role.ADMIN, admin), Tokens.line(Role.PREDICT, second) + " models=m");
    try (Service service = service(file)) {
      new AvmClient(service.server.uri(), admin).create("m", Map.of());
      List<InputStream> streams =
          List.of(events(service, "/v1/events"), events(service, "/v1/models/m/events"));
      write(Tokens.line(Role.ADMIN, admin), Tokens.line(Role.PREDICT, second) + " models=other");
      assertThat(new String(streams.get(1).readAllBytes(), StandardCharsets.UTF_8))
          .contains("data: ");
      write(Tokens.line(Role.ADMIN, admin));
      assertThat(new String(streams.get(0).readAllBytes(), StandardCharsets.UTF_8))
          .contains("data: ");
    }
  }

  @Test
  void oneTokenCannotOpenAllPages() throws Exception {
    Path file = write(Tokens.line(Role.ADMIN, admin), Tokens.line(Role.PREDICT, second));
    List<InputStream> open = new ArrayList<>();
    try (Service service = service(file)) {
      for (int i = 0; i < 20; i++) {
        HttpResponse<InputStream> response = pages(service, "/v1/events", second);
        assertThat(response.statusCode()).isEqualTo(200);
        open.add(response.body());
      }
      assertThat(pages(service, "/v1/events", second).statusCode()).isEqualTo(429);
      HttpResponse<InputStream> other = pages(service, "/v1/events", admin);
      assertThat(other.statusCode()).isEqualTo(200);
      open.add(other.body());
    }
    for (InputStream each : open) {
      each.close();
    }
  }

  private InputStream events(Service service, String path) throws Exception {
    return pages(service, path, second).body();
  }

  private static HttpResponse<InputStream> pages(Service service, String path, String token)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(service.server.uri() + path))
            .header("Authorization", "Bearer " + token)
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream());
  }

  @Test
  void aFileThatAnEditorHasChangedIsReadOrItsNameIsTold() throws IOException {
    String line = Tokens.line(Role.ADMIN, admin);
    assertThat(Tokens.load(write("\ufeff" + line + "\r", "# more\r")).caller(admin)).isNotNull();
    assertThatThrownBy(() -> Tokens.load(write(line, Tokens.line(Role.LEARN, admin) + " shop")))
        .hasMessageContaining("tokens:2: this token has a line already");
    Path latin = Files.writeString(folder.resolve("tokens"), line + " café", ISO_8859_1);
    assertThatThrownBy(() -> Tokens.load(latin))
        .isInstanceOf(BadDataException.class)
        .hasMessageEndingWith("tokens: expected text in UTF-8");
    assertThatThrownBy(() -> Tokens.load(folder))
        .isInstanceOf(BadDataException.class)
        .hasMessage(folder + ": is a folder, expected a file");
  }

  @Test
  void aTokenMayBeForSingleModels() throws IOException {
    Path file =
        write(
            Tokens.line(Role.ADMIN, admin), Tokens.line(Role.ADMIN, second) + " models=a,b tenant");
    try (Service service = service(file)) {
      AvmClient tenant = new AvmClient(service.server.uri(), second);
      AvmClient all = new AvmClient(service.server.uri(), admin);
      tenant.create("a", Map.of());
      all.create("secret", Map.of());
      tenant.learn("a", ApiTest.rows(5, 1), null);
      assertThat(tenant.models()).hasSize(1);
      assertThat(all.models()).hasSize(2);
      assertThatThrownBy(() -> tenant.model("secret")).extracting("status").isEqualTo(403);
      assertThatThrownBy(() -> tenant.create("c", Map.of())).extracting("status").isEqualTo(403);
      assertThat(status(service, "/metrics", second)).isEqualTo(403);
      assertThat(status(service, "/v2/models/secret", second)).isEqualTo(403);
      assertThat(status(service, "/v1/backup", second)).isEqualTo(403);
      assertThat(status(service, "/metrics", admin)).isEqualTo(200);
    }
  }

  @Test
  void aTokenForFiguresOfSingleModelsIsRefused() throws IOException {
    Path file = write(Tokens.line(Role.METRICS, admin) + " models=a");
    assertThatThrownBy(() -> Tokens.load(file))
        .hasMessageContaining("tokens:1:")
        .hasMessageContaining("remove models=");
  }

  @Test
  void aTokenMayHaveARate() throws IOException {
    Path file =
        write(Tokens.line(Role.ADMIN, admin), Tokens.line(Role.PREDICT, second) + " rate=1");
    try (Service service = service(file)) {
      int refused = 0;
      for (int i = 0; i < 20; i++) {
        refused += status(service, "/v1/models", second) == 429 ? 1 : 0;
      }
      assertThat(refused).isPositive();
      for (int i = 0; i < 20; i++) {
        assertThat(status(service, "/v1/models", admin)).isEqualTo(200);
      }
    }
  }

  @Test
  void aRateIsABucketThatFillsWithTime() {
    AtomicLong now = new AtomicLong();
    RateLimit rate = new RateLimit(2, now::get);
    assertThat(rate.tryTake()).isTrue();
    assertThat(rate.tryTake()).isTrue();
    assertThat(rate.tryTake()).isFalse();
    now.addAndGet(500_000_000);
    assertThat(rate.tryTake()).isTrue();
    assertThat(rate.tryTake()).isFalse();
    now.addAndGet(60_000_000_000L);
    assertThat(rate.tryTake()).isTrue();
    assertThat(rate.tryTake()).isTrue();
    assertThat(rate.tryTake()).isFalse();
  }

  @Test
  void unknownWordsOfALineAreRefused() throws IOException {
    for (String wrong :
        List.of("model=a", "pending=-1", "rate=0", "rate=x", "models=a/b", "pending=")) {
      Path file = write(Tokens.line(Role.LEARN, admin) + " " + wrong);
      assertThatThrownBy(() -> Tokens.load(file)).as(wrong).hasMessageContaining("tokens:1:");
    }
  }
}
