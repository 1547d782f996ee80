package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.eval.Inspection;
import org.junit.jupiter.api.Test;

/** When a user is told that an unfinished model can be kept. */
class ProgressTest {
  private final Progress progress = new Progress(System.err, true, "train", 10_000);
  private final List<Long> told = new ArrayList<>();

  private void inspect(long instances, double seconds) {
    progress.inspected("rmse", new Inspection(instances, 1, 1, 10, seconds, instances, 0));
  }

  @Test
  void anUnfinishedModelIsAnnouncedOnceAfterSomeSeconds() {
    progress.whenUsable(10_000, (metric, point) -> told.add(point.instances()));
    inspect(64, 2.5);
    inspect(512, 1.9);
    inspect(1024, 2.1);
    inspect(2048, 3);
    assertThat(told).containsExactly(1024L);
  }

  @Test
  void aRunThatIsSoonOverAnnouncesNothing() {
    progress.whenUsable(10_000, (metric, point) -> told.add(point.instances()));
    inspect(4096, 1.9);
    inspect(6000, 2.5);
    inspect(6001, 3);
    assertThat(told).isEmpty();
  }
}
