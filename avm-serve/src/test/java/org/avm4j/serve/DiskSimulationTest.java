package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.avm4j.serve.SimulatedDisk.Event;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A service after power failures at any moment: every acknowledged request is there once and in
 * order, no other in part, and every learner and version is what follows from the rows. What
 * clients send, the order in which threads take turns, the time, the moments and the fate of
 * unsynced writes come from seeds, so that a failure can be had again.
 */
@Tag("slow")
class DiskSimulationTest {
  private static final int OPERATIONS = 120;
  private static final int CRASHES = 40;

  /** Crashes of each run in the long version. */
  private static final int MANY_CRASHES = 100;

  /** Runs that a process makes: its start takes as long as some of them. */
  private static final int SEEDS = 25;

  /** A disk in memory does not wait; where there is none, that of temporary files is used. */
  private static final Path MEMORY = Path.of("/dev/shm");

  private Path folder;

  /** {@code DiskSimulationTest CRASHES FIRST_SEED}: the long version. */
  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    int crashes = Integer.parseInt(args[0]);
    long seed = Long.parseLong(args[1]);
    for (int done = 0; done < crashes; done += SEEDS * MANY_CRASHES, seed += SEEDS) {
      DiskSimulationTest test = new DiskSimulationTest();
      test.begin();
      try {
        test.runs(seed, SEEDS, MANY_CRASHES, "");
      } finally {
        test.end();
      }
      System.out.println(
          (done + SEEDS * MANY_CRASHES)
              + " crashes of runs up to seed "
              + (seed + SEEDS - 1)
              + ", 0 acknowledged rows lost, doubled or out of order, 0 different models; "
              + (System.nanoTime() - start) / 1_000_000_000
              + " s");
    }
  }

  @BeforeEach
  void begin() throws IOException {
    assumeTrue(Recording.isPossible(), "strace does not work here");
    folder =
        Files.isWritable(MEMORY)
            ? Files.createTempDirectory(MEMORY, "avm-simulation")
            : Files.createTempDirectory("avm-simulation");
  }

  @AfterEach
  void end() {
    if (folder != null) {
      Recording.delete(folder);
    }
  }

  private List<Recording> record(long first, int seeds, String bug) throws IOException {
    return Recording.of(folder, OPERATIONS, first, seeds, bug);
  }

  private void runs(long first, int seeds, int crashes, String bug) throws IOException {
    for (Recording run : record(first, seeds, bug)) {
      try {
        run.crashes(1, crashes);
      } catch (AssertionError wrong) {
        throw new AssertionError(
            "with " + fewestOperations(run.seed, bug) + " operations " + wrong.getMessage(), wrong);
      }
    }
  }

  /** The fewest operations with which a seed still fails, as far as halving finds them. */
  private int fewestOperations(long seed, String bug) throws IOException {
    int fewest = OPERATIONS;
    for (int step = OPERATIONS / 2; step > 0; ) {
      if (fewest > step && fails(seed, fewest - step, bug)) {
        fewest -= step;
      } else {
        step /= 2;
      }
    }
    return fewest;
  }

  private boolean fails(long seed, int operations, String bug) throws IOException {
    try {
      Recording.of(folder, operations, seed, 1, bug).get(0).crashes(1, CRASHES);
      return false;
    } catch (AssertionError wrong) {
      return true;
    }
  }

  @Test
  void whatIsAcknowledgedSurvivesEveryCrash() throws IOException {
    runs(1, 10, CRASHES, "");
  }

  @Test
  void aSeedGivesTheSameStepsAndTheSameDisk() throws IOException {
    List<Recording> once = record(1, 4, "");
    List<Recording> again = record(1, 4, "");
    for (int i = 0; i < once.size(); i++) {
      assertThat(again.get(i).steps).isEqualTo(once.get(i).steps);
      assertThat(again.get(i).disk.fingerprint()).isEqualTo(once.get(i).disk.fingerprint());
    }
    assertThat(once.stream().map(run -> run.steps).distinct()).hasSize(4);
    assertThat(once.stream().map(run -> run.disk.fingerprint()).distinct()).hasSize(4);
  }

  @Test
  void rowsAreDroppedInTheSimulation() throws IOException {
    long most = 0;
    for (Recording run : record(1, 8, "")) {
      Path left = folder.resolve("left" + most + "-" + run.disk.events.size());
      run.disk.crash(run.disk.events.size(), 1, Set.of(), left);
      try (Store store = Store.open(left, StoreLimits.DEFAULT, Clock.systemUTC())) {
        most =
            Math.max(most, store.read(database -> database.number("SELECT min(first) FROM batch")));
      }
    }
    assertThat(most)
        .as("the first row that was kept, in the run that dropped most")
        .isGreaterThan(1);
  }

  @Test
  void aMissingSyncIsFoundAndTheLostWritesThatDoNotMatterAreLeftOut() throws IOException {
    Recording run = record(1, 1, "").get(0);
    run.disk.events.removeIf(
        event -> event instanceof Event.Sync sync && sync.file().endsWith("-wal"));
    assertThatThrownBy(() -> run.crashes(1, CRASHES))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("(?s).*fails, and so does .*undone=\\[\\d+(, \\d+){0,3}].*");
  }

  @Test
  void anEarlyAcknowledgementIsFound() throws IOException {
    Recording run = record(1, 1, "").get(0);
    List<Event> events = run.disk.events;
    for (int i = 1; i < events.size(); i++) {
      int at = i;
      while (events.get(at) instanceof Event.Acknowledged
          && !(events.get(at - 1) instanceof Event.Acknowledged)
          && i - at < 8) {
        Event before = events.set(at - 1, events.get(at));
        events.set(at--, before);
      }
    }
    assertThatThrownBy(() -> run.crashes(1, CRASHES)).isInstanceOf(AssertionError.class);
  }

  @Test
  void aPromotionOutOfTheOrderOfCommitsIsFound() {
    assertThatThrownBy(() -> runs(1, SEEDS, CRASHES, SimulatedService.LATE_PROMOTION))
        .isInstanceOf(AssertionError.class);
  }
}
