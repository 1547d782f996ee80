package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.avm4j.data.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many clients that send good and bad rows at once: what is acknowledged is learned, exactly. */
@Timeout(120)
class ConcurrentWritersTest {
  private static final int WRITERS = 16;
  private static final int REQUESTS = 40;
  private static final int ROWS = 6;
  private static final Map<String, Object> SPEC =
      Map.of("task", "multiclass", "update", "sgd", "gamma", 2, "delta", 0.3, "max-size", 20);

  @TempDir Path folder;

  /** Numbers of rows by what clients were told. */
  private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();

  private final Set<Long> refused = ConcurrentHashMap.newKeySet();
  private final Set<Long> refusedAtDoor = ConcurrentHashMap.newKeySet();

  @Test
  void whatIsAcknowledgedIsLearnedAndClientsAreToldOfEachRowThatIsNot() throws Exception {
    Path file = folder.resolve("m.avm");
    Map<String, Object> model;
    try (Service service = new Service(folder)) {
      service.client.create("m", SPEC);
      write(service);
      service.client.save("m", file);
      model = service.settled("m", acknowledged.size() + refused.size());
    }
    assertThat(acknowledged).hasSizeGreaterThan(1000);
    assertThat(refusedAtDoor).isNotEmpty();
    assertThat(model)
        .containsEntry("learned", (long) acknowledged.size())
        .containsEntry("refused", (long) refused.size())
        .containsEntry("sequence", (long) acknowledged.size() + refused.size());
    check(Files.readAllBytes(file));
    try (Service service = new Service(folder)) {
      Path again = folder.resolve("again.avm");
      service.client.save("m", again);
      assertThat(Files.readAllBytes(again)).isEqualTo(Files.readAllBytes(file));
    }
  }

  @Test
  void ofTwoFirstRequestsThatDisagreeOneIsLearnedAndTheOtherIsTold() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (Service service = new Service(folder)) {
      for (int i = 0; i < 10; i++) {
        String name = "m" + i;
        service.client.create(name, Map.of("task", "binary"));
        List<Future<Boolean>> both =
            threads.invokeAll(
                List.of(
                    () -> areLearned(service, name, 1, 2), () -> areLearned(service, name, 3, 4)));
        assertThat(both.get(0).get()).isNotEqualTo(both.get(1).get());
        assertThat(service.settled(name, 2)).containsEntry("learned", 2L);
      }
    }
    threads.shutdown();
  }

  private static boolean areLearned(Service service, String name, int one, int other)
      throws IOException {
    try {
      Map<String, Object> reply =
          service.client.learn(
              name, List.of(Map.of("x", 1, "label", one), Map.of("x", 2, "label", other)), null);
      boolean areLearned = reply.get("rows").equals(2L);
      List<?> refused = (List<?>) reply.getOrDefault("refused", List.of());
      assertThat(refused).hasSize(areLearned ? 0 : 2);
      return areLearned;
    } catch (AvmServiceException atDoor) {
      assertThat(atDoor).hasMessageContaining("this binary task has the labels");
      return false;
    }
  }

  private void write(Service service) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    List<Callable<Void>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      writers.add(
          () -> {
            for (int request = 0; request < REQUESTS; request++) {
              send(service, writer, request);
            }
            return null;
          });
    }
    for (Future<Void> done : threads.invokeAll(writers, 100, TimeUnit.SECONDS)) {
      done.get();
    }
    threads.shutdown();
  }

  private void send(Service service, int writer, int request) throws IOException {
    Random random = new Random(1000L * writer + request);
    List<Long> numbers = new ArrayList<>();
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      numbers.add(((long) writer * REQUESTS + request) * ROWS + i);
      rows.add(row(numbers.get(i), writer, random));
    }
    try {
      Map<String, Object> reply =
          request % 3 == 0
              ? service.client.observe("m", rows, null)
              : service.client.learn("m", rows, null);
      note(reply, numbers);
    } catch (AvmServiceException atDoor) {
      assertThat(atDoor.status()).isEqualTo(422);
      refusedAtDoor.addAll(numbers);
    }
  }

  /**
   * A row of which about one in ten is bad. Writers disagree about what a new column holds and
   * whether labels are texts. The one that comes first is right, and the others are refused.
   */
  private static Map<String, Object> row(long number, int writer, Random random) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("x", random.nextInt(60) == 0 ? 1e300 : random.nextDouble());
    row.put("n", number);
    if (random.nextInt(4) == 0) {
      row.put("new" + random.nextInt(40), writer % 2 == 0 ? 1 : "text");
    }
    int label = random.nextInt(3);
    row.put("label", random.nextInt(60) == 0 ? "text" : label);
    return row;
  }

  private void note(Map<String, Object> reply, List<Long> numbers) {
    Set<Integer> bad = new HashSet<>();
    Object listed = reply.getOrDefault("refused", List.of());
    for (Object each : (List<?>) listed) {
      Map<?, ?> one = (Map<?, ?>) each;
      assertThat(one.get("reason").toString()).isIn("label", "value");
      assertThat(one.get("detail").toString()).isNotBlank();
      bad.add(((Number) one.get("row")).intValue() - 1);
    }
    for (int i = 0; i < numbers.size(); i++) {
      (bad.contains(i) ? refused : acknowledged).add(numbers.get(i));
    }
    assertThat(((Number) reply.get("rows")).intValue()).isEqualTo(numbers.size() - bad.size());
  }

  /** The rows of the store, learned one after the other, give the same bytes and refusals. */
  private void check(byte[] served) throws IOException {
    ModelSpec spec = ModelSpec.of(SPEC);
    Learning learning = Learning.of(spec);
    Set<Long> learned = new HashSet<>();
    Set<Long> notLearned = new HashSet<>();
    try (Store store = Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC())) {
      StoredRows.replay(
          store,
          store.models().get(0).id(),
          0,
          batch ->
              batch
                  .rows()
                  .forEach(
                      row -> {
                        boolean isLearned = learning.take(row).refusal() == null;
                        (isLearned ? learned : notLearned).add(number(row));
                      }));
    }
    assertThat(learned).isEqualTo(acknowledged);
    assertThat(notLearned).isEqualTo(refused);
    assertThat(learning.pipeline().toBytes()).isEqualTo(served);
  }

  private static long number(ServedRow row) {
    return ((Number) ((Row.Named) row.row().values()).columns().get("n")).longValue();
  }
}
