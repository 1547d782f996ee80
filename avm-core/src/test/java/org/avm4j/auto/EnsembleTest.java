package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What cheap experts beside the race are good for. */
@Tag("slow")
class EnsembleTest {
  /** A number that wanders, with features that say little of it. */
  private static final class Walk {
    private final Random random = new Random(3);
    private double level = 500;

    Features row() {
      return Features.dense(random.nextDouble(), level / 1000 + random.nextGaussian());
    }

    double next() {
      level += random.nextGaussian();
      return level;
    }
  }

  private static AutoAvm regression() {
    return new AutoAvm(AutoOptions.of(Task.regression()), 500);
  }

  @Test
  void aWalkIsAnsweredNearlyAsWellAsByItsLatestNumber() {
    AutoAvm auto = regression();
    Walk walk = new Walk();
    double latest = 500;
    double ours = 0;
    double theirs = 0;
    for (int t = 0; t < 3000; t++) {
      Features x = walk.row();
      double y = walk.next();
      ours += Math.pow(auto.predict(x) - y, 2);
      theirs += Math.pow(latest - y, 2);
      auto.learn(x, y);
      latest = y;
    }
    assertThat(ours).isLessThan(1.1 * theirs);
    assertThat(auto.status().change().orElseThrow().usesLatestLabel()).isTrue();
  }

  @Test
  void labelsInBlocksAreAnsweredNearlyAsWellAsByTheLatest() {
    AutoAvm auto = new AutoAvm(AutoOptions.of(Task.multiclass()));
    Random random = new Random(4);
    double y = 0;
    int mistakes = 0;
    int changes = 0;
    for (int t = 0; t < 2500; t++) {
      double before = y;
      y = random.nextInt(100) == 0 ? random.nextInt(4) : y;
      changes += y == before ? 0 : 1;
      Features x = Features.dense(random.nextDouble(), random.nextDouble());
      mistakes += t > 0 && auto.predict(x) != y ? 1 : 0;
      auto.learn(x, y);
    }
    assertThat(mistakes).isLessThanOrEqualTo(changes + changes / 10 + 5);
  }

  @Test
  void itGoesOnBitForBitAndItsModelAnswersTheSame() throws IOException {
    AutoAvm whole = regression();
    AutoAvm resumed = regression();
    Walk walk = new Walk();
    for (int t = 0; t < 700; t++) {
      Features x = walk.row();
      double y = walk.next();
      if (t % 97 == 0) {
        resumed = (AutoAvm) OnlineLearner.fromBytes(resumed.toBytes());
      }
      assertThat(resumed.predict(x)).isEqualTo(whole.predict(x));
      whole.learn(x, y);
      resumed.learn(x, y);
    }
    assertThat(resumed.toBytes()).isEqualTo(whole.toBytes());
    Model model = whole.snapshot();
    Model read = Model.fromBytes(model.toBytes());
    Features next = walk.row();
    assertThat(model.predict(next)).isEqualTo(whole.predict(next));
    assertThat(read.predict(next)).isEqualTo(model.predict(next));
    assertThat(read.detached().predict(next)).isEqualTo(model.detached().predict(next));
  }

  @Test
  void aModelThatSawLabelsAnswersOtherRowsWithoutThem() {
    AutoAvm auto = regression();
    Walk walk = new Walk();
    for (int t = 0; t < 600; t++) {
      auto.learn(walk.row(), walk.next());
    }
    Features row = walk.row();
    Model detached = auto.snapshot().detached();
    double before = detached.predict(row);
    auto.learn(row, walk.next() + 50);
    assertThat(auto.snapshot().predict(row)).isNotEqualTo(before);
    assertThat(detached.predict(row)).isEqualTo(before);
  }

  @Test
  void withoutChangeNothingStandsBesideTheRace() {
    AutoOptions all = AutoOptions.of(Task.regression());
    Set<AutoOptions.Choice> free = new HashSet<>(all.free());
    free.remove(AutoOptions.Choice.CHANGE);
    AutoAvm auto = new AutoAvm(new AutoOptions(all.base(), all.scaling(), free));
    Walk walk = new Walk();
    for (int t = 0; t < 300; t++) {
      auto.learn(walk.row(), walk.next());
    }
    assertThat(new String(auto.toBytes(), StandardCharsets.ISO_8859_1)).doesNotContain("ensemble");
  }
}
