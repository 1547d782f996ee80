package org.avm4j.spec;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.avm4j.Approximation;
import org.avm4j.ClassWeights;
import org.avm4j.Coverage;
import org.avm4j.Forgetting;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Loss;
import org.avm4j.Output;
import org.avm4j.Task;
import org.avm4j.data.Decimal;
import org.avm4j.pipeline.Labels;

/** Parses the options of an AVM. */
final class AvmWords {
  private static final String NONE = "none";
  private static final String BALANCED = "balanced";

  /**
   * Shortest horizon; with a shorter one the second-order step forgets faster than its prior
   * allows.
   */
  private static final int SHORTEST_HORIZON = 10;

  private static final Map<String, Function<LearnerSpec, Loss>> LOSSES = new LinkedHashMap<>();
  private static final Map<String, Kernel> KERNELS = new LinkedHashMap<>();

  static {
    LOSSES.put("hinge", spec -> Loss.hinge());
    LOSSES.put("smooth-hinge", spec -> Loss.smoothHinge(spec.number("tau", 0.5)));
    LOSSES.put("logistic", spec -> Loss.logistic());
    LOSSES.put("l1", spec -> Loss.absolute());
    LOSSES.put("l2", spec -> Loss.squared());
    LOSSES.put("epsilon-insensitive", spec -> Loss.epsilonInsensitive(spec.number("epsilon", 0.1)));
    for (Kernel kernel :
        List.of(
            Kernel.gaussian(1),
            Kernel.laplacian(1),
            Kernel.rationalQuadratic(1),
            Kernel.matern32(1),
            Kernel.matern52(1))) {
      KERNELS.put(kernel.word(), kernel);
    }
  }

  private AvmWords() {}

  /** All options of an AVM, in the order in which a learner names them. */
  static List<SpecOption> options() {
    return List.of(
        SpecOption.choice("loss", LOSSES.keySet().toArray(String[]::new)),
        SpecOption.number("tau"),
        SpecOption.number("epsilon"),
        SpecOption.choice(AvmFamily.KERNEL, KERNELS.keySet().toArray(String[]::new)),
        SpecOption.number(AvmFamily.GAMMA),
        SpecOption.choice("coverage", "sphere", "rectangle", NONE),
        SpecOption.number(AvmFamily.DELTA),
        SpecOption.number("beta"),
        SpecOption.number("rho"),
        SpecOption.flag("when-confident"),
        SpecOption.choice(AvmFamily.UPDATE, "sgd", "newton"),
        SpecOption.number(AvmFamily.PRIOR),
        SpecOption.whole(AvmFamily.LINEAR),
        SpecOption.number(AvmFamily.LAMBDA),
        SpecOption.number(AvmFamily.C),
        SpecOption.choice("output", "last", "average", "suffix"),
        SpecOption.number("suffix"),
        SpecOption.number("y-max"),
        SpecOption.whole(AvmFamily.MAX_SIZE),
        SpecOption.choice(AvmFamily.AT_LIMIT, words(Limit.values())),
        forget(),
        SpecOption.choice(AvmFamily.CHANGE, "auto", NONE),
        SpecOption.choice(AvmFamily.METRIC, "auto", NONE),
        SpecOption.text("class-weight", AvmWords::checkedWeights));
  }

  private static String[] words(Limit[] limits) {
    return Arrays.stream(limits).map(Limit::word).toArray(String[]::new);
  }

  /** The loss; if not given, the default of the task. */
  static Loss loss(LearnerSpec spec, Task task) {
    return spec.has("loss") ? LOSSES.get(spec.text("loss", null)).apply(spec) : task.defaultLoss();
  }

  /** The kernel with γ = 1. */
  static Kernel kernel(LearnerSpec spec) {
    return KERNELS.get(spec.text(AvmFamily.KERNEL, "gaussian"));
  }

  static boolean hasCells(LearnerSpec spec) {
    return !spec.text("coverage", "").equals(NONE);
  }

  static Coverage coverage(LearnerSpec spec, double diameter) {
    return spec.text("coverage", "sphere").equals("rectangle")
        ? Coverage.rectangle(diameter)
        : Coverage.sphere(diameter);
  }

  static Approximation approximation(LearnerSpec spec) {
    if (!hasCells(spec)) {
      return Approximation.never();
    }
    if (spec.flag("when-confident")) {
      return Approximation.whenConfident();
    }
    double beta = spec.number("beta", 0);
    return beta == 0 ? Approximation.always() : Approximation.decaying(beta, spec.number("rho", 1));
  }

  static Output output(LearnerSpec spec) {
    return switch (spec.text("output", "last")) {
      case "average" -> Output.average();
      case "suffix" -> Output.suffix(spec.number("suffix", 0.5));
      default -> Output.last();
    };
  }

  static Limit limit(LearnerSpec spec, Limit otherwise) {
    return Limit.of(spec.text(AvmFamily.AT_LIMIT, otherwise.word()));
  }

  static SpecOption forget() {
    return SpecOption.text("forget", AvmWords::checkedForget);
  }

  static Forgetting forgetting(LearnerSpec spec) {
    return forgetting(spec.text("forget", NONE));
  }

  private static Forgetting forgetting(String word) {
    return switch (word) {
      case NONE -> Forgetting.none();
      case "auto" -> Forgetting.auto();
      default -> Forgetting.horizon(Long.parseLong(word));
    };
  }

  private static String checkedForget(String text) {
    try {
      if (forgetting(text).horizon() < SHORTEST_HORIZON) {
        throw new SpecException(
            "{forget} must be at least " + SHORTEST_HORIZON + " instances: " + text, "forget");
      }
      return text;
    } catch (NumberFormatException malformed) {
      throw new SpecException(
          "{forget} must be none, auto or a number of instances: '" + text + "'", "forget");
    }
  }

  /** The weights of classes, by the labels that are learned. */
  static ClassWeights classWeights(LearnerSpec spec, DataContext data, Labels labels) {
    String given = spec.text("class-weight", null);
    if (given == null) {
      return ClassWeights.none();
    }
    if (given.equals(BALANCED)) {
      return ClassWeights.balanced();
    }
    Map<Double, Double> weights = new HashMap<>();
    for (String pair : given.split(",")) {
      double label = labels.transform(data.label(pair.substring(0, pair.lastIndexOf('='))));
      if (weights.put(label, weight(pair)) != null) {
        throw malformedWeight(pair);
      }
    }
    return ClassWeights.of(weights);
  }

  private static String checkedWeights(String text) {
    for (String pair : text.equals(BALANCED) ? new String[0] : text.split(",")) {
      if (pair.lastIndexOf('=') < 1) {
        throw malformedWeight(pair);
      }
      weight(pair);
    }
    return text;
  }

  private static double weight(String pair) {
    double weight = Decimal.parse(pair.substring(pair.lastIndexOf('=') + 1));
    if (!(weight > 0)) {
      throw new SpecException("a class weight must be > 0: '" + pair + "'", "class-weight");
    }
    return weight;
  }

  private static SpecException malformedWeight(String pair) {
    return new SpecException(
        "{class-weight} must be balanced, or CLASS=X for different classes: '" + pair + "'",
        "class-weight");
  }
}
