package org.avm4j.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Limit;
import org.avm4j.Loss;
import org.avm4j.Streams;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;

class BatchNewtonTest {
  private static final double PRIOR = 0.5;

  private static AvmOptions.Builder binary() {
    return AvmOptions.binary().coverage(Coverage.sphere(0.9)).update(Update.newton(PRIOR));
  }

  private static AvmModel train(AvmOptions options, List<Instance> data, int passes) {
    return BatchNewton.train(
        options,
        data.stream().map(Instance::features).toList(),
        data.stream().mapToDouble(Instance::label).toArray(),
        passes);
  }

  /** prior β_j - Σ max(0, 1 - y f) y k_j. */
  private static double gradient(AvmModel model, List<Instance> stream, int j) {
    double sum = PRIOR * model.coefficient(0, j);
    for (Instance instance : stream) {
      double f = model.score(instance.features())[0];
      double loss = Math.max(0, 1 - instance.label() * f);
      sum -= loss * instance.label() * kernel(model, instance.features(), j);
    }
    return sum;
  }

  private static double kernel(AvmModel model, Features x, int j) {
    double squares = 0;
    for (int i = 0; i < 3; i++) {
      squares += Math.pow((float) x.get(i) - model.vector(j).get(i), 2);
    }
    return model.provenance().options().kernel().of(squares);
  }

  @Test
  void theGradientOfTheSquaredHingeVanishes() {
    List<Instance> stream = Streams.binary(2000, 3, 5);
    AvmModel model = train(binary().build(), stream, 30);
    for (int j = 0; j < model.size(); j++) {
      assertThat(gradient(model, stream, j)).isCloseTo(0, within(1e-4));
    }
  }

  @Test
  void partsAddUpToTheWhole() {
    List<Instance> stream = Streams.multiclass(1200, 3, 5);
    AvmOptions options = AvmOptions.multiclass().update(Update.newton()).build();
    BatchNewton whole = new BatchNewton(options);
    BatchNewton parts = new BatchNewton(options);
    stream.forEach(i -> whole.cover(i.features(), i.label()));
    stream.forEach(i -> parts.cover(i.features(), i.label()));
    for (int pass = 0; pass < 4; pass++) {
      BatchNewton.Sums all = whole.sums();
      stream.forEach(i -> all.add(i.features(), i.label()));
      whole.solve(all);
      BatchNewton.Sums one = parts.sums();
      BatchNewton.Sums other = parts.sums();
      stream.subList(0, 500).forEach(i -> one.add(i.features(), i.label()));
      stream.subList(500, 1200).forEach(i -> other.add(i.features(), i.label()));
      one.merge(other);
      parts.solve(one);
    }
    Features probe = Features.dense(0.2, -0.5, 0.4);
    double[] expected = whole.model().score(probe);
    assertThat(parts.model().score(probe)).containsExactly(expected, within(1e-8));
  }

  @Test
  void itLearnsInEveryTask() {
    for (AvmOptions.Builder form :
        List.of(
            AvmOptions.binary(),
            AvmOptions.binary().loss(Loss.logistic()),
            AvmOptions.multiclass(),
            AvmOptions.regression(),
            AvmOptions.regression().loss(Loss.absolute()))) {
      AvmOptions options = form.coverage(Coverage.sphere(0.6)).update(Update.newton()).build();
      List<Instance> stream = Streams.of(options.task(), 2000, 3, 1);
      AvmModel model = train(options, stream, 10);
      double wrong = 0;
      for (Instance instance : Streams.of(options.task(), 500, 3, 2)) {
        wrong += Math.min(1, Math.abs(model.predict(instance.features()) - instance.label()));
      }
      assertThat(wrong).as(options.toString()).isLessThan(60);
    }
  }

  @Test
  void theCapHolds() {
    AvmOptions options = binary().coverage(Coverage.sphere(0.1)).maxSize(30, Limit.DROP).build();
    AvmModel model = train(options, Streams.binary(500, 3, 1), 5);
    assertThat(model.size()).isEqualTo(30);
    assertThat(model.provenance().instances()).isEqualTo(500);
  }

  /** Kernel values are floats, so keeping them or not is the same to the last digit. */
  @Test
  void withoutRoomKernelValuesAreMeasuredAgain() {
    AvmOptions options = binary().coverage(Coverage.sphere(0.3)).maxSize(40, Limit.DROP).build();
    List<Instance> stream = Streams.binary(900, 3, 1);
    List<Features> x = stream.stream().map(Instance::features).toList();
    double[] y = stream.stream().mapToDouble(Instance::label).toArray();
    Features probe = Features.dense(0.2, -0.5, 0.4);
    double[] kept = BatchTraining.train(options, x, y, 9, 1 << 30).score(probe);
    assertThat(BatchTraining.train(options, x, y, 9, 30_000).score(probe)).containsExactly(kept);
    assertThat(BatchTraining.train(options, x, y, 9, 0).score(probe)).containsExactly(kept);
  }

  /** A thin line between two classes: half of the points lie where the rough model is unsure. */
  @Test
  void halfOfTheCorePointsAreHard() {
    AvmOptions options = binary().coverage(Coverage.sphere(0.01)).maxSize(40, Limit.DROP).build();
    List<Instance> stream = new ArrayList<>();
    for (Instance instance : Streams.binary(4000, 3, 1)) {
      stream.add(new Instance(instance.features(), instance.features().get(0) > 0 ? 1 : -1));
    }
    AvmModel model = train(options, stream, 5);
    int near = 0;
    for (int j = 0; j < model.size(); j++) {
      near += Math.abs(model.vector(j).get(0)) < 0.25 ? 1 : 0;
    }
    assertThat(model.size()).isEqualTo(40);
    assertThat(near).isGreaterThanOrEqualTo(20);
  }

  @Test
  void aRareClassHasItsShareOfTheCorePoints() {
    AvmOptions options = binary().coverage(Coverage.sphere(0.1)).maxSize(30, Limit.DROP).build();
    List<Instance> stream = new ArrayList<>();
    for (Instance instance : Streams.binary(2000, 3, 1)) {
      boolean isRare = instance.features().get(0) > 0.9;
      stream.add(new Instance(instance.features(), isRare ? 1 : -1));
    }
    AvmModel model = train(options, stream, 5);
    int rare = 0;
    for (int j = 0; j < model.size(); j++) {
      rare += model.vector(j).get(0) > 0.9 ? 1 : 0;
    }
    assertThat(model.size()).isEqualTo(30);
    assertThat(rare).isEqualTo(15);
  }

  @Test
  void sgdIsRefused() {
    assertThatThrownBy(() -> new BatchNewton(AvmOptions.binary().build()))
        .hasMessage("the update must be Newton: Sgd[]");
  }
}
