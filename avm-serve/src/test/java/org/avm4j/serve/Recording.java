package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.avm4j.serve.SimulatedDisk.Event;
import org.avm4j.serve.SimulatedWorkload.Operation;

/** What a {@link SimulatedService} did to its disk, and crashes at moments of it. */
final class Recording {
  final long seed;
  final SimulatedDisk disk;

  /** A number that stands for all steps of the simulated threads. */
  final String steps;

  private final Path folder;
  private final List<Operation> order = new ArrayList<>();
  private final CrashCheck check;

  private Recording(Path folder, long seed, int operations, SimulatedDisk disk) throws IOException {
    this.folder = folder;
    this.seed = seed;
    this.disk = disk;
    List<String> lines = Files.readAllLines(folder.resolve(seed + ".steps"));
    steps = lines.remove(lines.size() - 1);
    if (!steps.startsWith(SimulatedService.FAILED)) {
      List<Operation> all = SimulatedWorkload.operations(operations, seed);
      lines.forEach(line -> order.add(all.get(Integer.parseInt(line))));
      assertThat(order).containsExactlyInAnyOrderElementsOf(all);
    }
    check = new CrashCheck(order);
  }

  /** Whether system calls can be traced here. */
  static boolean isPossible() {
    return run(List.of("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true"), null) == 0;
  }

  /**
   * Runs a simulated service in a process of its own, once for each seed.
   *
   * @param bug put in on purpose, empty for none
   */
  static List<Recording> of(Path parent, int operations, long first, int seeds, String bug)
      throws IOException {
    Path folder = Files.createTempDirectory(parent, "run").toRealPath();
    Path trace = folder.resolve("trace");
    List<String> command =
        new ArrayList<>(
            List.of("strace", "-f", "-y", "-xx", "--seccomp-bpf", "-s", "10000000", "-e"));
    command.add("trace=write,pwrite64,lseek,ftruncate,fsync,fdatasync");
    command.addAll(List.of("-e", "signal=none", "-o", trace.toString()));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(
        List.of(
            SimulatedService.class.getName(),
            folder.toString(),
            Integer.toString(operations),
            Long.toString(first),
            Integer.toString(seeds),
            bug));
    Path output = folder.resolve("output");
    assertThat(run(command, output)).as(() -> text(output)).isZero();
    Map<String, SimulatedDisk> disks = SimulatedDisk.of(trace, folder);
    Files.delete(trace);
    List<Recording> recordings = new ArrayList<>();
    for (long seed = first; seed < first + seeds; seed++) {
      SimulatedDisk disk = disks.get(Long.toString(seed));
      recordings.add(new Recording(folder, seed, operations, disk));
    }
    return recordings;
  }

  private static int run(List<String> command, Path output) {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(
              output == null
                  ? ProcessBuilder.Redirect.DISCARD
                  : ProcessBuilder.Redirect.to(output.toFile()))
          .start()
          .waitFor();
    } catch (IOException absent) {
      return -1;
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException none) {
      return "";
    }
  }

  /**
   * A power failure after some events.
   *
   * @param undone the events that the seed may undo
   */
  private record Crash(long seed, int after, Set<Integer> undone) {
    @Override
    public String toString() {
      String moment = "Crash[seed=" + seed + ", after=" + after;
      return undone.size() > 20 ? moment + "]" : moment + ", undone=" + undone + "]";
    }
  }

  private Crash crash(long seed, int after) {
    return new Crash(seed, after, disk.unsynced(after));
  }

  /** The first event after the models were made. */
  private int begin() {
    int first = 0;
    while (!(disk.events.get(first) instanceof Event.Acknowledged)) {
      first++;
    }
    return first + 1;
  }

  /**
   * Crashes at moments that are drawn, the end among them.
   *
   * @throws AssertionError if the run failed, or with the shortest crash after which the store is
   *     not what it must be
   */
  void crashes(long firstSeed, int n) {
    if (steps.startsWith(SimulatedService.FAILED)) {
      throw new AssertionError("run " + seed + " " + steps);
    }
    int from = begin();
    Optional<Crash> failed =
        LongStream.range(firstSeed, firstSeed + n)
            .parallel()
            .mapToObj(
                seed ->
                    crash(
                        seed,
                        seed == firstSeed
                            ? disk.events.size()
                            : from + new Random(seed).nextInt(disk.events.size() - from)))
            .filter(crash -> failure(crash) != null)
            .findAny();
    if (failed.isPresent()) {
      Crash least = fewest(shortest(failed.get(), from));
      throw new AssertionError(
          "run " + seed + ": " + failed.get() + " fails, and so does " + least, failure(least));
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
    Path left = folder.resolve("left-" + seed + "-" + crash.seed());
    try {
      disk.crash(crash.after(), crash.seed(), crash.undone(), left);
      check(left, disk.events.subList(0, crash.after()));
      return null;
    } catch (AssertionError | IOException | RuntimeException wrong) {
      return wrong;
    } finally {
      delete(left);
    }
  }

  private void check(Path left, List<Event> before) throws IOException {
    Set<Integer> acknowledged = new HashSet<>();
    Set<Integer> kept = new HashSet<>();
    int roles = 0;
    for (Event event : before) {
      if (event instanceof Event.Acknowledged done) {
        if (done.operation() >= SimulatedService.ROLES) {
          roles++;
        } else if (done.operation() >= SimulatedService.KEPT) {
          kept.add(done.operation() - SimulatedService.KEPT);
        } else {
          acknowledged.add(done.operation());
        }
      }
    }
    int last = order.size() - 1;
    while (last >= 0 && !acknowledged.contains(order.get(last).number())) {
      last--;
    }
    check.check(left, last, kept, roles);
  }

  /** Removes all files of a folder. */
  static void delete(Path folder) {
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
