package org.avm4j.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.CoreFixtures;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Prediction;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Test;

/** The mean of several models. */
class MeanModelTest {
  private static final Task CLASSES = Task.multiclass();

  private static Model model(AvmOptions options, int seed) {
    Avm avm = new Avm(options.change().update(Update.newton()).build());
    return CoreFixtures.learn(avm, Streams.of(options.task(), 200, 3, seed)).snapshot();
  }

  private static MeanModel ofClasses() {
    AvmOptions options = AvmOptions.multiclass().build();
    return new MeanModel(List.of(model(options, 1), model(options, 2), model(options, 3)));
  }

  @Test
  void scoresAreTheMeansOfThoseOfTheMembers() {
    MeanModel mean = ofClasses();
    for (Instance row : Streams.of(CLASSES, 50, 3, 4)) {
      double[] scores = mean.score(row.features());
      for (int c = 0; c < scores.length; c++) {
        double sum = 0;
        for (Model member : mean.members()) {
          sum += member.score(row.features())[c];
        }
        assertThat(scores[c]).isCloseTo(sum / 3, within(1e-12));
      }
      Prediction answer = mean.answer(row.features());
      assertThat(answer.scores()).isEqualTo(scores);
      assertThat(answer.label()).isEqualTo(mean.predict(row.features()));
      assertThat(answer.label()).isEqualTo(mean.task().predict(scores, mean.classes()));
    }
  }

  @Test
  void aFileHoldsAllMembers() throws IOException {
    MeanModel mean = ofClasses();
    Model loaded = Model.fromBytes(mean.toBytes());
    assertThat(loaded.toBytes()).isEqualTo(mean.toBytes());
    assertThat(loaded.members()).hasSize(3);
    Features x = Streams.of(CLASSES, 1, 3, 5).get(0).features();
    assertThat(loaded.score(x)).isEqualTo(mean.score(x));
  }

  @Test
  void weightsAreTheFactorsOfScores() throws IOException {
    List<Model> members = ofClasses().members();
    double[] weights = {0.5, 0, 2};
    MeanModel sum = new MeanModel(members, weights);
    Model loaded = Model.fromBytes(sum.toBytes());
    assertThat(loaded.memberWeights()).isEqualTo(weights);
    for (Instance row : Streams.of(CLASSES, 20, 3, 4)) {
      double[] first = members.get(0).score(row.features());
      double[] last = members.get(2).score(row.features());
      double[] scores = sum.score(row.features());
      for (int c = 0; c < scores.length; c++) {
        assertThat(scores[c]).isCloseTo(0.5 * first[c] + 2 * last[c], within(1e-12));
      }
      assertThat(loaded.score(row.features())).isEqualTo(scores);
    }
    for (double[] wrong : List.of(new double[] {1, 2}, new double[] {1, -1, 1})) {
      assertThatThrownBy(() -> new MeanModel(members, wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a weight of at least 0");
    }
  }

  @Test
  void theStatusCountsTheVectorsOfAll() {
    MeanModel mean = ofClasses();
    int sum = mean.members().stream().mapToInt(member -> member.status().size()).sum();
    assertThat(mean.status().size()).isEqualTo(sum);
    assertThat(mean.toString()).contains("the mean of 3");
    assertThat(mean.corePoints(5)).hasSize(5);
    Features x = Streams.of(CLASSES, 1, 3, 5).get(0).features();
    assertThat(mean.nearest(x, 1).get(0).point().weight())
        .isCloseTo(mean.members().get(0).nearest(x, 1).get(0).point().weight() / 9, within(1e-12));
  }

  @Test
  void modelsThatAreNotAlikeHaveNoMean() {
    Model classes = model(AvmOptions.multiclass().build(), 1);
    Model signs = model(AvmOptions.binary().build(), 1);
    assertThatThrownBy(() -> new MeanModel(List.of(classes, signs)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the same task and the same classes");
    assertThatThrownBy(() -> new MeanModel(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 1000 models: 0");
  }

  @Test
  void twoClassesAreThoseOfTheData() {
    Model signs = model(AvmOptions.binary().build(), 1);
    Preparation zeroAndOne = new Preparation(new Schema(), Scaler.none(), new Labels.Pair(0, 1));
    PreparedModel one = new PreparedModel(zeroAndOne, signs);
    MeanModel mean = new MeanModel(List.of(one, one));
    for (Instance row : Streams.of(signs.task(), 50, 3, 4)) {
      assertThat(mean.predict(row.features()))
          .isEqualTo(one.predict(row.features()))
          .isIn(0.0, 1.0);
      assertThat(mean.answer(row.features()).label()).isEqualTo(one.predict(row.features()));
    }
  }

  @Test
  void columnsCountByTheMeanOfTheirWeights() {
    Model inner = model(AvmOptions.regression().build(), 1);
    PreparedModel mean =
        new PreparedModel(
            Preparation.none(),
            new MeanModel(List.of(weighted(inner, 1, 0.2), weighted(inner, 1, 1))));
    assertThat(mean.columnWeights().values()).containsExactly(1.0, 0.6);
    assertThat(mean.members()).hasSize(2);
  }

  private static Model weighted(Model model, double... weights) {
    ScalerFit fit = new ScalerFit(Scaling.STANDARD);
    Streams.of(model.task(), 20, 2, 1).forEach(row -> fit.observe(row.features()));
    return new PreparedModel(
        new Preparation(
            new Schema(), fit.scaler().weighted(Metric.of(weights)), new Labels.Plain()),
        model);
  }
}
