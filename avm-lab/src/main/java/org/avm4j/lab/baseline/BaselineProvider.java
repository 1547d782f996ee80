package org.avm4j.lab.baseline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.avm4j.codec.FileKind;
import org.avm4j.codec.FileKindProvider;
import org.avm4j.spec.LearnerFamily;
import org.avm4j.spec.LearnerProvider;

/** Provides the paper's online baselines as learner families, and the kinds of their files. */
public final class BaselineProvider implements LearnerProvider, FileKindProvider {
  /** For the service loader. */
  public BaselineProvider() {}

  @Override
  public List<LearnerFamily> families() {
    return Arrays.stream(Method.values()).<LearnerFamily>map(BaselineFamily::new).toList();
  }

  @Override
  public List<FileKind> kinds() {
    List<FileKind> kinds = new ArrayList<>();
    for (Method method : Method.values()) {
      kinds.add(
          FileKind.ofLearner(
              method.kind(), in -> BaselineLearner.decode(in, method), BaselineLearner::snapshot));
    }
    kinds.add(FileKind.ofModel(BaselineModel.KIND, BaselineModel::decode));
    kinds.add(FileKind.ofModel(KernelModel.KIND, KernelModel::decode));
    kinds.add(FileKind.ofModel(FourierModel.KIND, FourierModel::decode));
    return kinds;
  }
}
