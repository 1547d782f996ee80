package org.avm4j.auto.expert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

class BoostedExpertTest {
  private static final double[] NO_CLASSES = {};

  private final SplitMix random = new SplitMix(7);
  private final Inputs inputs = Inputs.of(Scaler.none());

  private BoostedExpert expert(Task.Kind task) {
    return new BoostedExpert(task, inputs);
  }

  private static Moment now(Features x) {
    return new Moment().of(x, new PastLabels());
  }

  private Features row() {
    return Features.dense(random.getAsDouble(), random.getAsDouble(), random.getAsDouble());
  }

  private void learn(Expert expert, int n, ToDoubleFunction<Features> rule) {
    for (int t = 0; t < n; t++) {
      Features x = row();
      expert.learn(now(x), rule.applyAsDouble(x), 1);
    }
  }

  private static double score(Opinion expert, Features x) {
    double[] found = new double[1];
    expert.score(now(x), NO_CLASSES, found);
    return found[0];
  }

  private static double corner(Features x) {
    return x.get(0) > 0.4 && x.get(2) > 0.3 ? 1 : -1;
  }

  private long mistakes(Opinion expert, ToDoubleFunction<Features> rule) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> row())
        .filter(x -> score(expert, x) * rule.applyAsDouble(x) <= 0)
        .count();
  }

  @Test
  void itAnswersNothingBeforeItsFirstTrees() {
    BoostedExpert expert = expert(Task.Kind.BINARY);
    learn(expert, 127, BoostedExpertTest::corner);
    assertThat(score(expert, row())).isZero();
    assertThat(expert.size()).isZero();
  }

  @Test
  void itTakesNoPartBeforeItsFirstTrees() {
    BoostedExpert expert = expert(Task.Kind.BINARY);
    assertThat(expert.canAnswer()).isFalse();
    learn(expert, 500, BoostedExpertTest::corner);
    assertThat(expert.canAnswer()).isTrue();
  }

  @Test
  void theTreesOfAnEarlierExpertAnswerUntilThereAreNewOnes() throws ModelFileException {
    BoostedExpert former = expert(Task.Kind.BINARY);
    learn(former, 1500, BoostedExpertTest::corner);
    BoostedExpert expert = new BoostedExpert(Task.Kind.BINARY, Inputs.of(Scaler.none()));
    expert.follow(former);
    Features x = row();
    assertThat(expert.canAnswer()).isTrue();
    assertThat(expert.size()).isEqualTo(former.size());
    assertThat(score(expert, x)).isEqualTo(score(former, x));
    assertThat(score(expert.freeze(), x)).isEqualTo(score(former, x));

    Encoder out = new Encoder();
    SharedInputs shared = new SharedInputs();
    expert.encode(out, shared);
    BoostedExpert read = BoostedExpert.decode(new Decoder(out.toBytes()), shared, Task.Kind.BINARY);
    assertThat(score(read, x)).isEqualTo(score(former, x));

    learn(read, 1500, y -> -corner(y));
    assertThat(mistakes(read, y -> -corner(y))).isLessThan(30);
  }

  @Test
  void thresholdsAreFound() {
    BoostedExpert expert = expert(Task.Kind.BINARY);
    learn(expert, 1500, BoostedExpertTest::corner);
    assertThat(mistakes(expert, BoostedExpertTest::corner)).isLessThan(30);
    assertThat(expert.size()).isPositive();
  }

  @Test
  void aChangeIsFollowedOnceTheSampleIsRenewed() {
    BoostedExpert expert = expert(Task.Kind.BINARY);
    learn(expert, 2000, BoostedExpertTest::corner);
    learn(expert, 30_000, x -> -corner(x));
    assertThat(mistakes(expert, x -> -corner(x))).isLessThan(100);
  }

  @Test
  void numbersAndClassesAreAnswered() {
    BoostedExpert numbers = expert(Task.Kind.REGRESSION);
    learn(numbers, 1200, x -> x.get(1) > 0.5 ? 2 : -1);
    assertThat(score(numbers, Features.dense(0.5, 0.9, 0.5))).isCloseTo(2, within(0.05));
    assertThat(score(numbers, Features.dense(0.5, 0.1, 0.5))).isCloseTo(-1, within(0.05));
    BoostedExpert kinds = expert(Task.Kind.MULTICLASS);
    learn(kinds, 1200, x -> Math.floor(3 * x.get(2)));
    double[] found = new double[4];
    kinds.score(now(Features.dense(0.5, 0.5, 0.5)), new double[] {0, 1, 2, 9}, found);
    assertThat(found[1]).isGreaterThan(0.9);
    assertThat(found[3]).isEqualTo(-1);
    assertThat(found[0] + found[1] + found[2]).isCloseTo(-1, within(1e-9));
  }

  @Test
  void outliersNeitherStopItNorDecide() throws ModelFileException {
    BoostedExpert numbers = expert(Task.Kind.REGRESSION);
    learn(numbers, 1500, x -> x.get(0) > 0.99 ? 1e25 : x.get(1) > 0.5 ? 2 : -1);
    assertThat(score(numbers, Features.dense(0.5, 0.9, 0.5))).isCloseTo(2, within(0.3));
    Features x = Features.dense(0.995, 0.9, 0.5);
    assertThat(score(copy(numbers, Task.Kind.REGRESSION), x)).isEqualTo(score(numbers, x));
  }

  @Test
  void withVeryManyClassesNoTreesAreGrown() throws ModelFileException {
    BoostedExpert kinds = expert(Task.Kind.MULTICLASS);
    learn(kinds, 2100, x -> Math.floor(2000 * x.get(0)));
    int before = kinds.size();
    learn(kinds, 3000, x -> Math.floor(2000 * x.get(0)));
    assertThat(kinds.size()).isEqualTo(before);
    copy(kinds, Task.Kind.MULTICLASS);
  }

  /** A series that grows without end: trees alone could not answer numbers that they never saw. */
  @Test
  void aSeriesIsLearnedAsDifferences() {
    Inputs series = inputs.behindLabels(List.of(1, 2), NO_CLASSES, 1);
    BoostedExpert expert = new BoostedExpert(Task.Kind.REGRESSION, series);
    PastLabels labels = new PastLabels();
    double y = 0;
    for (int t = 0; t < 1300; t++) {
      Features x = row();
      y += x.get(1) > 0.5 ? 2 : -1;
      expert.learn(new Moment().of(x, labels), y, 1);
      labels.add(y);
    }
    assertThat(expert.seesLabels()).isTrue();
    double[] found = new double[1];
    expert.score(new Moment().of(Features.dense(0.5, 0.9, 0.5), labels), NO_CLASSES, found);
    assertThat(found[0] - y).isCloseTo(2, within(0.1));
  }

  /** Rows that are replayed are learned all the same: the trees that follow know them. */
  @Test
  void replayedRowsGrowTreesLater() {
    BoostedExpert expert = expert(Task.Kind.BINARY);
    for (int t = 0; t < 1000; t++) {
      Features x = row();
      expert.replay(now(x), corner(x), 1);
    }
    assertThat(expert.size()).isZero();
    learn(expert, 100, BoostedExpertTest::corner);
    assertThat(mistakes(expert, BoostedExpertTest::corner)).isLessThan(40);
  }

  @Test
  void whatIsSavedGoesOnBitForBitWhereverItStops() throws ModelFileException {
    for (int stop : new int[] {50, 129, 133, 300, 8200, 12_310}) {
      BoostedExpert expert = expert(Task.Kind.BINARY);
      learn(expert, stop, BoostedExpertTest::corner);
      BoostedExpert again = copy(expert, Task.Kind.BINARY);
      for (int t = 0; t < 600; t++) {
        Features x = row();
        assertThat(score(again, x)).isEqualTo(score(expert, x));
        again = t == 2 ? copy(again, Task.Kind.BINARY) : again;
        expert.learn(now(x), corner(x), 1);
        again.learn(now(x), corner(x), 1);
      }
    }
  }

  private BoostedExpert copy(BoostedExpert expert, Task.Kind task) throws ModelFileException {
    SharedInputs shared = new SharedInputs();
    shared.place(inputs);
    Encoder out = new Encoder();
    expert.encode(out, shared);
    return BoostedExpert.decode(new Decoder(out.toBytes()), shared, task);
  }

  @Test
  void whatIsFrozenAnswersAlikeAndHoldsNoRows() {
    BoostedExpert expert = expert(Task.Kind.BINARY);
    learn(expert, 2000, BoostedExpertTest::corner);
    BoostedExpert frozen = expert.freeze();
    Features x = row();
    double before = score(frozen, x);
    assertThat(before).isEqualTo(score(expert, x));
    learn(expert, 3000, y -> -corner(y));
    assertThat(score(frozen, x)).isEqualTo(before);
    assertThat(frozen.memory(0)).isZero();
  }

  @Test
  void aSampleIsHadAsItWasAtTheMark() throws ModelFileException {
    StreamSample sample = new StreamSample(100);
    List<Instance> then = new ArrayList<>();
    for (int t = 0; t < 500; t++) {
      sample.add(new Instance(row(), t));
      if (t == 50 || t == 130 || t == 320) {
        sample.setMark();
        then = List.copyOf(sample.rows());
      }
      assertThat(sample.rows()).hasSize(Math.min(t + 1, 100));
      if (t >= 50) {
        assertThat(sample.atMark()).isEqualTo(then);
      }
    }
    Encoder out = new Encoder();
    sample.encode(out);
    StreamSample same = StreamSample.decode(new Decoder(out.toBytes()), 100);
    assertThat(same.atMark()).isEqualTo(then);
    assertThat(same.rows()).isEqualTo(sample.rows());
  }

  @Test
  void aSampleThatIsNotWholeIsRefused() {
    StreamSample sample = new StreamSample(100);
    IntStream.range(0, 120).forEach(t -> sample.add(new Instance(row(), t)));
    sample.setMark();
    IntStream.range(0, 30).forEach(t -> sample.add(new Instance(row(), t)));
    Encoder out = new Encoder();
    sample.encode(out);
    byte[] bytes = out.toBytes();
    assertThatThrownBy(() -> StreamSample.decode(new Decoder(bytes), 99))
        .isInstanceOf(ModelFileException.class);
    bytes[7]++;
    assertThatThrownBy(() -> StreamSample.decode(new Decoder(bytes), 100))
        .isInstanceOf(ModelFileException.class);
  }
}
