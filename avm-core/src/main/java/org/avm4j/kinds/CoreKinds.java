package org.avm4j.kinds;

import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.OnlineLearner;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.EnsembleModel;
import org.avm4j.auto.MemoriesModel;
import org.avm4j.boost.BoostedModel;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.codec.FileKind;
import org.avm4j.codec.FileKindProvider;
import org.avm4j.models.MeanModel;
import org.avm4j.models.OneClassModel;
import org.avm4j.models.VotingModel;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.tree.AvmTree;

/** The kinds of files that the core reads. */
public final class CoreKinds implements FileKindProvider {
  /** For the service loader. */
  public CoreKinds() {}

  @Override
  public List<FileKind> kinds() {
    return List.of(
        FileKind.ofLearner(Avm.KIND, Avm::decode, OnlineLearner::snapshot),
        FileKind.ofModel(AvmModel.KIND, AvmModel::decode),
        FileKind.ofLearner(AnomalyDetector.KIND, AnomalyDetector::decode, OnlineLearner::snapshot),
        FileKind.ofModel(AnomalyDetector.MODEL_KIND, AnomalyDetector::decodeModel),
        FileKind.ofLearner(ClusterLearner.KIND, ClusterLearner::decode, OnlineLearner::snapshot),
        FileKind.ofModel(ClusterLearner.MODEL_KIND, ClusterLearner::decodeModel),
        FileKind.ofLearner(AvmTree.KIND, AvmTree::decode, OnlineLearner::snapshot),
        FileKind.ofModel(AvmTree.MODEL_KIND, AvmTree::decodeModel),
        FileKind.ofLearner(
            MemoriesModel.LEARNER_KIND, MemoriesModel::decodeTree, OnlineLearner::snapshot),
        FileKind.ofModel(MemoriesModel.KIND, MemoriesModel::decode),
        FileKind.ofModel(EnsembleModel.KIND, EnsembleModel::decode),
        FileKind.ofModel(MeanModel.KIND, MeanModel::decode),
        FileKind.ofModel(BoostedModel.KIND, BoostedModel::decode),
        FileKind.ofModel(VotingModel.KIND, VotingModel::decode),
        FileKind.ofModel(OneClassModel.KIND, OneClassModel::decode),
        FileKind.ofLearner(AutoAvm.KIND, AutoAvm::decode, OnlineLearner::snapshot),
        new FileKind(Pipeline.KIND, true, Pipeline::decode, PreparedModel::decodePipeline),
        FileKind.ofModel(PreparedModel.KIND, PreparedModel::decode));
  }
}
