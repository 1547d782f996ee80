package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;
import org.avm4j.auto.AutoAvm;
import org.avm4j.data.Scaler;
import org.avm4j.form.KernelExpansion;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.Scaling;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;
import org.junit.jupiter.api.Test;

/** Scores computed by hand from what a model lays open are the scores of the model. */
class ModelFormTest {
  private static final int FEATURES = 3;

  private static Features row(SplittableRandom random) {
    return Features.dense(
        2 * random.nextDouble() - 1, 2 * random.nextDouble() - 1, random.nextInt(2));
  }

  private static double label(Features x, int classes) {
    double angle = 4 * Math.hypot(x.get(0), x.get(1)) + Math.atan2(x.get(1), x.get(0)) + Math.PI;
    return Math.floor(classes * (angle / (2 * Math.PI) % 1));
  }

  private static <L extends OnlineLearner> L learned(L learner, int rows, int classes) {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < rows; i++) {
      Features x = row(random);
      double label = label(x, classes);
      learner.learn(x, classes == 2 ? 2 * label - 1 : label);
    }
    return learner;
  }

  private static AvmOptions options(AvmOptions.Builder builder, int linear) {
    return builder
        .kernel(Kernel.matern32(2))
        .coverage(Coverage.sphere(0.4))
        .update(Update.newton(0.1, linear))
        .build();
  }

  private static double[] byHand(KernelExpansion machine, Features x) {
    double[] scores = new double[machine.columns()];
    for (int c = 0; c < scores.length; c++) {
      for (int j = 0; j < machine.size(); j++) {
        scores[c] +=
            machine.coefficient(c, j) * machine.kernel().of(distance(machine.vector(j), x));
      }
      double[] linear = machine.linear(c);
      for (int i = 0; i < linear.length; i++) {
        scores[c] += linear[i] * (i == 0 ? 1 : x.get(i - 1));
      }
    }
    return scores;
  }

  private static double distance(Features a, Features b) {
    double sum = 0;
    for (int i = 0; i < FEATURES; i++) {
      sum += (a.get(i) - b.get(i)) * (a.get(i) - b.get(i));
    }
    return sum;
  }

  private static double[] byHand(ModelForm.Tree tree, Features x) {
    double[] total = new double[tree.root().orElseThrow().machine().columns()];
    ModelForm.Node node = tree.root().get();
    while (true) {
      add(node.gate(), byHand(node.machine(), x), total);
      if (node.children().isEmpty()) {
        break;
      }
      List<Features> centres = node.centres();
      int nearest =
          IntStream.range(0, centres.size())
              .boxed()
              .min(Comparator.comparingDouble(k -> distance(centres.get(k), x)))
              .orElseThrow();
      node = node.children().get(nearest);
    }
    if (tree.live().isPresent()) {
      double[] live = byHand(tree.live().get(), x);
      for (int c = 0; c < total.length; c++) {
        total[c] = live[c] + node.part() * (total[c] - live[c]);
      }
    }
    return total;
  }

  private static void add(double factor, double[] more, double[] sum) {
    for (int c = 0; c < sum.length; c++) {
      sum[c] += factor * more[c];
    }
  }

  @Test
  void aMachineIsASumOfKernels() {
    for (int linear = -1; linear <= FEATURES; linear++) {
      Avm avm = learned(new Avm(options(AvmOptions.multiclass(), linear)), 500, 3);
      AvmModel model = avm.snapshot();
      KernelExpansion machine =
          ((ModelForm.Machine) model.inspect(OpenModel.class).orElseThrow().form()).machine();
      SplittableRandom random = new SplittableRandom(2);
      for (int i = 0; i < 100; i++) {
        Features x = row(random);
        assertThat(byHand(machine, x)).containsExactly(model.score(x), within(1e-4));
      }
    }
  }

  @Test
  void aTreeIsTheSumAlongAPath() {
    AvmTree tree =
        new AvmTree(
            new TreeOptions(
                options(AvmOptions.multiclass(), -1).change().maxSize(16, Limit.MERGE).build(),
                8,
                4,
                2000));
    Model model = learned(tree, 3000, 3).snapshot();
    ModelForm.Tree form = (ModelForm.Tree) model.inspect(OpenModel.class).orElseThrow().form();
    assertThat(form.root().orElseThrow().children()).hasSizeGreaterThan(1);
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 300; i++) {
      Features x = row(random);
      assertThat(byHand(form, x)).containsExactly(model.score(x), within(1e-3));
    }
  }

  @Test
  void automaticModeHasAPreparationOfItsOwn() {
    Model alone = learned(new AutoAvm(), 600, 2).snapshot().detached();
    PreparedModel model = new PreparedModel(Preparation.none(), alone);
    List<Preparation> preparations = model.preparations();
    assertThat(preparations).hasSizeGreaterThan(1);
    Scaler scaler = preparations.get(preparations.size() - 1).scaler();
    KernelExpansion machine =
        ((ModelForm.Machine) model.inspect(OpenModel.class).orElseThrow().form()).machine();
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 50; i++) {
      Features x = row(random);
      double[] scaled = new double[FEATURES];
      for (int f = 0; f < FEATURES; f++) {
        scaled[f] =
            scaler.scaling() == Scaling.NONE
                ? scaler.metric().weight(f) * x.get(f)
                : scaler.factor(f) * x.get(f) + scaler.shift(f);
      }
      assertThat(byHand(machine, Features.dense(scaled)))
          .containsExactly(model.score(x), within(1e-3));
    }
  }

  @Test
  void anAnomalyIsFarFromTheNearestInstances() {
    AnomalyDetector detector = new AnomalyDetector(AnomalyOptions.DEFAULT.withMaxSize(40));
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 800; i++) {
      detector.learn(Features.dense(random.nextDouble(), 30 * random.nextDouble(), 7));
    }
    Model model = detector.snapshot();
    ModelForm.Density form =
        (ModelForm.Density) model.inspect(OpenModel.class).orElseThrow().form();
    List<Features> rows = new ArrayList<>();
    rows.add(Features.dense(0.5, 15, 8));
    rows.add(Features.dense(0.5, 15, 0));
    for (int i = 0; i < 100; i++) {
      rows.add(Features.dense(2 * random.nextDouble(), 60 * random.nextDouble(), 7));
    }
    for (Features x : rows) {
      assertThat(byHand(form, x)).isCloseTo(model.score(x)[0], within(1e-5 * model.score(x)[0]));
      boolean isFar = model.score(x)[0] >= form.threshold();
      assertThat(model.predict(x)).isEqualTo(isFar ? 1 : -1);
    }
  }

  private static double byHand(ModelForm.Density form, Features x) {
    double[] z = new double[FEATURES];
    for (int i = 0; i < FEATURES; i++) {
      ModelForm.FeatureScale scale = form.scales().get(i);
      z[i] = (x.get(i) - scale.origin()) * scale.factor(x.get(i));
    }
    List<Integer> order =
        new ArrayList<>(IntStream.range(0, form.centres().size()).boxed().toList());
    order.sort(Comparator.comparingDouble(j -> distance(form.centres().get(j), Features.dense(z))));
    double left = form.mass();
    double sum = 0;
    for (int j : order) {
      double taken = Math.min(left, form.counts().get(j));
      sum += taken * distance(form.centres().get(j), Features.dense(z));
      left -= taken;
    }
    return Math.sqrt(sum / form.mass());
  }

  @Test
  void aModelFromElsewhereScoresAndStartsALearner() {
    AvmOptions options = options(AvmOptions.binary(), 0);
    AvmModel first = learned(new Avm(options), 300, 2).snapshot();
    List<Features> vectors = IntStream.range(0, first.size()).mapToObj(first::vector).toList();
    double[] coefficients =
        IntStream.range(0, first.size()).mapToDouble(j -> first.coefficient(0, j)).toArray();
    AvmModel made = AvmModel.of(options, vectors, coefficients, first.linear(0)[0]);
    Avm warm = Avm.from(made, options);
    assertThat(warm.size()).isEqualTo(first.size());
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 100; i++) {
      Features x = row(random);
      assertThat(made.score(x)).isEqualTo(first.score(x));
      assertThat(warm.score(x)).containsExactly(first.score(x), within(1e-9));
    }
    assertThat(warm.isPositiveDefinite()).isTrue();
    assertThat(mistakes(learned(warm, 600, 2))).isLessThanOrEqualTo(mistakes(first));
  }

  private static long mistakes(Predictor predictor) {
    SplittableRandom random = new SplittableRandom(9);
    return IntStream.range(0, 1000)
        .mapToObj(i -> row(random))
        .filter(x -> predictor.predict(x) != 2 * label(x, 2) - 1)
        .count();
  }

  @Test
  void aWarmStartThatDoesNotFitIsRefused() {
    AvmOptions options = options(AvmOptions.binary(), 0);
    AvmModel made =
        AvmModel.of(options, List.of(Features.dense(1, 2), Features.dense(3)), new double[2], 0);
    for (AvmOptions other :
        List.of(
            options(AvmOptions.regression(), 0),
            options(AvmOptions.binary(), 1),
            options.change().kernel(Kernel.gaussian(1)).build())) {
      assertThatThrownBy(() -> Avm.from(made, other)).hasMessageContaining("a warm start needs");
    }
    AvmOptions small = options.change().maxSize(1, Limit.APPROXIMATE).build();
    assertThatThrownBy(() -> Avm.from(made, small)).hasMessageContaining("needs room for");
    assertThatThrownBy(() -> AvmModel.of(options, List.of(), new double[1], 0))
        .hasMessageContaining("the numbers of coefficients and vectors must be equal");
    assertThatThrownBy(
            () -> AvmModel.of(options(AvmOptions.binary(), 1), List.of(), new double[0], 0))
        .hasMessageContaining("an update with a bias alone");
  }
}
