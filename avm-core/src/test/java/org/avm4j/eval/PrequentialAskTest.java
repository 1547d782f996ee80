package org.avm4j.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.OnlineLearner;
import org.avm4j.asking.AskOptions;
import org.avm4j.asking.LabelBudget;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrequentialAskTest {
  private static final int ROWS = 3000;

  private static Avm learner() {
    return new Avm(
        AvmOptions.binary()
            .kernel(Kernel.gaussian(4))
            .coverage(Coverage.sphere(0.3))
            .regularization(1e-3)
            .build());
  }

  private static List<Features> rows() {
    SplitMix random = new SplitMix(5);
    List<Features> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(Features.dense(random.getAsDouble(), random.getAsDouble()));
    }
    return rows;
  }

  private static double label(Features x) {
    return x.get(0) * x.get(1) > 0.25 ? 1 : -1;
  }

  private static LabelBudget budget(double randomShare) {
    return new LabelBudget(new AskOptions(0.05, randomShare), 1);
  }

  private static Prequential run(LabelBudget budget, long delay) {
    OnlineLearner learner = learner();
    Prequential run = new Prequential(learner, Metrics.of(learner, false), delay);
    run.ask(budget);
    return run;
  }

  /** The same as asking by hand, without an evaluation. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 40})
  void everyAnswerIsMeasuredAndOnlyAskedLabelsAreLearned(int delay) {
    Prequential run = run(budget(0.1), delay);
    Avm twin = learner();
    LabelBudget budget = budget(0.1);
    List<Features> rows = rows();
    boolean[] asked = new boolean[ROWS];
    int wrong = 0;
    for (int t = 0; t < ROWS; t++) {
      Features x = rows.get(t);
      wrong += twin.predict(x) == label(x) ? 0 : 1;
      asked[t] = budget.ask(twin.answer(x));
      if (t >= delay && asked[t - delay]) {
        twin.learn(rows.get(t - delay), label(rows.get(t - delay)));
      }
      run.step(x, label(x));
      assertThat(run.isAsked()).isEqualTo(asked[t]);
    }
    assertThat(run.metrics().instances()).isEqualTo(ROWS);
    assertThat(run.metrics().value()).isEqualTo(100.0 * wrong / ROWS);
    assertThat(run.learner().toBytes()).isEqualTo(twin.toBytes());
    assertThat(run.budget().orElseThrow().labels()).isBetween(150L - 16, 150L + 16);
    run.finish();
    assertThat(run.learner().status().instances()).isEqualTo(run.budget().orElseThrow().labels());
  }

  @Test
  void labelsOfUnsureAnswersTeachMoreThanRandomOnes() {
    Prequential unsure = run(budget(0.1), 0);
    Prequential random = run(budget(1), 0);
    for (Features x : rows()) {
      unsure.step(x, label(x));
      random.step(x, label(x));
    }
    assertThat(unsure.metrics().value()).isLessThan(0.85 * random.metrics().value());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 40})
  void aRunThatWasSavedGoesOnBitForBit(int delay) throws ModelFileException {
    Prequential whole = run(budget(0.1), delay);
    List<Features> rows = rows();
    rows.subList(0, 1000).forEach(x -> whole.step(x, label(x)));
    Encoder out = new Encoder();
    whole.encode(out);
    OnlineLearner copy = whole.learner().copy();
    Prequential resumed = Prequential.decode(new Decoder(out.toBytes()), copy);
    for (Features x : rows.subList(1000, ROWS)) {
      whole.step(x, label(x));
      resumed.step(x, label(x));
      assertThat(resumed.isAsked()).isEqualTo(whole.isAsked());
    }
    whole.finish();
    resumed.finish();
    assertThat(copy.toBytes()).isEqualTo(whole.learner().toBytes());
    assertThat(resumed.metrics().value()).isEqualTo(whole.metrics().value());
  }

  @Test
  void aRefusedRowCountsNowhere() {
    Prequential run = run(new LabelBudget(new AskOptions(1), 1), 0);
    run.step(Features.dense(1, 1), 1);
    assertThatThrownBy(() -> run.step(Features.dense(1, 1), 3))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(run.budget().orElseThrow().rows()).isEqualTo(1);
    assertThat(run.metrics().instances()).isEqualTo(1);
  }
}
