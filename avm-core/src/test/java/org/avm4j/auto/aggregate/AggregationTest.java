package org.avm4j.auto.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Ablation;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AggregationTest {
  private static final int MEMBERS = 3;
  private static final double[] CLASSES = {2, 5, 9};
  private static final double[] NO_CLASSES = {};
  private static final boolean[] ALL_PRESENT = new boolean[MEMBERS];

  /** Rows of a task with the scores of members, of which the last is the best. */
  private static final class Rows {
    private final SplitMix random = new SplitMix(3);
    private final Task.Kind task;
    private final double[] classes;
    private final double[][] scores;
    private double label;

    Rows(Task.Kind task) {
      this.task = task;
      classes = task == Task.Kind.MULTICLASS ? CLASSES : NO_CLASSES;
      scores = new double[MEMBERS][Math.max(1, classes.length)];
    }

    void next() {
      int own = random.nextInt(3);
      label =
          switch (task) {
            case MULTICLASS -> CLASSES[own];
            case BINARY -> own == 0 ? -1 : 1;
            default -> own + random.getAsDouble();
          };
      for (int m = 0; m < MEMBERS; m++) {
        for (int c = 0; c < scores[m].length; c++) {
          double ideal = task == Task.Kind.MULTICLASS ? (c == own ? 1 : -1) : label;
          scores[m][c] = 0.3 * (m + 1) * ideal + 1.5 * (random.getAsDouble() - 0.5);
        }
      }
    }
  }

  /** What an aggregation is made of, put together by hand. */
  private static final class ByHand {
    private final HuberLoss huber;
    private final Mixture mixture = new Mixture(MEMBERS + 1);
    private final Stack stack;
    private final double[][] limited = new double[MEMBERS + 1][];
    private final LabelLimit limit = new LabelLimit();
    private final double[] answer;
    private final Rows rows;

    ByHand(Rows rows) {
      this.rows = rows;
      huber = new HuberLoss(rows.task);
      stack = new Stack(rows.task, MEMBERS);
      answer = new double[rows.scores[0].length];
    }

    double[] combine() {
      for (int m = 0; m < MEMBERS; m++) {
        limited[m] = rows.scores[m].clone();
        huber.limit(limited[m]);
      }
      limited[MEMBERS] = new double[answer.length];
      stack.combine(limited, limited[MEMBERS]);
      huber.limit(limited[MEMBERS]);
      mixture.combine(limited, answer);
      return answer;
    }

    void learn(double weight, boolean hasStack) {
      boolean isNumber = rows.task == Task.Kind.REGRESSION;
      double label = isNumber ? limit.apply(rows.label, answer[0]) : rows.label;
      huber.hold(label, answer, rows.classes);
      double[] gains = new double[MEMBERS + 1];
      for (int k = 0; k < (hasStack ? MEMBERS + 1 : MEMBERS); k++) {
        gains[k] = huber.gain(answer, limited[k]);
      }
      mixture.learn(gains, weight);
      double[] stacked = limited[MEMBERS];
      boolean isChanged = false;
      if (rows.task == Task.Kind.MULTICLASS) {
        int own = Arrays.binarySearch(CLASSES, rows.label);
        for (int c = 0; c < CLASSES.length; c++) {
          isChanged |= teach(c, c == own ? 1 : -1, weight, stacked[c] * (c == own ? 1 : -1) < 1);
        }
      } else {
        boolean isSure = rows.task == Task.Kind.BINARY && stacked[0] * rows.label >= 1;
        isChanged = teach(0, label, weight, !isSure);
      }
      if (isNumber) {
        limit.learn(label, answer[0]);
      }
      if (isChanged) {
        stack.settle();
      }
    }

    private boolean teach(int column, double goal, double weight, boolean isMissing) {
      if (isMissing) {
        stack.learn(limited, column, goal, weight);
      }
      return isMissing;
    }

    byte[] bytes() {
      Encoder out = new Encoder();
      mixture.encode(out);
      stack.encode(out);
      out.optional("limit", rows.task == Task.Kind.REGRESSION ? limit : null, LabelLimit::encode);
      return out.toBytes();
    }
  }

  private static byte[] bytes(Aggregation aggregation) {
    Encoder out = new Encoder();
    aggregation.encode(out);
    return out.toBytes();
  }

  private static Aggregation learned(Rows rows, int n, boolean hasStack) {
    Aggregation aggregation = new Aggregation(rows.task, MEMBERS, hasStack);
    for (int t = 0; t < n; t++) {
      rows.next();
      aggregation.combine(rows.scores, rows.classes);
      aggregation.learn(rows.label, 1, ALL_PRESENT);
    }
    return aggregation;
  }

  @ParameterizedTest
  @EnumSource(names = {"REGRESSION", "BINARY", "MULTICLASS"})
  void itIsAMixtureOfTheMembersAndTheirStack(Task.Kind task) {
    for (boolean hasStack : new boolean[] {true, false}) {
      Rows rows = new Rows(task);
      Aggregation aggregation = new Aggregation(task, MEMBERS, hasStack);
      ByHand byHand = new ByHand(rows);
      for (int t = 0; t < 300; t++) {
        rows.next();
        double weight = 0.5 + t % 3;
        double[] answer = aggregation.combine(rows.scores, rows.classes);
        assertThat(answer).isEqualTo(byHand.combine());
        assertThat(aggregation.learn(rows.label, weight, ALL_PRESENT)).isTrue();
        byHand.learn(weight, hasStack);
      }
      assertThat(bytes(aggregation)).isEqualTo(byHand.bytes());
    }
  }

  @Test
  void atFirstTheFirstMemberAnswersWithinLimits() {
    Aggregation binary = new Aggregation(Task.Kind.BINARY, 2, true);
    assertThat(binary.combine(new double[][] {{0.4}, {-1}}, NO_CLASSES)).containsExactly(0.4);
    assertThat(binary.combine(new double[][] {{-7}, {1}}, NO_CLASSES)).containsExactly(-1);
    assertThat(binary.combine(new double[][] {{Double.NaN}, {1}}, NO_CLASSES)).containsExactly(0);
    Aggregation numbers = new Aggregation(Task.Kind.REGRESSION, 2, true);
    assertThat(numbers.combine(new double[][] {{-7}, {1}}, NO_CLASSES)).containsExactly(-7);
    assertThat(numbers.isFirstAlone()).isTrue();
    assertThat(numbers.heaviest()).isZero();
  }

  /** The first member is nearly right, the second knows the mean alone. */
  @Test
  void oneWrongNumberHardlyChangesTheWeights() {
    SplitMix random = new SplitMix(4);
    Aggregation aggregation = new Aggregation(Task.Kind.REGRESSION, 2, true);
    double before = 0;
    for (int t = 0; t < 2000; t++) {
      double label = 4 * random.getAsDouble() - 2;
      before = aggregation.combine(nearly(label, random), NO_CLASSES)[0] - label;
      aggregation.learn(label, 1, new boolean[2]);
    }
    assertThat(before).isCloseTo(0, within(0.1));
    aggregation.combine(nearly(1.9, random), NO_CLASSES);
    aggregation.learn(-2, 1, new boolean[2]);
    for (double label : new double[] {-2, -1, 1, 2}) {
      double[] answer = aggregation.combine(nearly(label, random), NO_CLASSES);
      assertThat(answer[0]).isCloseTo(label, within(0.3));
    }
  }

  private static double[][] nearly(double label, SplitMix random) {
    return new double[][] {{label + 0.06 * (random.getAsDouble() - 0.5)}, {0}};
  }

  @Test
  void aFileWithoutALimitIsRead() throws ModelFileException {
    Aggregation aggregation = learned(new Rows(Task.Kind.REGRESSION), 200, true);
    byte[] all = bytes(aggregation);
    Encoder limit = new Encoder();
    limit.section("limit", out -> out.float64(1));
    byte[] earlier = Arrays.copyOf(all, all.length - limit.toBytes().length);
    Decoder in = new Decoder(earlier);
    Aggregation read = Aggregation.decode(in, Task.Kind.REGRESSION, MEMBERS, true);
    in.end();
    Rows rows = new Rows(Task.Kind.REGRESSION);
    rows.next();
    assertThat(read.combine(rows.scores, NO_CLASSES))
        .containsExactly(aggregation.combine(rows.scores, NO_CLASSES));
  }

  @Test
  void theNumberOfColumnsMayGrow() {
    Aggregation classes = new Aggregation(Task.Kind.MULTICLASS, 2, true);
    classes.combine(new double[][] {{0.5}, {0.1}}, new double[] {2});
    assertThat(classes.learn(2, 1, new boolean[2])).as("one class has no rival").isTrue();
    double[][] more = {{0.5, -0.25}, {0.1, 0.9}};
    assertThat(classes.combine(more, new double[] {2, 5})).containsExactly(0.5, -0.25);
  }

  @Test
  void beforeTheFirstClassThereIsNoColumn() {
    Aggregation classes = new Aggregation(Task.Kind.MULTICLASS, 2, true);
    assertThat(classes.combine(new double[2][0], NO_CLASSES)).isEmpty();
    assertThat(classes.learn(2, 1, new boolean[2])).isFalse();
  }

  @Test
  void twoClassesAreEnoughForTheStackToLearn() {
    Aggregation classes = new Aggregation(Task.Kind.MULTICLASS, 2, true);
    for (int t = 0; t < 20; t++) {
      double[][] scores = {{0.1, 0.1}, {t % 2 == 0 ? 0.5 : -0.5, t % 2 == 0 ? -0.5 : 0.5}};
      classes.combine(scores, new double[] {2, 5});
      classes.learn(t % 2 == 0 ? 2 : 5, 1, new boolean[2]);
    }
    assertThat(classes.heaviest()).isEqualTo(2);
  }

  @Test
  void nothingIsLearnedWithoutARowOrForAClassWithoutAColumn() {
    Aggregation aggregation = new Aggregation(Task.Kind.MULTICLASS, MEMBERS, true);
    assertThat(aggregation.learn(2, 1, ALL_PRESENT)).isFalse();
    Rows rows = new Rows(Task.Kind.MULTICLASS);
    rows.next();
    aggregation.combine(rows.scores, CLASSES);
    byte[] before = bytes(aggregation);
    assertThat(aggregation.learn(7, 1, ALL_PRESENT)).isFalse();
    assertThat(bytes(aggregation)).isEqualTo(before);
  }

  @Test
  void theBestMemberBecomesTheHeaviestUnlessItIsAbsent() {
    Aggregation present = new Aggregation(Task.Kind.REGRESSION, 2, false);
    Aggregation absent = new Aggregation(Task.Kind.REGRESSION, 2, false);
    for (int t = 0; t < 50; t++) {
      double[][] scores = {{t % 2 * 0.3}, {1}};
      present.combine(scores, NO_CLASSES);
      present.learn(1, 1, new boolean[2]);
      absent.combine(scores, NO_CLASSES);
      absent.learn(1, 1, new boolean[] {false, true});
    }
    assertThat(present.heaviest()).isEqualTo(1);
    assertThat(present.isFirstAlone()).isFalse();
    present.forget(1);
    assertThat(present.isFirstAlone()).isTrue();
    assertThat(absent.isFirstAlone()).isTrue();
  }

  /** Of which no mean is right, but four times the first. */
  @Test
  void aStackThatIsBetterThanEachMemberBecomesTheHeaviest() {
    SplitMix random = new SplitMix(2);
    Aggregation with = new Aggregation(Task.Kind.REGRESSION, 2, true);
    Ablation.leaveOut(Set.of(Ablation.Part.STACK));
    Aggregation ablated = new Aggregation(Task.Kind.REGRESSION, 2, true);
    Ablation.leaveOut(Set.of());
    for (int t = 0; t < 300; t++) {
      double label = 4 * random.getAsDouble();
      double[][] scores = {{label / 4}, {-label}};
      with.combine(scores, NO_CLASSES);
      with.learn(label, 1, new boolean[2]);
      ablated.combine(scores, NO_CLASSES);
      ablated.learn(label, 1, new boolean[2]);
    }
    assertThat(with.heaviest()).isEqualTo(2);
    assertThat(ablated.heaviest()).isLessThan(2);
  }

  @Test
  void aLossIsAMistakeOrASquareUpToABound() {
    Aggregation numbers = new Aggregation(Task.Kind.REGRESSION, 2, true);
    numbers.combine(new double[][] {{3}, {100}}, NO_CLASSES);
    assertThat(numbers.loss(0, 1)).isEqualTo(4);
    assertThat(numbers.loss(1, 1)).isEqualTo(36);
    assertThat(numbers.loss(5)).as("of the answer, here the first member's").isEqualTo(4);
    Aggregation binary = new Aggregation(Task.Kind.BINARY, 2, true);
    binary.combine(new double[][] {{0}, {-0.1}}, NO_CLASSES);
    assertThat(binary.loss(0, 1)).as("a score of 0 is +1").isZero();
    assertThat(binary.loss(0, -1)).isEqualTo(1);
    assertThat(binary.loss(1, -1)).isZero();
    assertThat(binary.loss(1, 1)).isEqualTo(1);
    Aggregation classes = new Aggregation(Task.Kind.MULTICLASS, 2, true);
    classes.combine(new double[][] {{0.1, 0.5, 0.5}, {-0.3, -0.2, -0.1}}, CLASSES);
    assertThat(classes.loss(0, 5)).as("the first of two that are equal").isZero();
    assertThat(classes.loss(0, 9)).isEqualTo(1);
    assertThat(classes.loss(1, 9)).isZero();
    assertThat(classes.loss(2)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"REGRESSION", "BINARY", "MULTICLASS"})
  void itsBlendAnswersAsItDoes(Task.Kind task) throws ModelFileException {
    Rows rows = new Rows(task);
    Aggregation aggregation = learned(rows, 200, true);
    HuberLoss huber = new HuberLoss(task);
    Encoder out = new Encoder();
    aggregation.blend().encode(out);
    Blend read = Blend.decode(new Decoder(out.toBytes()), MEMBERS);
    for (int t = 0; t < 20; t++) {
      rows.next();
      double[] answer = aggregation.combine(rows.scores, rows.classes);
      double[][] limited = Arrays.stream(rows.scores).map(double[]::clone).toArray(double[][]::new);
      Arrays.stream(limited).forEach(huber::limit);
      double[] blended = new double[answer.length];
      read.combine(limited, huber, blended);
      assertThat(blended).containsExactly(answer, within(1e-12));
    }
  }

  /** The middle member only repeats the first; the last knows what no other does. */
  private static Aggregation withRepetition() {
    SplitMix random = new SplitMix(5);
    Aggregation aggregation = new Aggregation(Task.Kind.REGRESSION, MEMBERS, true);
    for (int t = 0; t < 200; t++) {
      double a = random.getAsDouble();
      double b = random.getAsDouble();
      double[][] scores = {{a}, {0.01 * random.getAsDouble()}, {b}};
      aggregation.combine(scores, NO_CLASSES);
      aggregation.learn(a + 2 * b + 0.1 * random.getAsDouble(), 1, ALL_PRESENT);
    }
    return aggregation;
  }

  @Test
  void membersLeaveInTheOrderOfTheirUseWithinWhatTheStackMayLose() {
    boolean[] anyone = {true, true, true};
    assertThat(withRepetition().dispensable(anyone, 0)).isEmpty();
    assertThat(withRepetition().dispensable(anyone, 0.05)).containsExactly(1);
    List<Integer> all = withRepetition().dispensable(anyone, 1000);
    assertThat(all).containsExactly(1, 0, 2);
    assertThat(withRepetition().dispensable(new boolean[] {true, false, true}, 1000))
        .containsExactly(0, 2);
    assertThat(withRepetition().dispensable(new boolean[MEMBERS], 1000)).isEmpty();
    assertThat(anyone).as("the argument stays as it was").containsExactly(true, true, true);
  }

  @Test
  void membersThatTheStackDoesNotUseLeaveForNothing() {
    Aggregation aggregation = new Aggregation(Task.Kind.REGRESSION, MEMBERS, true);
    for (int t = 0; t < 20; t++) {
      aggregation.combine(new double[][] {{t % 5}, {0}, {0}}, NO_CLASSES);
      aggregation.learn(t % 5 + 1, 1, ALL_PRESENT);
    }
    boolean[] anyone = {true, true, true};
    assertThat(aggregation.dispensable(anyone, 0)).containsExactly(1, 2);
  }

  /** The second and the third say nearly the same, which the first does not know. */
  @Test
  void ofTwoThatSayTheSameOnlyOneLeaves() throws ModelFileException {
    SplitMix random = new SplitMix(5);
    Aggregation aggregation = new Aggregation(Task.Kind.REGRESSION, MEMBERS, true);
    Stack stack = new Stack(Task.Kind.REGRESSION, MEMBERS);
    for (int t = 0; t < 200; t++) {
      double label = 4 * random.getAsDouble();
      double noise = 0.01 * random.getAsDouble();
      double[][] scores = {{random.getAsDouble()}, {label / 2}, {label / 2 + noise}};
      aggregation.combine(scores, NO_CLASSES);
      aggregation.learn(label, 1, ALL_PRESENT);
      stack.learn(scores, 0, label, 1);
      stack.settle();
    }
    int least = stack.worth(1) < stack.worth(2) ? 1 : 2;
    double share = stack.worth(least) / stack.distance();
    boolean[] twins = {false, true, true};
    byte[] bytes = bytes(aggregation);
    assertThat(read(bytes).dispensable(twins, 0.99 * share)).isEmpty();
    assertThat(read(bytes).dispensable(twins, 1.01 * share)).containsExactly(least);
    assertThat(read(bytes).dispensable(twins, 4 * share)).containsExactly(least);
    assertThat(aggregation.dispensable(twins, 1.01 * share)).containsExactly(least);
  }

  private static Aggregation read(byte[] bytes) throws ModelFileException {
    return Aggregation.decode(new Decoder(bytes), Task.Kind.REGRESSION, MEMBERS, true);
  }

  @Test
  void nothingIsKnownOfAMemberThatLeft() {
    Aggregation aggregation = withRepetition();
    assertThat(aggregation.blend().needs(2)).isTrue();
    aggregation.dispensable(new boolean[] {false, false, true}, 1000);
    Blend blend = aggregation.blend();
    assertThat(blend.needs(2)).isFalse();
    Aggregation forgotten = withRepetition();
    forgotten.forget(2);
    assertThat(forgotten.blend().needs(2)).isFalse();
    assertThat(forgotten.dispensable(new boolean[] {false, false, true}, 0)).containsExactly(2);
  }

  @Test
  void aLargerOneTakesOverWhatIsKnown() {
    Rows rows = new Rows(Task.Kind.REGRESSION);
    Aggregation small = learned(rows, 100, true);
    Aggregation large = new Aggregation(Task.Kind.REGRESSION, MEMBERS + 2, true);
    large.takeOver(small, MEMBERS);
    for (int t = 0; t < 20; t++) {
      rows.next();
      double[][] more = Arrays.copyOf(rows.scores, MEMBERS + 2);
      more[MEMBERS] = new double[1];
      more[MEMBERS + 1] = new double[1];
      double[] answer = small.combine(rows.scores, NO_CLASSES);
      assertThat(large.combine(more, NO_CLASSES)).containsExactly(answer, within(1e-12));
      small.learn(rows.label, 1, ALL_PRESENT);
      large.learn(rows.label, 1, new boolean[] {false, false, false, true, true});
    }
  }

  @Test
  void itGoesOnFromAFile() throws ModelFileException {
    Rows rows = new Rows(Task.Kind.MULTICLASS);
    Aggregation whole = learned(rows, 50, true);
    byte[] bytes = bytes(whole);
    Aggregation read = Aggregation.decode(new Decoder(bytes), Task.Kind.MULTICLASS, MEMBERS, true);
    for (int t = 0; t < 50; t++) {
      rows.next();
      double[] answer = whole.combine(rows.scores, CLASSES);
      assertThat(read.combine(rows.scores, CLASSES)).isEqualTo(answer);
      whole.learn(rows.label, 1, ALL_PRESENT);
      read.learn(rows.label, 1, ALL_PRESENT);
    }
    assertThat(bytes(read)).isEqualTo(bytes(whole));
    assertThatThrownBy(
            () -> Aggregation.decode(new Decoder(bytes), Task.Kind.MULTICLASS, MEMBERS + 1, true))
        .isInstanceOf(ModelFileException.class);
  }
}
