package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.avm4j.Avm;
import org.avm4j.Loss;
import org.avm4j.OnlineLearner;
import org.avm4j.codec.ModelFile;
import org.avm4j.pipeline.Pipeline;

/** The learners that the command knows. */
final class Learners {
  static final Map<String, ModelFile.Content<? extends OnlineLearner>> DECODERS =
      Map.of(Avm.KIND, Avm::decode);

  private Learners() {}

  static Pipeline load(Path file) throws IOException {
    return Pipeline.load(file, DECODERS);
  }

  /** Whether the scores of a learner are logits, so that a log loss is defined. */
  static boolean hasLogits(OnlineLearner learner) {
    return learner instanceof Avm avm && avm.options().loss() instanceof Loss.Logistic;
  }

  /** Whether a learner predicts numbers. */
  static boolean isRegression(OnlineLearner learner) {
    return learner.classes().length == 0 && learner.columns() == 1;
  }
}
