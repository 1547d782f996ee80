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
import org.avm4j.Task;
import org.avm4j.asking.AskOptions;
import org.avm4j.asking.LabelBudget;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.AutoOptions;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.conformal.Conformal;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.ClassPrior;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrequentialDelayTest {
  private static final int ROWS = 400;

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
      rows.add(Features.dense(random.getAsDouble(), random.getAsDouble(), 0));
    }
    return rows;
  }

  private static double label(Features x) {
    return x.get(0) * x.get(1) > 0.25 ? 1 : -1;
  }

  /** Row t is learned right after the answer to row t + delay, and the rest at the end. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 17, 1000})
  void anInstanceIsLearnedSoManyAnswersLater(int delay) {
    List<Features> rows = rows();
    Avm avm = learner();
    Prequential run = new Prequential(avm, Metrics.of(avm, false), delay);
    Avm twin = learner();
    for (int t = 0; t < ROWS; t++) {
      run.step(rows.get(t), label(rows.get(t)));
      assertThat(run.scores()).isEqualTo(twin.score(rows.get(t)));
      assertThat(run.answer()).isEqualTo(twin.predict(rows.get(t)));
      if (t >= delay) {
        twin.learn(rows.get(t - delay), label(rows.get(t - delay)));
      }
    }
    run.finish();
    for (int t = Math.max(0, ROWS - delay); t < ROWS; t++) {
      twin.learn(rows.get(t), label(rows.get(t)));
    }
    assertThat(run.learner().snapshot().toBytes()).isEqualTo(twin.snapshot().toBytes());
    assertThat(run.metrics().instances()).isEqualTo(ROWS);
  }

  @Test
  void labelsThatComeLateCostAccuracy() {
    assertThat(mistakes(100)).isGreaterThan(mistakes(0));
  }

  private static double mistakes(int delay) {
    Avm avm = learner();
    Prequential run = new Prequential(avm, Metrics.of(avm, false), delay);
    rows().forEach(x -> run.step(x, label(x)));
    return run.metrics().value();
  }

  @Test
  void aRunThatIsSavedWhileRowsWaitGoesOnBitForBit() throws Exception {
    List<Features> rows = rows();
    Avm avm = learner();
    Prequential whole = new Prequential(avm, Metrics.of(avm, false), 23);
    Prequential parts = new Prequential(learner(), Metrics.of(avm, false), 23);
    for (int t = 0; t < ROWS; t++) {
      whole.step(rows.get(t), label(rows.get(t)));
      parts.step(rows.get(t), label(rows.get(t)));
      assertThat(parts.scores()).isEqualTo(whole.scores());
      parts = t % 97 == 5 ? copy(parts) : parts;
    }
    whole.finish();
    parts.finish();
    assertThat(parts.delay()).isEqualTo(23);
    assertThat(parts.learner().snapshot().toBytes())
        .isEqualTo(whole.learner().snapshot().toBytes());
    assertThat(parts.yardsticks().orElseThrow().all())
        .isEqualTo(whole.yardsticks().orElseThrow().all());
    assertThat(parts.metrics().all(String::valueOf))
        .isEqualTo(whole.metrics().all(String::valueOf));
  }

  private static Prequential copy(Prequential run) throws Exception {
    Encoder out = new Encoder();
    run.encode(out);
    OnlineLearner learner = OnlineLearner.fromBytes(run.learner().toBytes());
    Decoder in = new Decoder(out.toBytes());
    Prequential copy = Prequential.decode(in, learner);
    in.end();
    return copy;
  }

  private static Pipeline automatic(Task task) {
    AutoAvm auto = new AutoAvm(AutoOptions.of(task));
    Conformal certainty = new Conformal(0.9);
    return new Pipeline(Preparation.none(), auto, null, ClassPrior.none(), certainty);
  }

  /** Classes in blocks of 60 rows: the latest label that is known is always a wrong answer. */
  @Test
  void automaticModeLearnsWhichLabelsAreKnown() {
    AutoAvm auto = new AutoAvm(AutoOptions.of(Task.multiclass()));
    Prequential run = new Prequential(auto, Metrics.of(auto, false), 60);
    SplitMix random = new SplitMix(2);
    for (int t = 0; t < 1500; t++) {
      int label = t / 60 % 3;
      run.step(Features.dense(label + 3 * random.getAsDouble(), random.getAsDouble()), label);
    }
    assertThat(run.yardsticks().orElseThrow().noChangeError()).isGreaterThan(90);
    assertThat(run.metrics().value()).isLessThan(60);
  }

  @Test
  @Tag("slow")
  void intervalsHoldForTheAnswersThatWereGiven() throws Exception {
    Pipeline pipeline = automatic(Task.regression());
    Prequential whole = new Prequential(pipeline, Metrics.of(pipeline, false), 100);
    Prequential parts = new Prequential(pipeline.copy(), Metrics.of(pipeline, false), 100);
    SplitMix random = new SplitMix(4);
    for (int t = 0; t < 1500; t++) {
      Features x = Features.dense(random.getAsDouble());
      double y = 5 * Math.sin(t / 40.0) + x.get(0) + 0.2 * random.getAsDouble();
      whole.step(x, y);
      parts.step(x, y);
      parts = t % 401 == 300 ? copy(parts) : parts;
    }
    double covered = whole.coverage().orElseThrow().coverage();
    assertThat(covered).isGreaterThan(0.8);
    assertThat(parts.coverage().orElseThrow().coverage()).isEqualTo(covered);
    assertThat(parts.learner().toBytes()).isEqualTo(whole.learner().toBytes());
  }

  /** Rows wait without their answers until the run begins to need them. */
  @Test
  void rowsWaitWithAndWithoutTheirAnswers() throws Exception {
    Avm avm = learner();
    Prequential run = new Prequential(avm, Metrics.of(avm, false), 5);
    List<Features> rows = rows();
    rows.subList(0, 8).forEach(x -> run.step(x, label(x)));
    run.ask(new LabelBudget(new AskOptions(0.9), 1));
    rows.subList(8, 11).forEach(x -> run.step(x, label(x)));
    Prequential copy = copy(run);
    for (Features x : rows.subList(11, 40)) {
      run.step(x, label(x));
      copy.step(x, label(x));
    }
    assertThat(copy.learner().toBytes()).isEqualTo(run.learner().toBytes());
  }

  @Test
  void theRulesSeeOnlyLabelsThatAreKnown() {
    Avm avm = learner();
    Prequential run = new Prequential(avm, Metrics.of(avm, false), 2);
    for (double y : new double[] {1, 1, -1, -1, -1}) {
      run.step(Features.dense(1), y);
    }
    assertThat(run.yardsticks().orElseThrow().noChangeError()).isEqualTo(100);
  }

  @Test
  void aRowThatIsRefusedLateIsNamedAndLeftOut() {
    Avm avm = learner();
    Prequential run = new Prequential(avm, Metrics.of(avm, false), 1);
    run.step(Features.dense(1), 7);
    assertThatThrownBy(() -> run.step(Features.dense(2), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the row answered 1 answers earlier");
    run.step(Features.dense(3), 1);
    assertThat(run.metrics().instances()).isEqualTo(3);
    assertThat(run.learner().status().instances()).isEqualTo(1);
  }

  @Test
  void aNegativeDelayIsRefused() {
    Avm avm = learner();
    assertThatThrownBy(() -> new Prequential(avm, Metrics.of(avm, false), -1))
        .hasMessage("the delay of labels must be at least 0: -1");
  }
}
