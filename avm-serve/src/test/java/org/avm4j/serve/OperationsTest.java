package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Small things that an operator expects. */
@Timeout(120)
class OperationsTest {
  @TempDir Path folder;

  @Test
  void nobodyElseMayReadTheFilesOfAStoreAndItsCopies() throws IOException {
    Path data = folder.resolve("data");
    try (Service service = new Service(data)) {
      service.client.create("m", Map.of());
      AvmServer.backup(data, data.resolve("copy.db"));
      try (Stream<Path> files = Files.list(data)) {
        List<Path> all = files.toList();
        assertThat(all).hasSizeGreaterThan(4);
        assertThat(all)
            .allSatisfy(
                file ->
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .as(file.toString())
                        .isEqualTo("rw-------"));
      }
    }
  }

  /** The store is so large that its copy takes longer than the end of an idle service. */
  @Test
  void aBackupThatIsUnderWayWhenTheServiceEndsIsAnswered() throws Exception {
    Path data = folder.resolve("data");
    new Service(data).close();
    try (Database database = Database.open(data.resolve(StoreFolder.FILE))) {
      database.execute("CREATE TABLE ballast AS SELECT randomblob(50000000)");
    }
    ExecutorService client = Executors.newSingleThreadExecutor();
    try (Service service = new Service(data)) {
      Future<Integer> reply = client.submit(() -> service.get("/v1/backup").status());
      while (!hasCopy(data) && !reply.isDone()) {
        Thread.sleep(1);
      }
      service.server.close();
      assertThat(reply.get()).isIn(200, 503);
    } finally {
      client.shutdownNow();
    }
  }

  @Test
  void aBackupThatNobodyWantsAnyMoreIsGivenUp() throws Exception {
    new Service(folder).close();
    Path copy = folder.resolve("copy.db");
    try (Database database = Database.open(folder.resolve(StoreFolder.FILE))) {
      database.execute(
          "CREATE TABLE ballast AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
              + " LIMIT 1000) SELECT i FROM n");
    }
    assertThatThrownBy(() -> StoreFolder.backup(folder, copy, () -> true))
        .isInstanceOf(IOException.class);
    assertThat(copy).doesNotExist();
    StoreFolder.backup(folder, copy, () -> false);
    assertThat(copy).exists();
  }

  private static boolean hasCopy(Path data) throws IOException {
    try (Stream<Path> files = Files.list(data)) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith("backup-"));
    }
  }

  @Test
  void backupsWithTheSameRequestIdDoNotShareAFile() throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of());
      ExecutorService clients = Executors.newFixedThreadPool(8);
      try {
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
          all.add(clients.submit(() -> service.get("/v1/backup", "X-Request-Id", "same").status()));
        }
        for (Future<Integer> each : all) {
          assertThat(each.get()).isEqualTo(200);
        }
      } finally {
        clients.shutdownNow();
      }
    }
  }

  @Test
  void aBackupThatAKilledServiceLeftBehindIsDeletedAtTheStart() throws IOException {
    Path copy = Files.writeString(folder.resolve("backup-1x2y.tmp"), "half of a copy");
    new Service(folder).close();
    assertThat(copy).doesNotExist();
  }

  @Test
  void everyRequestIsLoggedWithItsClientModelStatusAndTime() throws Exception {
    try (Service service = new Service(folder, options -> options.withRequestLog(true))) {
      service.client.create("m", Map.of());
      service.get("/v1/models/m");
      Optional<String> line = Optional.empty();
      while (line.isEmpty()) {
        Thread.sleep(5);
        line = service.log.stream().filter(each -> each.contains("\"GET\"")).findFirst();
      }
      assertThat(JsonValues.object(line.get().getBytes(StandardCharsets.UTF_8)))
          .containsEntry("client", "127.0.0.1")
          .containsEntry("model", "m")
          .containsEntry("status", 200L)
          .containsKeys("time", "ms", "request", "path");
    }
  }

  @Test
  void theTraceOfARequestStandsInTheLog() throws Exception {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    try (Service service = new Service(folder, options -> options.withRequestLog(true))) {
      service.get("/health", "traceparent", "00-" + trace + "-00f067aa0ba902b7-01");
      service.get("/v2", "traceparent", "00-" + trace + "-0000000000000000-01");
      while (service.log.stream().filter(line -> line.contains("\"GET\"")).count() < 2) {
        Thread.sleep(5);
      }
      assertThat(service.log)
          .anyMatch(
              line -> line.contains("/health") && line.contains("\"trace\":\"" + trace + "\""))
          .noneMatch(line -> line.contains("/v2") && line.contains("trace"));
    }
  }

  @Test
  void headIsGetWithoutABody() throws IOException {
    try (Service service = new Service(folder)) {
      for (String path : List.of("/", "/health", "/v1/models", "/metrics", "/v1/events")) {
        Service.Reply reply = service.send("HEAD", path, new byte[0]);
        assertThat(reply.status()).as(path).isEqualTo(200);
        assertThat(reply.body()).isEmpty();
        assertThat(reply.type()).isNotEmpty();
      }
      assertThat(service.send("HEAD", "/v1/models/none", new byte[0]).status()).isEqualTo(404);
    }
  }

  @Test
  void aMissingPasswordOfTheKeyIsSaidToBeMissing() {
    Path store = folder.resolve("server.p12");
    assertThatThrownBy(() -> new Service(folder, options -> options.withTls(store, null)))
        .hasMessageContaining("password is missing")
        .hasMessageContaining("AVM_TLS_PASSWORD");
  }

  @Test
  void aPasswordThatDoesNotOpenTheKeyIsSaidToBeWrongAndNothingIsCreated() throws Exception {
    Path data = folder.resolve("data");
    TestCertificate certificate = TestCertificate.in(folder);
    Path right = certificate.use(ServeOptions.of(data)).keyStore();
    assertThatThrownBy(() -> new Service(data, options -> options.withTls(right, "no")))
        .isInstanceOf(IOException.class)
        .hasMessage(right + ": the password in AVM_TLS_PASSWORD is wrong");
    Path text = Files.writeString(folder.resolve("text.p12"), "no key");
    assertThatThrownBy(() -> new Service(data, options -> options.withTls(text, "no")))
        .isInstanceOf(IOException.class)
        .hasMessage(text + ": is not a PKCS #12 file with a key");
    assertThat(data).doesNotExist();
  }

  @Test
  void malformedJsonIsDescribedInOurWords() throws IOException {
    try (Service service = new Service(folder)) {
      service.put("/v1/models/m", "{}");
      for (String body :
          List.of(
              "{\"x\":",
              "{\"x\" 1}",
              "{x:1}",
              "{\"x\":01}",
              "{\"x\":" + "9".repeat(500) + "}",
              "{\"x\":\"\u0001\"}")) {
        Service.Reply reply = service.post("/v1/models/m/learn", body);
        assertThat(reply.status()).as(body).isEqualTo(400);
        assertThat(reply.body())
            .as(body)
            .contains("JSON")
            .doesNotContain("Unexpected", "token", "Feature", "Document", "code ", "StreamRead");
      }
      assertThat(service.post("/v1/models/m/learn", "{\"x\":").json())
          .containsEntry("line", 1L)
          .extractingByKey("detail")
          .asString()
          .contains("is incomplete");
    }
  }

  /** A store as a killed process leaves it. */
  private Path killed() throws Exception {
    Path data = folder.resolve("data");
    ServiceProcess process = ServiceProcess.start(data);
    AvmClient client = new AvmClient(process.uri());
    client.create("m", Map.of());
    client.learn("m", ApiTest.rows(50, 1), null);
    process.kill();
    return data;
  }

  @Test
  void aLogThatIsGoneWithItsMarkIsNoticedAndRepairSaysWhatIsLost() throws Exception {
    Path data = killed();
    Files.delete(data.resolve(StoreFolder.FILE + "-wal"));
    Files.delete(data.resolve(StoreFolder.MARK));
    assertThatThrownBy(() -> new Service(data))
        .isInstanceOf(DamageException.class)
        .hasMessageContaining("its write-ahead log with the rows acknowledged last is missing");
    List<String> report = new ArrayList<>();
    AvmServer.repair(data, report::add);
    assertThat(report).anyMatch(line -> line.contains("acknowledged last are lost"));
    new Service(data).close();
    new Service(data).close();
  }

  /** The content of each file by its name. */
  private static Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        all.put(file.getFileName().toString(), new String(bytes, StandardCharsets.ISO_8859_1));
      }
    }
    return all;
  }

  @Test
  void aMissingDatabaseIsNoticedBeforeAnythingOfTheStoreIsChanged() throws Exception {
    Path data = killed();
    Path file = data.resolve(StoreFolder.FILE);
    Path away = folder.resolve("away.db");
    Files.move(file, away);
    Map<String, String> before = contents(data);
    assertThatThrownBy(() -> new Service(data))
        .isInstanceOf(DamageException.class)
        .hasMessageContaining("avm.db: is missing, but avm.db-wal of the same store is there")
        .hasMessageContaining("put the file back, or move the folder away");
    assertThat(contents(data)).isEqualTo(before);
    Files.createFile(file);
    assertThatThrownBy(() -> new Service(data)).hasMessageContaining("is missing (it is empty)");
    Files.delete(file);
    assertThat(contents(data)).isEqualTo(before);
    Files.move(away, file);
    try (Service service = new Service(data)) {
      assertThat(service.client.model("m")).containsEntry("sequence", 50L);
    }
  }

  @Test
  void aDatabaseThatIsMissingAfterAProperEndIsNoticedByItsMark() throws Exception {
    Path data = folder.resolve("data");
    try (Service service = new Service(data)) {
      service.client.create("m", Map.of());
    }
    Files.delete(data.resolve(StoreFolder.FILE));
    Map<String, String> before = contents(data);
    assertThatThrownBy(() -> new Service(data))
        .isInstanceOf(DamageException.class)
        .hasMessageContaining("but avm.mark of the same store is there");
    assertThat(contents(data)).isEqualTo(before);
  }

  @Test
  void repairAfterAnEmptiedLogCountsTheTransactionsThatAreLost() throws Exception {
    Path data = killed();
    Files.write(data.resolve(StoreFolder.FILE + "-wal"), new byte[0]);
    assertThatThrownBy(() -> new Service(data)).isInstanceOf(DamageException.class);
    List<String> report = new ArrayList<>();
    AvmServer.repair(data, report::add);
    assertThat(report)
        .anyMatch(line -> line.contains("2 acknowledged transactions at the end are missing"));
  }

  private static Set<String> names(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theDocumentationAndTheDashboardNameTheFiguresThatThereAre() throws IOException {
    try (Service service = new Service(folder)) {
      Set<String> figures = names(service.get("/metrics").body(), "# TYPE (avm_\\w+) ");
      String page = Files.readString(Path.of("..", "docs", "monitoring.md"));
      String table = page.substring(page.indexOf("## Figures"), page.indexOf("## The log"));
      assertThat(names(table, "`(avm_\\w+)`")).isEqualTo(figures);
      Map<String, Object> dashboard =
          JsonValues.object(Files.readAllBytes(Path.of("deploy", "grafana.json")));
      assertThat(names(dashboard.get("panels").toString(), "(avm_[a-z_]+?)(?:_bucket)?\\b"))
          .hasSizeGreaterThan(15)
          .isSubsetOf(figures);
    }
  }

  @Test
  void figuresHaveOneNameForEachUnit() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("classes", Map.of("task", "binary"));
      service.client.create("numbers", Map.of("task", "regression"));
      service.client.observe("classes", ApiTest.rows(30, 1), null);
      service.client.observe("numbers", ApiTest.rows(30, 1), null);
      service.settled("classes", 30);
      service.settled("numbers", 30);
      String text = service.get("/metrics").body();
      assertThat(text)
          .contains("avm_mistake_ratio{model=\"classes\"} ")
          .contains("avm_rmse{model=\"numbers\"} ")
          .doesNotContain("avm_mistake_ratio{model=\"numbers\"}", "avm_rmse{model=\"classes\"}")
          .contains("avm_build_info{version=\"")
          .contains("avm_disk_free_bytes ")
          .contains("avm_heap_max_bytes ")
          .contains("avm_waiting_rows{model=\"classes\"} 0")
          .contains("avm_learning_lag_seconds{model=\"classes\"} 0")
          .contains("avm_answer_seconds_count{model=\"classes\"} 1");
      double ratio =
          text.lines()
              .filter(line -> line.startsWith("avm_mistake_ratio{"))
              .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
              .sum();
      assertThat(ratio).isBetween(0.0, 1.0);
    }
  }
}
