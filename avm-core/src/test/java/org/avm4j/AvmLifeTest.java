package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a learner says of itself, keeps, refuses and forgets. */
class AvmLifeTest {
  private static final Features PROBE = Features.dense(0.2, -0.3, 0.1);

  static List<AvmOptions> forms() {
    return List.of(
        AvmOptions.binary().regularization(0.01).build(),
        AvmOptions.multiclass().output(Output.average()).build(),
        AvmOptions.regression().update(Update.newton()).build(),
        AvmOptions.binary().approximation(Approximation.decaying(5, 0.6)).build());
  }

  private static Avm learned(AvmOptions options, int n) {
    Avm avm = new Avm(options);
    learn(avm, n);
    return avm;
  }

  private static void learn(Avm avm, int n) {
    Streams.of(avm.task(), n, 3, 7).forEach(row -> avm.learn(row.features(), row.label()));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void resetForgetsEverything(AvmOptions options) {
    Avm avm = learned(options, 100);
    avm.reset();
    assertThat(avm.toBytes()).isEqualTo(new Avm(options).toBytes());
    learn(avm, 100);
    assertThat(avm.toBytes()).isEqualTo(learned(options, 100).toBytes());
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aCopyGoesItsOwnWayAndAFileGoesOn(AvmOptions options, @TempDir Path folder)
      throws IOException {
    Avm avm = learned(options, 100);
    byte[] before = avm.toBytes();
    Avm copy = avm.copy();
    learn(copy, 50);
    assertThat(avm.toBytes()).isEqualTo(before);
    Path file = folder.resolve("learner");
    Files.write(file, before);
    Avm loaded = Avm.load(file);
    learn(loaded, 50);
    assertThat(loaded.toBytes()).isEqualTo(copy.toBytes());
    assertThat(loaded.score(PROBE)).isEqualTo(copy.score(PROBE));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void scoringChangesNothingAndAModelStandsStill(AvmOptions options) {
    Avm avm = learned(options, 100);
    byte[] before = avm.toBytes();
    double[] scores = avm.score(PROBE);
    assertThat(scores).hasSize(avm.columns());
    AvmModel model = avm.snapshot();
    avm.predict(PROBE);
    assertThat(avm.toBytes()).isEqualTo(before);
    assertThat(model.score(PROBE)).containsExactly(scores, within(1e-12));
    assertThat(model.predict(PROBE)).isEqualTo(avm.predict(PROBE), within(1e-12));
    learn(avm, 50);
    assertThat(model.score(PROBE)).containsExactly(scores, within(1e-12));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void whatIsRefusedChangesNothing(AvmOptions options) {
    Avm avm = learned(options, 50);
    byte[] before = avm.toBytes();
    assertThatThrownBy(() -> avm.learn(PROBE, Double.NaN)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> avm.learn(PROBE, 1, -1)).hasMessageContaining("weight");
    assertThatThrownBy(() -> avm.learn(PROBE, 1, 0)).hasMessageContaining("weight");
    assertThat(avm.toBytes()).isEqualTo(before);
  }

  @Test
  void itCountsWhatItHolds() {
    Avm kept = learned(AvmOptions.binary().approximation(Approximation.never()).build(), 60);
    assertThat(kept.size()).isEqualTo(60);
    assertThat(kept.cells()).isZero();
    assertThat(kept.instances()).isEqualTo(60);
    assertThat(kept.dimension()).isEqualTo(3);
    assertThat(kept.supportVectors()).isBetween(10, 60);
    Status status = kept.status();
    assertThat(status.instances()).isEqualTo(60);
    assertThat(status.size()).isEqualTo(60);
    assertThat(kept.toString()).isEqualTo(status.summary()).isNotEmpty();
    Provenance provenance = kept.provenance();
    assertThat(provenance.instances()).isEqualTo(60);
    assertThat(provenance.cells()).isZero();
    assertThat(provenance.supportVectors()).isEqualTo(kept.supportVectors());
    Avm empty = new Avm(AvmOptions.binary().build());
    assertThat(empty.supportVectors()).isZero();
    assertThat(empty.size()).isZero();
  }

  @Test
  void itSaysWhatItIs() {
    AvmOptions options = AvmOptions.binary().loss(Loss.logistic()).build();
    Avm avm = new Avm(options);
    assertThat(avm.options()).isSameAs(options);
    assertThat(avm.task()).isEqualTo(Task.binary());
    assertThat(avm.hasLogits()).isTrue();
    assertThat(new Avm(AvmOptions.binary().build()).hasLogits()).isFalse();
    assertThat(avm.kind()).isEqualTo("avm-learner");
    assertThat(avm.classes()).containsExactly(-1, 1);
    avm.classes()[0] = 9;
    assertThat(avm.classes()).containsExactly(-1, 1);
    assertThat(avm.isPositiveDefinite()).isTrue();
    assertThat(avm.parts().options()).isSameAs(options);
  }

  @Test
  void theDiameterIsThatOfTheCellsAsTheyAre() {
    AvmOptions options =
        AvmOptions.binary().coverage(Coverage.sphere(0.1)).maxSize(12, Limit.MERGE).build();
    Avm avm = new Avm(options);
    assertThat(avm.diameter()).isEqualTo(0.1);
    learn(avm, 300);
    assertThat(avm.diameter()).isGreaterThan(0.2);
    assertThat(avm.provenance().options().coverage().diameter()).isEqualTo(avm.diameter());
    assertThat(avm.snapshot().provenance().atLimit()).isEqualTo(avm.status().atLimit());
  }

  @Test
  void theMemoryIsAllThatWasLearnedUnlessItForgets() {
    assertThat(learned(AvmOptions.binary().build(), 90).status().memory()).isEqualTo(90);
    AvmOptions options = AvmOptions.binary().forgetting(Forgetting.horizon(40)).build();
    assertThat(learned(options, 90).status().memory()).isEqualTo(40);
  }

  /** Of the first class alone nothing can be wrong. */
  @Test
  void aClassWithoutARivalHasNoLoss() {
    Avm avm = new Avm(AvmOptions.multiclass().build());
    avm.learn(PROBE, 3);
    avm.learn(PROBE, 3);
    assertThat(avm.score(PROBE)[0]).isCloseTo(0, within(1e-30));
    assertThat(avm.supportVectors()).isZero();
    avm.learn(PROBE, 4);
    assertThat(avm.score(PROBE)[1]).isPositive();
    assertThat(avm.score(PROBE)[0]).isNegative();
  }

  /** With λ = 0.1 the ball has radius yMax √10; the label of the second row is the largest. */
  @Test
  void theBallFollowsTheLargestLabelUnlessItIsGiven() {
    AvmOptions options = AvmOptions.regression().regularization(0.1).build();
    Avm avm = new Avm(options);
    avm.learn(PROBE, -0.5);
    assertThat(AvmTest.norm(avm.snapshot())).isCloseTo(0.5 * Math.sqrt(10), within(1e-6));
    avm.learn(Features.dense(9, 9, 9), 90);
    assertThat(AvmTest.norm(avm.snapshot())).isCloseTo(90 * Math.sqrt(10), within(1e-3));
    Avm given = new Avm(options.change().yMax(2).build());
    given.learn(PROBE, 90);
    assertThat(AvmTest.norm(given.snapshot())).isCloseTo(2 * Math.sqrt(10), within(1e-6));
  }

  /** Scores of others count in the margin; afterwards the learner is alone again. */
  @Test
  void besideOthersItLearnsWhatTheyLeave() {
    Avm avm = new Avm(AvmOptions.regression().update(Update.newton(1e-6)).build());
    avm.parts().learnBeside(new double[] {5}, PROBE, 7, 1);
    assertThat(avm.score(PROBE)[0]).isCloseTo(2, within(1e-3));
    double[] columns = new double[1];
    avm.parts().scoreColumns(PROBE, columns);
    assertThat(columns).isEqualTo(avm.score(PROBE));
    for (int i = 0; i < 2000; i++) {
      avm.learn(PROBE, 7);
    }
    assertThat(avm.score(PROBE)[0]).isCloseTo(7, within(0.01));
    Avm binary = new Avm(AvmOptions.binary().build());
    binary.parts().learnBeside(new double[] {3}, PROBE, 1, 1);
    assertThat(binary.supportVectors()).as("it is beyond the margin already").isZero();
  }

  @Test
  void aWarmStartNeedsRoomAndTheSameKernel() {
    AvmOptions options =
        AvmOptions.binary().coverage(Coverage.sphere(1e-9)).update(Update.newton(0.1, 0)).build();
    AvmModel model = learned(options, 30).snapshot();
    for (int room : new int[] {0, 30}) {
      Avm warm = Avm.from(model, options.change().maxSize(room, Limit.MERGE).build());
      assertThat(warm.size()).isEqualTo(30);
      assertThat(warm.instances()).isEqualTo(30);
      assertThat(warm.score(PROBE)).containsExactly(model.score(PROBE), within(1e-9));
      for (Instance row : Streams.binary(40, 3, 9)) {
        warm.learn(row.features(), row.label());
      }
      assertThat(warm.score(PROBE)).isNotEqualTo(model.score(PROBE));
    }
    AvmOptions small = options.change().maxSize(29, Limit.MERGE).build();
    assertThatThrownBy(() -> Avm.from(model, small)).hasMessageContaining("room for all vectors");
    AvmOptions wide = options.change().kernel(Kernel.gaussian(9)).build();
    assertThatThrownBy(() -> Avm.from(model, wide)).hasMessageContaining("a warm start needs");
    AvmOptions plane = options.change().update(Update.newton(0.1, 1)).build();
    assertThatThrownBy(() -> Avm.from(model, plane)).hasMessageContaining("a warm start needs");
    AvmModel unbiased = learned(options.change().update(Update.newton(0.1)).build(), 9).snapshot();
    assertThatThrownBy(() -> Avm.from(unbiased, options))
        .hasMessageContaining("a warm start needs");
  }

  @Test
  void featuresOfARowInAKnownCellAreKnownToo() {
    Avm avm = new Avm(AvmOptions.binary().coverage(Coverage.sphere(1)).build());
    avm.learn(Features.dense(1), 1);
    avm.learn(Features.dense(1, 0, 0, 0.01), 1);
    assertThat(avm.size()).isEqualTo(1);
    assertThat(avm.dimension()).isEqualTo(4);
  }

  /** One row in two comes from the same place, the others from one that walks away. */
  @Test
  void vectorsThatAreStillMetAreKeptAndOthersReleased() {
    for (Update update : List.of(Update.sgd(), Update.newton())) {
      AvmOptions options =
          AvmOptions.binary()
              .coverage(Coverage.sphere(0.7))
              .kernel(Kernel.gaussian(2))
              .update(update)
              .forgetting(Forgetting.horizon(30))
              .build();
      Avm avm = new Avm(options);
      for (int t = 0; t < 1500; t++) {
        avm.learn(Features.dense(0, 0), t % 3 == 0 ? -1 : 1);
        avm.learn(Features.dense(1 + 0.05 * t, 0), t % 2 == 0 ? 1 : -1);
      }
      List<Double> places = new ArrayList<>();
      for (int j = 0; j < avm.size(); j++) {
        places.add(avm.snapshot().vector(j).get(0));
      }
      assertThat(places).contains(0.0).hasSizeLessThan(120);
      assertThat(places).allMatch(place -> place <= 1 || place > 30);
    }
  }

  /** At first nearly all are of one class, later both are equally frequent. */
  @Test
  void theWeightsOfClassesAreThoseOfTheMemory() {
    AvmOptions options =
        AvmOptions.binary()
            .classWeights(ClassWeights.balanced())
            .update(Update.newton(0.01))
            .forgetting(Forgetting.horizon(50))
            .build();
    Avm changed = new Avm(options);
    for (int t = 0; t < 2000; t++) {
      changed.learn(PROBE, t % 100 == 0 ? -1 : 1);
    }
    Avm fresh = new Avm(options);
    for (int t = 0; t < 400; t++) {
      double y = t % 4 == 0 ? -1 : 1;
      changed.learn(PROBE, y);
      fresh.learn(PROBE, y);
    }
    assertThat(changed.score(PROBE)[0]).isCloseTo(fresh.score(PROBE)[0], within(0.02));
  }

  @Test
  void aLinearPartSeesTheRowThatIsScored() {
    Avm avm = new Avm(AvmOptions.regression().update(Update.newton(0.1, 3)).build());
    learn(avm, 50);
    double[] columns = new double[1];
    avm.parts().scoreColumns(PROBE, columns);
    assertThat(columns).isEqualTo(avm.score(PROBE));
    Features far = Features.dense(50, 50, 50);
    avm.parts().scoreColumns(far, columns);
    assertThat(columns).isEqualTo(avm.score(far));
    avm.score(PROBE);
    avm.parts().scoreColumns(far, columns);
    assertThat(columns).isEqualTo(avm.score(far));
  }
}
