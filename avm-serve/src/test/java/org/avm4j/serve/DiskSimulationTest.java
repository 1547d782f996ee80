package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.avm4j.serve.SimulatedDisk.Event;
import org.avm4j.serve.StoreWriter.Operation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The store after power failures at any moment: every acknowledged request is there once and in
 * order, no other in part, and recovery gives the same learner. Moments and the fate of unsynced
 * writes come from a seed, so that a failure can be had again.
 */
class DiskSimulationTest {
  private static final int OPERATIONS = 300;
  private static final int CRASHES = 200;

  @TempDir Path folder;
  private List<Operation> operations;
  private SimulatedDisk disk;

  /** {@code DiskSimulationTest CRASHES FIRST_SEED}: the long version. */
  public static void main(String[] args) throws Exception {
    DiskSimulationTest test = new DiskSimulationTest();
    test.folder = Files.createTempDirectory("avm-simulation");
    test.record();
    long start = System.nanoTime();
    int crashes = Integer.parseInt(args[0]);
    test.crashes(test.disk, Long.parseLong(args[1]), crashes);
    System.out.println(
        crashes
            + " crashes at "
            + test.disk.events.size()
            + " moments, 0 acknowledged rows lost, doubled or out of order, 0 different models; "
            + (System.nanoTime() - start) / 1_000_000_000
            + " s");
  }

  @BeforeEach
  void record() throws Exception {
    assumeTrue(run(List.of("strace", "-o", "/dev/null", "true")) == 0, "strace does not work here");
    Path data = Files.createDirectories(folder.resolve("data"));
    Path trace = folder.resolve("trace");
    List<String> command =
        new ArrayList<>(
            List.of(
                "strace",
                "-f",
                "-y",
                "-xx",
                "--seccomp-bpf",
                "-s",
                "10000000",
                "-e",
                "trace=write,pwrite64,lseek,ftruncate,fsync,fdatasync",
                "-e",
                "signal=none",
                "-o",
                trace.toString()));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(
        List.of(StoreWriter.class.getName(), data.toString(), Integer.toString(OPERATIONS), "1"));
    assumeTrue(run(command) == 0, "processes cannot be traced here");
    operations = StoreWriter.operations(OPERATIONS, 1);
    disk = SimulatedDisk.of(trace, data.toRealPath());
    assertThat(acknowledged(disk.events, disk.events.size())).isEqualTo(OPERATIONS - 1);
  }

  private static int run(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor();
    } catch (IOException absent) {
      return -1;
    }
  }

  /** The last operation that was acknowledged before a moment, -1 for none, -2 without models. */
  private static int acknowledged(List<Event> events, int before) {
    int last = -2;
    for (Event event : events.subList(0, before)) {
      if (event instanceof Event.Acknowledged done && done.operation() < StoreWriter.KEPT) {
        last = done.operation();
      }
    }
    return last;
  }

  /** The last operation whose rows wait for their labels for sure. */
  private static int kept(List<Event> events, int before) {
    int last = -1;
    for (Event event : events.subList(0, before)) {
      if (event instanceof Event.Acknowledged done
          && done.operation() >= StoreWriter.KEPT
          && done.operation() < StoreWriter.ROLES) {
        last = done.operation() - StoreWriter.KEPT;
      }
    }
    return last;
  }

  /** How often it was acknowledged that somebody else answers. */
  private static int roles(List<Event> events, int before) {
    int changes = 0;
    for (Event event : events.subList(0, before)) {
      if (event instanceof Event.Acknowledged done && done.operation() >= StoreWriter.ROLES) {
        changes++;
      }
    }
    return changes;
  }

  @Test
  void whatIsAcknowledgedSurvivesEveryCrash() throws IOException {
    crashes(disk, 1, CRASHES);
  }

  @Test
  void aMissingSyncIsFound() {
    disk.events.removeIf(event -> event instanceof Event.Sync sync && sync.file().endsWith("-wal"));
    assertThatThrownBy(() -> crashes(disk, 1, CRASHES)).isInstanceOf(AssertionError.class);
  }

  @Test
  void anEarlyAcknowledgementIsFound() {
    List<Event> events = disk.events;
    for (int i = 1; i < events.size(); i++) {
      int at = i;
      while (events.get(at) instanceof Event.Acknowledged
          && !(events.get(at - 1) instanceof Event.Acknowledged)
          && i - at < 8) {
        Event before = events.set(at - 1, events.get(at));
        events.set(at--, before);
      }
    }
    assertThatThrownBy(() -> crashes(disk, 1, CRASHES)).isInstanceOf(AssertionError.class);
  }

  private void crashes(SimulatedDisk on, long firstSeed, int n) throws IOException {
    int first = 0;
    while (!(on.events.get(first) instanceof Event.Acknowledged)) {
      first++;
    }
    for (long seed = firstSeed; seed < firstSeed + n; seed++) {
      int after = first + 1 + new Random(seed).nextInt(on.events.size() - first - 1);
      Path left = folder.resolve("left");
      on.crash(after, seed, left);
      try {
        check(
            left, acknowledged(on.events, after), kept(on.events, after), roles(on.events, after));
      } catch (AssertionError | IOException | RuntimeException wrong) {
        throw new AssertionError("seed " + seed + ", crash after event " + after, wrong);
      }
      delete(left);
    }
  }

  private void check(Path left, int acknowledged, int kept, int roles) throws IOException {
    try (Store store = Store.open(left, StoreLimits.DEFAULT, Clock.systemUTC())) {
      List<Store.Entry> learners = store.models();
      List<Store.Entry> models = learners.stream().filter(entry -> !entry.isChallenger()).toList();
      assertThat(models).extracting(Store.Entry::name).isEqualTo(StoreWriter.MODELS);
      assertThat(roles(learners)).isIn(StoreWriter.roles(roles), StoreWriter.roles(roles + 1));
      int there = requests(store, models, acknowledged);
      for (Store.Entry learner : learners) {
        sameLearner(store, learner);
      }
      sendAgain(store, models, there, kept);
    }
  }

  /** Checks that whole requests are there, up to one that was at least acknowledged. */
  private int requests(Store store, List<Store.Entry> models, int acknowledged) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (Store.Entry model : models) {
      List<String> all = new ArrayList<>();
      store.replay(model.id(), 0, batch -> all.addAll(texts(batch.rows())));
      rows.add(all);
    }
    int total = rows.stream().mapToInt(List::size).sum();
    int there = -1;
    List<List<String>> expected = List.of(new ArrayList<>(), new ArrayList<>());
    int count = 0;
    while (count < total && there < operations.size() - 1) {
      Operation next = operations.get(++there);
      expected.get(next.model()).addAll(texts(next.rows()));
      count += next.rows().size();
    }
    assertThat(there).as("the last request that is there").isGreaterThanOrEqualTo(acknowledged);
    assertThat(rows).isEqualTo(expected);
    return there;
  }

  private static List<String> texts(List<ServedRow> rows) {
    return rows.stream()
        .map(row -> HexFormat.of().formatHex(RowCodec.encode(List.of(row))))
        .toList();
  }

  private static String roles(List<Store.Entry> learners) {
    Store.Entry leader = learners.get(0);
    boolean isChallenged = learners.size() > StoreWriter.MODELS.size();
    return (isChallenged ? "challenged " : "")
        + leader.learner()
        + (leader.champion() > 0 ? " pinned" : "");
  }

  /** Checks that a learner and its versions are what follows from the rows. */
  private static void sameLearner(Store store, Store.Entry entry) throws IOException {
    List<Version> versions = store.versions().list(entry);
    assertThat(versions).hasSizeLessThanOrEqualTo(VersionLedger.KEPT);
    if (entry.champion() > 0 && !entry.isChallenger()) {
      assertThat(versions).extracting(Version::number).contains(entry.champion());
    }
    Map<Long, byte[]> expected = new HashMap<>();
    for (Version version : versions) {
      expected.put(version.sequence(), store.versions().body(entry, version.number()));
    }
    ModelSpec spec = StoreWriter.SPEC;
    Learning fromRows = Learning.of(spec, entry.learner(), entry.begun());
    store.replay(
        entry.id(),
        entry.begun(),
        batch -> {
          batch.rows().forEach(fromRows::take);
          byte[] version = expected.remove(batch.last());
          if (version != null) {
            assertThat(version).isEqualTo(fromRows.toBytes());
          }
        });
    assertThat(expected).isEmpty();
    Learning recovered =
        new Recovery(store, new ServeLog(line -> {}))
            .recover(entry, spec, entry.next() - 1, sequence -> {})
            .learning();
    assertThat(recovered.toBytes()).isEqualTo(fromRows.toBytes());
  }

  /** A client that sends all again which it does not know of gets each request in once. */
  private void sendAgain(Store store, List<Store.Entry> models, int there, int kept) {
    int from = Math.max(0, there - 2);
    for (Operation each :
        operations.subList(from, Math.min(operations.size(), Math.max(there, 0) + 2))) {
      long model = models.get(each.model()).id();
      if (each.isLate() && each.number() > kept) {
        store.keep(model, "", 1000, each.waiting(), null).join();
      }
      Store.Receipt receipt = each.send(store, model, batch -> {}).join();
      assertThat(receipt.isRepeated()).isEqualTo(each.number() <= there);
      assertThat(receipt.batch().rows()).hasSameSizeAs(each.rows());
      assertThat(receipt.unknown()).isEmpty();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
