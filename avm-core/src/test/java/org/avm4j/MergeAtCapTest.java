package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** At the size cap cells merge: nothing is lost, and every instance stays covered. */
class MergeAtCapTest {
  private static final int CAP = 25;

  static List<AvmOptions> forms() {
    AvmOptions.Builder binary =
        AvmOptions.binary()
            .kernel(Kernel.gaussian(2))
            .coverage(Coverage.sphere(1e-9))
            .regularization(0.01)
            .maxSize(CAP, Limit.MERGE);
    AvmOptions.Builder numbers =
        AvmOptions.regression()
            .regularization(0.001)
            .coverage(Coverage.rectangle(0.2))
            .maxSize(CAP, Limit.MERGE);
    return List.of(
        binary.build(),
        binary.output(Output.suffix(0.5)).build(),
        binary.approximation(Approximation.decaying(4, 0.5)).build(),
        binary
            .output(Output.last())
            .approximation(Approximation.always())
            .update(Update.newton())
            .build(),
        binary.task(Task.multiclass()).build(),
        numbers.build(),
        numbers.update(Update.newton(0.01)).build(),
        numbers.loss(Loss.absolute()).kernel(Kernel.laplacian(1)).build());
  }

  /** The usual stream, whose place in space wanders. */
  private static List<Instance> wandering(Task task, int n, long seed) {
    List<Instance> stream = new ArrayList<>();
    double at = 0;
    for (Instance instance : Streams.of(task, n, 3, seed)) {
      Features x = instance.features();
      at += 3.0 / n;
      stream.add(
          new Instance(
              Features.dense(x.get(0) + at, x.get(1), x.get(2) - 2 * at), instance.label()));
    }
    return stream;
  }

  private static void assertCovered(Avm avm, List<Instance> seen) {
    AvmModel model = avm.snapshot();
    for (Instance instance : seen) {
      double least = Double.POSITIVE_INFINITY;
      for (int j = 0; j < model.size(); j++) {
        least = Math.min(least, distance(instance.features(), model.vector(j)));
      }
      assertThat(least).isLessThanOrEqualTo(avm.diameter() * (1 + 1e-5));
    }
  }

  private static double distance(Features x, Features z) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
      sum += (x.get(i) - z.get(i)) * (x.get(i) - z.get(i));
    }
    return Math.sqrt(sum);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void everyInstanceSeenIsWithinTheDiameterOfAVector(AvmOptions options) {
    Avm avm = new Avm(options);
    List<Instance> stream = wandering(options.task(), 3000, 1);
    double diameter = avm.diameter();
    for (int t = 0; t < stream.size(); t++) {
      avm.learn(stream.get(t).features(), stream.get(t).label());
      assertThat(avm.size()).isLessThanOrEqualTo(CAP);
      assertThat(avm.diameter()).isGreaterThanOrEqualTo(diameter);
      diameter = avm.diameter();
      if (t % 500 == 499) {
        assertCovered(avm, stream.subList(0, t + 1));
      }
    }
    assertThat(avm.size()).isEqualTo(CAP);
    assertThat(diameter).isGreaterThan(options.coverage().diameter());
    assertThat(avm.status().atLimit()).isPositive();
    assertThat(avm.snapshot().provenance().options().coverage().diameter()).isEqualTo(diameter);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void mergedLearnersKeepToTheCapAndCoverWhatBothHaveSeen(AvmOptions options) {
    Avm one = new Avm(options);
    Avm other = new Avm(options);
    List<Instance> all = wandering(options.task(), 1200, 2);
    all.subList(0, 500).forEach(i -> one.learn(i.features(), i.label()));
    all.subList(500, 1200).forEach(i -> other.learn(i.features(), i.label()));
    one.merge(other);
    assertThat(one.size()).isEqualTo(CAP);
    assertThat(one.instances()).isEqualTo(1200);
    assertCovered(one, all);
    Features probe = Features.dense(0.5, 0.5, -1);
    assertThat(one.score(probe)).isNotEqualTo(new double[one.columns()]);
    for (double score : one.score(probe)) {
      assertThat(score).isFinite();
    }
  }

  /** New clusters far from all others, one after the other: each must find a place. */
  @Test
  void clustersThatComeLateFindAPlace() {
    AvmOptions options = forms().get(3);
    int merging = lateMistakes(options);
    assertThat(merging).isLessThan(1000);
    assertThat(lateMistakes(options.change().maxSize(CAP, Limit.APPROXIMATE).build()))
        .isGreaterThan(3 * merging);
  }

  /** Mistakes in ten thousand instances, each of which comes long after the newest cluster did. */
  private static int lateMistakes(AvmOptions options) {
    Avm avm = new Avm(options);
    SplitMix random = new SplitMix(4);
    int mistakes = 0;
    for (int t = 0; t < 20_000; t++) {
      int cluster = random.nextInt(1 + t / 2000);
      Features x =
          Features.dense(5 * cluster + random.getAsDouble(), random.getAsDouble(), cluster % 2);
      double y = cluster % 3 == 0 ? 1 : -1;
      mistakes += t % 2000 < 1000 || avm.predict(x) == y ? 0 : 1;
      avm.learn(x, y);
    }
    return mistakes;
  }

  /** The rate of mistakes right after cells begin to merge, next to a learner without a cap. */
  @Test
  void theMistakeRateMakesNoJump() {
    AvmOptions options = forms().get(3).change().maxSize(60, Limit.MERGE).build();
    AvmOptions free = options.change().maxSize(0, Limit.MERGE).build();
    int[] mistakes = new int[2];
    for (long seed = 0; seed < 20; seed++) {
      Avm capped = new Avm(options);
      Avm uncapped = new Avm(free);
      int t = 0;
      for (Instance instance : Streams.binary(300, 3, seed)) {
        if (t++ >= 60) {
          mistakes[0] += capped.predict(instance.features()) == instance.label() ? 0 : 1;
          mistakes[1] += uncapped.predict(instance.features()) == instance.label() ? 0 : 1;
        }
        capped.learn(instance.features(), instance.label());
        uncapped.learn(instance.features(), instance.label());
      }
    }
    assertThat(mistakes[0]).isLessThan(mistakes[1] + 20 * 240 / 100);
  }

  /** Doubles cost nothing to absorb, so all that is different is kept. */
  @Test
  void doublesMakeRoomFirst() {
    Avm avm = new Avm(forms().get(3).change().maxSize(8, Limit.MERGE).build());
    for (int t = 0; t < 400; t++) {
      double place = t % 8;
      avm.learn(Features.dense(place + 1e-4 * (t % 3), 0), place < 4 ? 1 : -1);
    }
    List<Double> places = new ArrayList<>();
    for (int j = 0; j < 8; j++) {
      places.add(Math.rint(avm.snapshot().vector(j).get(0)));
    }
    assertThat(places).doesNotHaveDuplicates();
    assertThat(avm.diameter()).isCloseTo(2e-4, within(1e-4));
  }

  @Nested
  class SgdBinary extends AvmContractTest.Form {
    SgdBinary() {
      super(forms().get(1).change(), CAP);
    }
  }

  @Nested
  class NewtonBinary extends AvmContractTest.Form {
    NewtonBinary() {
      super(forms().get(3).change(), CAP);
    }
  }

  @Nested
  class NewtonMulticlass extends AvmContractTest.Form {
    NewtonMulticlass() {
      super(forms().get(4).change(), CAP);
    }
  }

  @Nested
  class SgdRegression extends AvmContractTest.Form {
    SgdRegression() {
      super(forms().get(5).change(), CAP);
    }
  }

  @Nested
  class NewtonRegression extends AvmContractTest.Form {
    NewtonRegression() {
      super(forms().get(6).change(), CAP);
    }
  }
}
