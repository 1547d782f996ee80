package org.avm4j.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Forgetting;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.OnlineLearner;
import org.avm4j.Update;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;

class DriftMonitorTest {
  private static final int COLUMNS = 8;
  private static final int CHANGE = 4000;
  private static final int ROWS = CHANGE + 1500;
  private static final int SEEDS = 5;

  /** A stream whose rule has interactions, and in which one to three columns change. */
  private static final class Stream {
    private final Random random;
    private final int classes;
    private final double[][] before;
    private final double[][] after;
    private final double[] shifts = new double[COLUMNS];
    private final Set<String> changed = new TreeSet<>();
    private final List<DriftEvent> events = new ArrayList<>();

    /**
     * A stream of numbers with one class, else of classes.
     *
     * @param moves whether values of columns change, and not their effects
     */
    Stream(long seed, int classes, boolean moves) {
      random = new Random(31 * seed + 7);
      this.classes = classes;
      before = new double[classes][COLUMNS];
      after = new double[classes][];
      for (int k = 0; k < classes; k++) {
        for (int j = 0; j < COLUMNS; j++) {
          before[k][j] = random.nextGaussian();
        }
        after[k] = before[k].clone();
      }
      for (int wanted = 1 + random.nextInt(3); changed.size() < wanted; ) {
        int j = random.nextInt(COLUMNS);
        if (changed.add("x" + (j + 1))) {
          change(j, moves);
        }
      }
    }

    private void change(int j, boolean moves) {
      if (moves) {
        shifts[j] = 1.5 * size();
        return;
      }
      double sign = random.nextBoolean() ? 1 : -1; // classes that all change alike are no change
      for (int k = 0; k < classes; k++) {
        after[k][j] += sign * (k % 2 == 0 ? 1 : -1) * (1 + random.nextDouble());
      }
    }

    private double size() {
      return (random.nextBoolean() ? 1 : -1) * (1 + random.nextDouble());
    }

    private Features row(int t) {
      double[] x = new double[COLUMNS];
      double common = random.nextGaussian();
      for (int j = 0; j < COLUMNS; j++) {
        double own = random.nextGaussian();
        x[j] = (j < 2 ? 0.7 * (common + own) : own) + (t < CHANGE ? 0 : shifts[j]);
      }
      return Features.dense(x);
    }

    private double label(Features x, int t) {
      double[] scores = new double[classes];
      int best = 0;
      for (int k = 0; k < classes; k++) {
        double[] weights = (t < CHANGE ? before : after)[k];
        scores[k] = 0.5 * x.get((k + 2) % COLUMNS) * x.get((k + 3) % COLUMNS);
        for (int j = 0; j < COLUMNS; j++) {
          scores[k] += weights[j] * (j % 2 == 0 ? x.get(j) : 1.5 * Math.sin(1.5 * x.get(j)));
        }
        scores[k] += 0.5 * random.nextGaussian();
        best = scores[k] > scores[best] ? k : best;
      }
      return classes == 1 ? 10 + 5 * scores[0] : best;
    }

    private OnlineLearner learner() {
      AvmOptions.Builder options = classes == 1 ? AvmOptions.regression() : AvmOptions.multiclass();
      return new Avm(
          options
              .kernel(Kernel.gaussian(0.05))
              .regularization(1e-5)
              .update(Update.newton(1e-3))
              .coverage(Coverage.sphere(0.5))
              .maxSize(150, Limit.MERGE)
              .forgetting(Forgetting.horizon(2000))
              .build());
    }

    /** Watches the whole stream; returns the event at the change, or null. */
    DriftEvent watch() {
      OnlineLearner learner = learner();
      DriftMonitor monitor = new DriftMonitor(classes == 1, new Schema()).listen(events::add);
      for (int t = 0; t < ROWS; t++) {
        Features x = row(t);
        double y = label(x, t);
        double answer = learner.predict(x);
        learner.learn(x, y);
        monitor.add(x, y, answer);
      }
      monitor.finish();
      assertThat(monitor.events()).isEqualTo(events);
      return events.stream()
          .filter(event -> event.since() > CHANGE - 300 && event.since() < CHANGE + 500)
          .findFirst()
          .orElse(null);
    }
  }

  private static Set<String> named(DriftEvent event) {
    Set<String> names = new TreeSet<>();
    event.moved().forEach(change -> names.add(change.column()));
    event.effects().forEach(change -> names.add(change.column()));
    return names;
  }

  /**
   * Watches streams of several seeds; of the changes that were noticed, the names must be right.
   */
  private static void check(int classes, boolean moves, int fewest) {
    int noticed = 0;
    int all = 0;
    int right = 0;
    int wrong = 0;
    int elsewhere = 0;
    int wrongCauses = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Stream stream = new Stream(seed, classes, moves);
      DriftEvent event = stream.watch();
      elsewhere += stream.events.size() - (event == null ? 0 : 1);
      if (event != null) {
        noticed++;
        all += stream.changed.size();
        Set<String> named = named(event);
        right += (int) named.stream().filter(stream.changed::contains).count();
        wrong += (int) named.stream().filter(name -> !stream.changed.contains(name)).count();
        DriftEvent.Cause cause = moves ? DriftEvent.Cause.INPUTS : DriftEvent.Cause.RULE;
        wrongCauses += event.cause() == cause ? 0 : 1;
        assertThat(event.errorAfter()).isGreaterThan(event.errorBefore());
      }
    }
    String found = noticed + " noticed, " + right + " of " + all + " named, " + wrong + " wrong";
    assertThat(noticed).as(found).isGreaterThanOrEqualTo(fewest);
    assertThat(right).as(found).isGreaterThanOrEqualTo((int) Math.ceil(0.9 * all));
    assertThat(wrong).as(found).isLessThanOrEqualTo((int) (0.1 * all));
    assertThat(elsewhere).isLessThanOrEqualTo(1);
    assertThat(wrongCauses).isLessThanOrEqualTo(1);
  }

  @Test
  void columnsWhoseEffectOnANumberChangedAreNamed() {
    check(1, false, SEEDS);
  }

  @Test
  void columnsThatMovedAreNamedAndTheRuleIsNotBlamed() {
    check(1, true, SEEDS / 2);
  }

  @Test
  void columnsWhoseEffectOnClassesChangedAreNamed() {
    check(3, false, SEEDS - 1);
  }

  @Test
  void columnsThatMovedUnderClassesAreNamed() {
    check(3, true, SEEDS / 4);
  }

  /** Answers that are wrong at a given rate to rows of two columns. */
  private static void feed(DriftMonitor monitor, long seed, int rows, double rate) {
    Random random = new Random(seed);
    for (int i = 0; i < rows; i++) {
      Features x = Features.dense(random.nextGaussian(), random.nextInt(3));
      double label = random.nextInt(2);
      monitor.add(x, label, random.nextDouble() < rate ? 1 - label : label);
    }
  }

  @Test
  void anErrorThatStaysRaisesNoAlarm() {
    for (long seed = 0; seed < 10; seed++) {
      DriftMonitor monitor = new DriftMonitor(false, new Schema());
      feed(monitor, seed, 20_000, 0.1);
      monitor.finish();
      assertThat(monitor.events()).as("seed " + seed).isEmpty();
    }
  }

  @Test
  void anErrorThatFallsRaisesNoAlarm() {
    DriftMonitor monitor = new DriftMonitor(false, new Schema());
    feed(monitor, 1, 3000, 0.3);
    feed(monitor, 2, 3000, 0.1);
    monitor.finish();
    assertThat(monitor.events()).isEmpty();
  }

  @Test
  void aRiseWithoutAChangeOfColumnsIsToldAsSuch() {
    DriftMonitor monitor = new DriftMonitor(false, new Schema());
    feed(monitor, 1, 3000, 0.1);
    feed(monitor, 2, 3000, 0.4);
    DriftEvent event = monitor.events().get(0);
    assertThat(monitor.found()).isEqualTo(1);
    assertThat(event.cause()).isEqualTo(DriftEvent.Cause.UNKNOWN);
    assertThat(event.since()).isBetween(2950L, 3050L);
    assertThat(event.errorBefore()).isBetween(0.08, 0.12);
    assertThat(event.errorLater()).isBetween(0.35, 0.45);
  }

  @Test
  void classesThatAppearAndVanishAreTold() {
    DriftMonitor monitor = new DriftMonitor(false, new Schema());
    Random random = new Random(1);
    for (int i = 0; i < 5000; i++) {
      double label = i < 3000 ? random.nextInt(2) : 1 + random.nextInt(2);
      monitor.add(Features.dense(random.nextGaussian()), label, label == 2 ? 1 : label);
    }
    DriftEvent event = monitor.events().get(0);
    assertThat(event.labels())
        .extracting(ChangeStudy.Changed::column)
        .containsExactlyInAnyOrder("0", "2");
    assertThat(event.labels()).anyMatch(change -> change.before().equals("0.0 %"));
    assertThat(event.cause()).isEqualTo(DriftEvent.Cause.LABELS);
  }

  @Test
  void aShortEndIsToldWithoutAStudy() {
    DriftMonitor monitor = new DriftMonitor(false, new Schema());
    feed(monitor, 1, 3000, 0.05);
    feed(monitor, 2, 150, 0.9);
    assertThat(monitor.events()).isEmpty();
    monitor.finish();
    assertThat(monitor.events()).hasSize(1);
    assertThat(monitor.events().get(0).isStudied()).isFalse();
  }

  @Test
  void aMonitorThatWasSavedGoesOnBitForBit() throws ModelFileException {
    Schema schema = new Schema();
    DriftMonitor whole = new DriftMonitor(false, schema);
    DriftMonitor parts = new DriftMonitor(false, schema);
    for (int part = 0; part < 40; part++) {
      feed(whole, part, 241, part < 20 ? 0.1 : 0.3);
      feed(parts, part, 241, part < 20 ? 0.1 : 0.3);
      parts = DriftMonitor.decode(new Decoder(bytes(parts)), schema);
      assertThat(bytes(parts)).isEqualTo(bytes(whole));
    }
    assertThat(whole.events()).isNotEmpty().isEqualTo(parts.events());
  }

  private static byte[] bytes(DriftMonitor monitor) {
    Encoder out = new Encoder();
    monitor.encode(out);
    return out.toBytes();
  }

  @Test
  void memoryStaysBounded() {
    DriftMonitor monitor = new DriftMonitor(true, new Schema());
    Features wide = Features.dense(new Random(1).doubles(20_000).toArray());
    for (int i = 0; i < 500; i++) {
      monitor.add(wide, i % 7, 3);
    }
    assertThat(bytes(monitor).length).isLessThan(13 << 20);
    DriftMonitor narrow = new DriftMonitor(false, new Schema());
    feed(narrow, 1, 10_000, 0.1);
    int length = bytes(narrow).length;
    feed(narrow, 2, 10_000, 0.1);
    assertThat(bytes(narrow).length).isLessThan(length + 10_000);
  }

  /** Mistakes that crowd by chance may be noticed shortly before the rule changes. */
  @Test
  void aBurstBeforeAChangeIsNotItsStart() {
    for (int seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      List<DriftEvent> events = new ArrayList<>();
      DriftMonitor monitor = new DriftMonitor(false, new Schema()).listen(events::add);
      for (int t = 1; t <= 5000; t++) {
        Features x = Features.dense(random.nextGaussian(), random.nextGaussian());
        boolean isBurst = t > 2970 && t <= 3030;
        double share = t > 3500 ? 0.4 : isBurst ? 0.35 : 0.1;
        double label = x.get(0) > 0 == t <= 3500 ? 1 : 0;
        monitor.add(x, label, random.nextDouble() < share ? 1 - label : label);
      }
      monitor.finish();
      assertThat(events).as("seed %d", seed).hasSize(1);
      assertThat(events.get(0).since()).as("seed %d", seed).isBetween(3450L, 3550L);
      assertThat(events.get(0).noticed()).isGreaterThan(events.get(0).since());
    }
  }

  @Test
  void aBadRowIsRefusedAndChangesNothing() {
    DriftMonitor monitor = new DriftMonitor(true, new Schema());
    byte[] before = bytes(monitor);
    assertThatThrownBy(() -> monitor.add(Features.dense(1), Double.NaN, 1))
        .hasMessage("a label must be a finite number: NaN");
    assertThatThrownBy(() -> monitor.add(Features.dense(Double.NaN), 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(bytes(monitor)).isEqualTo(before);
  }
}
