package org.avm4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Streams;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineTest {
  @TempDir Path folder;

  private static Pipeline learned() {
    Scaler scaler = new Scaler(Scaling.SYMMETRIC);
    Streams.binary(300, 2, 1).forEach(i -> scaler.observe(i.features()));
    Avm avm = new Avm(AvmOptions.binary().build());
    Pipeline pipeline =
        new Pipeline(new Preparation(new Schema(), scaler, new LabelPair(3, 8)), avm);
    Streams.binary(300, 2, 1).forEach(i -> pipeline.learn(i.features(), i.label() < 0 ? 3 : 8));
    return pipeline;
  }

  @Test
  void itAnswersInTheLabelsOfTheData() {
    assertThat(learned().classes()).containsExactly(3, 8);
    assertThat(learned().predict(Features.dense(0.5, 0.5))).isEqualTo(8);
    assertThat(learned().predict(Features.dense(-0.5, 0.5))).isEqualTo(3);
  }

  @Test
  void savedWithAllItsPartsItGoesOnAlike() throws IOException {
    Pipeline pipeline = learned();
    pipeline.save(folder.resolve("p.avm"));
    Pipeline loaded = Pipeline.load(folder.resolve("p.avm"));
    for (Instance instance : Streams.binary(100, 2, 2)) {
      double y = instance.label() < 0 ? 3 : 8;
      assertThat(loaded.score(instance.features())).isEqualTo(pipeline.score(instance.features()));
      loaded.learn(instance.features(), y);
      pipeline.learn(instance.features(), y);
    }
  }

  @Test
  void aBareLearnerIsAPipelineThatChangesNothing() throws IOException {
    Avm avm = new Avm(AvmOptions.binary().build());
    avm.learn(Features.dense(1, 2), -1);
    avm.save(folder.resolve("bare.avm"));
    Pipeline loaded = Pipeline.load(folder.resolve("bare.avm"));
    assertThat(loaded.score(Features.dense(1, 1))).isEqualTo(avm.score(Features.dense(1, 1)));
  }

  @Test
  void aModelAnswersWhatItsLearnerDoes() throws IOException {
    Pipeline pipeline = learned();
    PreparedModel.save(
        folder.resolve("m.avm"), pipeline.preparation(), ((Avm) pipeline.learner()).snapshot());
    PreparedModel model = PreparedModel.load(folder.resolve("m.avm"));
    assertThat(model.classes()).containsExactly(3, 8);
    for (Instance instance : Streams.binary(100, 2, 2)) {
      assertThat(model.score(instance.features())).isEqualTo(pipeline.score(instance.features()));
      assertThat(model.predict(instance.features()))
          .isEqualTo(pipeline.predict(instance.features()));
    }
    pipeline.save(folder.resolve("p.avm"));
    PreparedModel fromLearner = PreparedModel.load(folder.resolve("p.avm"));
    assertThat(fromLearner.predictor()).isInstanceOf(Avm.class);
    assertThatThrownBy(() -> Pipeline.load(folder.resolve("m.avm")))
        .hasMessageContaining("what is inside must be known: avm-model");
  }

  @Test
  void aThirdLabelIsRefused() {
    assertThatThrownBy(() -> learned().learn(Features.dense(1), 5))
        .hasMessage("a label of this binary task must be 3 or 8: 5");
  }
}
