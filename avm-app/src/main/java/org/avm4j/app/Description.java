package org.avm4j.app;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.avm4j.AnomalyDetector;
import org.avm4j.AnomalyOptions;
import org.avm4j.Approximation;
import org.avm4j.AvmOptions;
import org.avm4j.Forgetting;
import org.avm4j.Loss;
import org.avm4j.OnlineLearner;
import org.avm4j.Output;
import org.avm4j.Predictor;
import org.avm4j.Update;
import org.avm4j.lab.baseline.BaselineOptions;
import org.avm4j.lab.baseline.Baselines;

/** Every option of a learner that is in force, by the names of the command line. */
final class Description {
  private Description() {}

  static Map<String, Object> of(Predictor learner) {
    Map<String, Object> all = new LinkedHashMap<>();
    if (learner instanceof AnomalyDetector detector) {
      add(detector.options(), all);
    } else if (Learners.options(learner) != null) {
      add(Learners.options(learner), all);
    } else if (learner instanceof OnlineLearner online) {
      Baselines.options(online).ifPresent(options -> add(options, all));
    }
    return all;
  }

  private static void add(AvmOptions options, Map<String, Object> all) {
    all.put("name", LearnerOptions.AVM);
    all.put("task", flag(options.task()));
    addLoss(options.loss(), all);
    all.put("kernel", flag(options.kernel()));
    all.put("gamma", options.kernel().gamma());
    boolean never = options.approximation() instanceof Approximation.Never;
    all.put("coverage", never ? "none" : flag(options.coverage()));
    all.put("delta", options.coverage().diameter());
    addApproximation(options.approximation(), all);
    addUpdate(options, all);
    all.put("max-size", options.maxSize());
    all.put("at-limit", Choices.name(options.limit()));
    addStream(options, all);
    all.put("seed", options.seed());
  }

  private static void add(AnomalyOptions options, Map<String, Object> all) {
    all.put("task", "anomaly");
    all.put("support", options.support());
    all.put("anomaly-rate", options.rate());
    all.put("delta", options.diameter());
    all.put("max-size", options.maxSize());
  }

  private static void addStream(AvmOptions options, Map<String, Object> all) {
    if (options.forgetting() instanceof Forgetting.Horizon horizon) {
      all.put("forget", horizon.instances());
    } else if (options.forgetting() instanceof Forgetting.Auto) {
      all.put("forget", "auto");
    }
    if (!options.classWeights().areEven()) {
      boolean isBalanced = options.classWeights().balanced();
      all.put("class-weight", isBalanced ? "balanced" : options.classWeights().given());
    }
  }

  private static void addLoss(Loss loss, Map<String, Object> all) {
    String name =
        loss instanceof Loss.Absolute ? "l1" : loss instanceof Loss.Squared ? "l2" : flag(loss);
    all.put("loss", name);
    if (loss instanceof Loss.SmoothHinge smooth) {
      all.put("tau", smooth.tau());
    } else if (loss instanceof Loss.EpsilonInsensitive insensitive) {
      all.put("epsilon", insensitive.epsilon());
    }
  }

  private static void addApproximation(Approximation approximation, Map<String, Object> all) {
    if (approximation instanceof Approximation.Decaying decaying) {
      all.put("beta", decaying.beta());
      all.put("rho", decaying.rho());
    } else if (approximation instanceof Approximation.WhenConfident) {
      all.put("when-confident", true);
    }
  }

  private static void addUpdate(AvmOptions options, Map<String, Object> all) {
    all.put("update", flag(options.update()));
    if (options.update() instanceof Update.Newton newton) {
      all.put("prior", newton.prior());
      return;
    }
    all.put("lambda", options.regularization());
    all.put("output", flag(options.output()));
    if (options.output() instanceof Output.Suffix part) {
      all.put("suffix", part.alpha());
    }
    all.put("y-max", options.yMax());
  }

  private static void add(BaselineOptions options, Map<String, Object> all) {
    all.put("name", options.method().id());
    all.put("task", flag(options.task()));
    all.put("gamma", options.gamma());
    all.put("budget", options.budget());
    all.put("eta", options.eta());
    all.put("linear-eta", options.linearEta());
    all.put("lambda", options.lambda());
    all.put("features", options.features());
    all.put("rank", options.rank());
    all.put("aggressiveness", options.aggressiveness());
    all.put("epsilon", options.epsilon());
    all.put("toolbox", options.toolbox());
    all.put("seed", options.seed());
  }

  /**
   * The name of a record as the command line writes it: RationalQuadratic is rational-quadratic.
   */
  static String flag(Object choice) {
    String name = choice.getClass().getSimpleName();
    return name.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
  }
}
