package org.avm4j.kinds;

import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.Kind;
import org.avm4j.KindProvider;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.EnsembleModel;
import org.avm4j.auto.MemoriesModel;
import org.avm4j.boost.BoostedModel;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.models.MeanModel;
import org.avm4j.models.OneClassModel;
import org.avm4j.models.VotingModel;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.tree.AvmTree;

/** The kinds of files that the core reads. */
public final class CoreKinds implements KindProvider {
  /** For the service loader. */
  public CoreKinds() {}

  @Override
  public List<Kind> kinds() {
    return List.of(
        Kind.ofLearner(Avm.KIND, Avm::decode),
        Kind.ofModel(AvmModel.KIND, AvmModel::decode),
        Kind.ofLearner(AnomalyDetector.KIND, AnomalyDetector::decode),
        Kind.ofModel(AnomalyDetector.MODEL_KIND, AnomalyDetector::decodeModel),
        Kind.ofLearner(ClusterLearner.KIND, ClusterLearner::decode),
        Kind.ofModel(ClusterLearner.MODEL_KIND, ClusterLearner::decodeModel),
        Kind.ofLearner(AvmTree.KIND, AvmTree::decode),
        Kind.ofModel(AvmTree.MODEL_KIND, AvmTree::decodeModel),
        Kind.ofLearner(MemoriesModel.LEARNER_KIND, MemoriesModel::decodeTree),
        Kind.ofModel(MemoriesModel.KIND, MemoriesModel::decode),
        Kind.ofModel(EnsembleModel.KIND, EnsembleModel::decode),
        Kind.ofModel(MeanModel.KIND, MeanModel::decode),
        Kind.ofModel(BoostedModel.KIND, BoostedModel::decode),
        Kind.ofModel(VotingModel.KIND, VotingModel::decode),
        Kind.ofModel(OneClassModel.KIND, OneClassModel::decode),
        Kind.ofLearner(AutoAvm.KIND, AutoAvm::decode),
        Kind.ofLearner(Pipeline.KIND, Pipeline::decode, PreparedModel::decodePipeline),
        Kind.ofModel(PreparedModel.KIND, PreparedModel::decode));
  }
}
