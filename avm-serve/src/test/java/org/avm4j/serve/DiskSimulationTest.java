package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.avm4j.serve.SimulatedDisk.Event;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The store after power failures at any moment: every acknowledged request is there once and in
 * order, no other in part, and recovery gives the same learner. Moments and the fate of unsynced
 * writes come from a seed, so that a failure can be had again.
 */
@Tag("slow")
class DiskSimulationTest {
  private static final int OPERATIONS = 200;
  private static final int CRASHES = 150;

  /** How many workloads the long version writes, each from a seed of its own. */
  private static final int WORKLOADS = 5;

  @TempDir Path folder;
  private CrashCheck check;
  private SimulatedDisk disk;

  /** {@code DiskSimulationTest CRASHES FIRST_SEED}: the long version. */
  public static void main(String[] args) throws Exception {
    DiskSimulationTest test = new DiskSimulationTest();
    long start = System.nanoTime();
    int crashes = Integer.parseInt(args[0]) / WORKLOADS;
    for (int workload = 1; workload <= WORKLOADS; workload++) {
      test.folder = Files.createTempDirectory("avm-simulation");
      test.record(workload);
      test.crashes(Long.parseLong(args[1]), crashes);
      System.out.println(
          crashes
              + " crashes of workload "
              + workload
              + " at "
              + test.disk.events.size()
              + " moments, 0 acknowledged rows lost, doubled or out of order, 0 different models; "
              + (System.nanoTime() - start) / 1_000_000_000
              + " s");
    }
  }

  /** Has a process write what a seed says, and reads from its trace what reached the disk. */
  private void record(long workload) throws Exception {
    assumeTrue(
        run(List.of("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true")) == 0,
        "strace does not work here");
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
        List.of(
            StoreWriter.class.getName(),
            data.toString(),
            Integer.toString(OPERATIONS),
            Long.toString(workload)));
    assertThat(run(command)).isZero();
    check = new CrashCheck(StoreWriter.operations(OPERATIONS, workload));
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

  /** The first workload keeps all rows, the others drop those that versions hold. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whatIsAcknowledgedSurvivesEveryCrash(long workload) throws Exception {
    record(workload);
    crashes(1, CRASHES);
  }

  @Test
  void rowsAreDroppedInTheSimulation() throws Exception {
    record(2);
    Path left = folder.resolve("left");
    disk.crash(disk.events.size(), 1, Set.of(), left);
    try (Store store = Store.open(left, StoreLimits.DEFAULT, Clock.systemUTC())) {
      long first = store.read(database -> database.number("SELECT min(first) FROM batch"));
      assertThat(first).isGreaterThan(1);
    }
  }

  @Test
  void aMissingSyncIsFoundAndTheLostWritesThatDoNotMatterAreLeftOut() throws Exception {
    record(1);
    disk.events.removeIf(event -> event instanceof Event.Sync sync && sync.file().endsWith("-wal"));
    assertThatThrownBy(() -> crashes(1, CRASHES))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("(?s).*fails, and so does .*undone=\\[\\d+(, \\d+){0,3}].*");
  }

  @Test
  void anEarlyAcknowledgementIsFound() throws Exception {
    record(1);
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
    assertThatThrownBy(() -> crashes(1, CRASHES)).isInstanceOf(AssertionError.class);
  }

  /**
   * A power failure after some events.
   *
   * @param undone the events that the seed may undo
   */
  private record Crash(long seed, int after, Set<Integer> undone) {
    @Override
    public String toString() {
      return undone.size() > 20
          ? "Crash[seed=" + seed + ", after=" + after + "]"
          : "Crash[seed=" + seed + ", after=" + after + ", undone=" + undone + "]";
    }
  }

  private Crash crash(long seed, int after) {
    return new Crash(seed, after, disk.unsynced(after));
  }

  private void crashes(long firstSeed, int n) {
    int first = 0;
    while (!(disk.events.get(first) instanceof Event.Acknowledged)) {
      first++;
    }
    int from = first + 1;
    Optional<Crash> failed =
        LongStream.range(firstSeed, firstSeed + n)
            .parallel()
            .mapToObj(
                seed -> crash(seed, from + new Random(seed).nextInt(disk.events.size() - from)))
            .filter(crash -> failure(crash) != null)
            .findAny();
    if (failed.isPresent()) {
      Crash least = fewest(shortest(failed.get(), from));
      throw new AssertionError(failed.get() + " fails, and so does " + least, failure(least));
    }
  }

  /** An earlier moment at which the same seed fails. */
  private Crash shortest(Crash failed, int from) {
    Crash shortest = failed;
    int step = (failed.after() - from) / 2;
    while (step > 0) {
      int earlier = shortest.after() - step;
      if (earlier >= from && failure(crash(failed.seed(), earlier)) != null) {
        shortest = crash(failed.seed(), earlier);
      } else {
        step /= 2;
      }
    }
    return shortest;
  }

  /** The same failure with fewer events undone, found by leaving out ever smaller parts of them. */
  private Crash fewest(Crash failed) {
    Crash fewest = failed;
    for (int part = (failed.undone().size() + 1) / 2; part > 0; part /= 2) {
      int at = 0;
      while (at < fewest.undone().size()) {
        List<Integer> left = new ArrayList<>(fewest.undone());
        left.subList(at, Math.min(at + part, left.size())).clear();
        Crash other = new Crash(failed.seed(), failed.after(), new TreeSet<>(left));
        if (failure(other) != null) {
          fewest = other;
        } else {
          at += part;
        }
      }
    }
    return fewest;
  }

  /** What is wrong with the store after a crash; null if nothing is. */
  private Throwable failure(Crash crash) {
    int after = crash.after();
    Path left = folder.resolve("left-" + crash.seed());
    try {
      disk.crash(after, crash.seed(), crash.undone(), left);
      check.check(
          left,
          acknowledged(disk.events, after),
          kept(disk.events, after),
          roles(disk.events, after));
      return null;
    } catch (AssertionError | IOException | RuntimeException wrong) {
      return wrong;
    } finally {
      delete(left);
    }
  }

  private static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
