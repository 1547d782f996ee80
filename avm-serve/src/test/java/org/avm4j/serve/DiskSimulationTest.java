package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.avm4j.serve.SimulatedDisk.Event;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The store after power failures at any moment: every acknowledged request is there once and in
 * order, no other in part, and recovery gives the same learner. Moments and the fate of unsynced
 * writes come from a seed, so that a failure can be had again.
 */
@Tag("slow")
class DiskSimulationTest {
  private static final int OPERATIONS = 300;
  private static final int CRASHES = 200;

  @TempDir Path folder;
  private CrashCheck check;
  private SimulatedDisk disk;

  /** {@code DiskSimulationTest CRASHES FIRST_SEED}: the long version. */
  public static void main(String[] args) throws Exception {
    DiskSimulationTest test = new DiskSimulationTest();
    test.folder = Files.createTempDirectory("avm-simulation");
    test.record();
    long start = System.nanoTime();
    int crashes = Integer.parseInt(args[0]);
    test.crashes(Long.parseLong(args[1]), crashes);
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
    check = new CrashCheck(StoreWriter.operations(OPERATIONS, 1));
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
  void whatIsAcknowledgedSurvivesEveryCrash() {
    crashes(1, CRASHES);
  }

  @Test
  void aMissingSyncIsFound() {
    disk.events.removeIf(event -> event instanceof Event.Sync sync && sync.file().endsWith("-wal"));
    assertThatThrownBy(() -> crashes(1, CRASHES))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("fails, and so does");
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
    assertThatThrownBy(() -> crashes(1, CRASHES)).isInstanceOf(AssertionError.class);
  }

  /** A power failure after some events. */
  private record Crash(long seed, int after) {}

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
                seed -> new Crash(seed, from + new Random(seed).nextInt(disk.events.size() - from)))
            .filter(crash -> failure(crash) != null)
            .findAny();
    if (failed.isPresent()) {
      Crash shortest = shortest(failed.get(), from);
      throw new AssertionError(failed.get() + " fails, and so does " + shortest, failure(shortest));
    }
  }

  /** An earlier moment at which the same seed fails. */
  private Crash shortest(Crash failed, int from) {
    Crash shortest = failed;
    int step = (failed.after() - from) / 2;
    while (step > 0) {
      Crash earlier = new Crash(failed.seed(), shortest.after() - step);
      if (earlier.after() >= from && failure(earlier) != null) {
        shortest = earlier;
      } else {
        step /= 2;
      }
    }
    return shortest;
  }

  /** What is wrong with the store after a crash; null if nothing is. */
  private Throwable failure(Crash crash) {
    int after = crash.after();
    Path left = folder.resolve("left-" + crash.seed());
    try {
      disk.crash(after, crash.seed(), left);
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
