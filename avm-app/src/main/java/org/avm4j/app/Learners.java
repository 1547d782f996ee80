package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.avm4j.AnomalyDetector;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.Loss;
import org.avm4j.OnlineLearner;
import org.avm4j.Predictor;
import org.avm4j.codec.ModelFile;
import org.avm4j.eval.AnomalyMetrics;
import org.avm4j.eval.ClassificationMetrics;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.RegressionMetrics;
import org.avm4j.lab.baseline.Baselines;
import org.avm4j.auto.AutoAvm;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;

/** The learners that the command knows. */
final class Learners {
  static final Map<String, ModelFile.Content<? extends OnlineLearner>> DECODERS = decoders();

  private Learners() {}

  private static Map<String, ModelFile.Content<? extends OnlineLearner>> decoders() {
    Map<String, ModelFile.Content<? extends OnlineLearner>> all = Baselines.readers();
    all.put(Avm.KIND, Avm::decode);
    all.put(AutoAvm.KIND, AutoAvm::decode);
    all.put(AnomalyDetector.KIND, AnomalyDetector::decode);
    return Map.copyOf(all);
  }

  static PreparedModel load(Path file) throws IOException {
    return PreparedModel.load(file, DECODERS);
  }

  /** Whether the scores of a learner are logits, so that a log loss is defined. */
  static boolean hasLogits(Predictor predictor) {
    if (predictor instanceof Pipeline pipeline) {
      return hasLogits(pipeline.learner());
    }
    if (predictor instanceof PreparedModel model) {
      return hasLogits(model.predictor());
    }
    AvmOptions options = options(predictor);
    return options != null && options.loss() instanceof Loss.Logistic;
  }

  /** The options of a machine of ours, learner or model, else null. */
  static AvmOptions options(Predictor predictor) {
    if (predictor instanceof AvmModel model) {
      return model.provenance().options();
    }
    return machine(predictor) instanceof Avm avm ? avm.options() : null;
  }

  /** The machine that answers for a learner. */
  static Predictor machine(Predictor predictor) {
    return predictor instanceof AutoAvm auto ? auto.best() : predictor;
  }

  /** The number of vectors. */
  static int size(Predictor predictor) {
    return predictor instanceof AvmModel model ? model.size() : ((OnlineLearner) predictor).size();
  }

  /** Metrics that suit the task of a predictor. */
  static Metrics metrics(Predictor predictor) {
    if (isAnomaly(predictor)) {
      return new AnomalyMetrics(hasNamedLabels(predictor));
    }
    if (isRegression(predictor)) {
      return new RegressionMetrics();
    }
    boolean isBinary = predictor.columns() == 1 && predictor.classes().length == 2;
    return new ClassificationMetrics(isBinary, hasLogits(predictor));
  }

  /** Whether anomalies are looked for. */
  static boolean isAnomaly(Predictor predictor) {
    return predictor instanceof AnomalyDetector
        || (predictor instanceof Pipeline pipeline && isAnomaly(pipeline.learner()))
        || (predictor instanceof PreparedModel model && isAnomaly(model.predictor()));
  }

  private static boolean hasNamedLabels(Predictor predictor) {
    return (predictor instanceof Pipeline pipeline
            && !pipeline.preparation().schema().labels().isEmpty())
        || (predictor instanceof PreparedModel model
            && !model.preparation().schema().labels().isEmpty());
  }

  /** An answer as it is printed: a label of the data, or 1 and -1 for an anomaly and none. */
  static String answer(PreparedModel model, double answer) {
    return isAnomaly(model)
        ? Integer.toString((int) answer)
        : model.preparation().schema().labelText(answer);
  }

  /** Whether numbers are predicted, not classes. */
  static boolean isRegression(Predictor predictor) {
    return predictor.classes().length == 0 && predictor.columns() == 1;
  }
}
