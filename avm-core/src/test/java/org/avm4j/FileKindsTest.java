package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.EnsembleModel;
import org.avm4j.auto.MemoriesModel;
import org.avm4j.boost.BoostedModel;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.FileKind;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.models.MeanModel;
import org.avm4j.models.OneClassModel;
import org.avm4j.models.VotingModel;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.tree.AvmTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileKindsTest {
  private static final AvmModel MODEL = new Avm(AvmOptions.binary().build()).snapshot();

  @ParameterizedTest
  @ValueSource(
      strings = {
        Avm.KIND,
        AvmModel.KIND,
        AnomalyDetector.KIND,
        AnomalyDetector.MODEL_KIND,
        ClusterLearner.KIND,
        ClusterLearner.MODEL_KIND,
        AvmTree.KIND,
        AvmTree.MODEL_KIND,
        MemoriesModel.LEARNER_KIND,
        MemoriesModel.KIND,
        EnsembleModel.KIND,
        AutoAvm.KIND,
        Pipeline.KIND,
        PreparedModel.KIND,
        BoostedModel.KIND,
        MeanModel.KIND,
        VotingModel.KIND,
        OneClassModel.KIND
      })
  void everyKindOfTheCoreIsInstalled(String name) throws ModelFileException {
    assertThat(FileKinds.installed().kind(name).name()).isEqualTo(name);
  }

  @Test
  void anUnknownKindIsRefusedWithThoseThatAreKnown() {
    assertThatThrownBy(() -> Model.fromBytes(ModelFile.frame("toy", new byte[0])))
        .isInstanceOf(ModelFileException.class)
        .hasMessage(
            "the file holds 'toy', expected one of avm-anomaly, avm-anomaly-model, avm-auto,"
                + " avm-boosted-model, avm-cluster, avm-cluster-model, avm-ensemble-model,"
                + " avm-learner, avm-mean-model, avm-memories, avm-memories-model, avm-model,"
                + " avm-one-class-model, avm-pipeline, avm-prepared-model, avm-tree,"
                + " avm-tree-model, avm-voting-model");
  }

  @Test
  void aKindMoreIsReadByItsOwnReader() throws IOException {
    FileKinds more = FileKinds.installed().with(FileKind.ofModel("toy", in -> MODEL));
    ModelFile file = ModelFile.parse(ModelFile.frame("toy", new byte[0]));
    assertThat(more.model(Model.class, file)).isSameAs(MODEL);
    assertThat(more.model(Model.class, ModelFile.parse(MODEL.toBytes())).kind())
        .isEqualTo(AvmModel.KIND);
    assertThatThrownBy(() -> more.learner(OnlineLearner.class, file))
        .isInstanceOf(ModelFileException.class)
        .hasMessage("the file holds 'toy', a model that cannot go on learning");
    assertThatThrownBy(() -> FileKinds.installed().model(Model.class, file))
        .isInstanceOf(ModelFileException.class);
  }

  @Test
  void theModelOfAKindOfLearnerIsItsSnapshot() throws IOException {
    Avm avm = new Avm(AvmOptions.regression().build());
    avm.learn(Features.dense(1), 3);
    FileKinds kinds =
        FileKinds.installed().with(FileKind.ofLearner("toy", in -> avm, Avm::snapshot));
    ModelFile file = ModelFile.parse(ModelFile.frame("toy", new byte[0]));
    assertThat(kinds.learner(OnlineLearner.class, file)).isSameAs(avm);
    assertThat(kinds.model(Model.class, file).score(Features.dense(1)))
        .isEqualTo(avm.score(Features.dense(1)));
  }

  @Test
  void whatWasNestedIsReadByItsKind() throws ModelFileException {
    Avm avm = new Avm(AvmOptions.binary().build());
    avm.learn(Features.dense(1), 1);
    Encoder out = new Encoder();
    out.nested(avm);
    Decoder in = new Decoder(out.toBytes());
    assertThat(FileKinds.installed().learner(OnlineLearner.class, in).toBytes())
        .isEqualTo(avm.toBytes());
    in.end();
  }
}
