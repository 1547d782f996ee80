package moa.classifiers.avm;

import com.github.javacliparser.FlagOption;
import com.github.javacliparser.FloatOption;
import com.github.javacliparser.IntOption;
import com.github.javacliparser.MultiChoiceOption;
import com.yahoo.labs.samoa.instances.Instance;
import java.util.EnumSet;
import moa.classifiers.AbstractClassifier;
import moa.core.Measurement;
import moa.core.StringUtils;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Forgetting;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.AutoOptions;
import org.avm4j.auto.AutoOptions.Choice;
import org.avm4j.table.Scaling;

/** The base of the classifier and the regressor: options, encoding, and the learner. */
public abstract class AbstractAvm extends AbstractClassifier {
  private static final long serialVersionUID = 2L;
  private static final int AUTOMATIC = 0;
  private static final int SGD = 1;
  private static final int AS_FITS = -2;

  /** The update step. */
  public final MultiChoiceOption updateOption =
      new MultiChoiceOption(
          "update",
          'u',
          "How coefficients are learned.",
          new String[] {"Newton", "Sgd"},
          new String[] {
            "The second-order step; what is not given is chosen from the stream.",
            "The paper's step, without automatic choices: give kernel, width, diameter and lambda."
          },
          0);

  /** Whether to learn a single machine instead of a tree. */
  public final FlagOption oneMachineOption =
      new FlagOption("oneMachine", 'o', "Learn a single machine instead of a tree of machines.");

  /** Maximum number of core points. */
  public final IntOption sizeOption =
      new IntOption(
          "maxSize",
          's',
          "Largest number of core points; 0 for the default, which also lets a tree grow.",
          0,
          0,
          1 << 14);

  /** How old instances are forgotten. */
  public final IntOption forgettingOption =
      new IntOption(
          "forgetting",
          'f',
          "Number of recent instances that the model represents; 0 to forget nothing, -1 to forget"
              + " when the error rises, -2 to do that with a single Newton machine only, because a"
              + " tree adapts to the stream by itself.",
          AS_FITS,
          AS_FITS,
          Integer.MAX_VALUE);

  /** The kernel. */
  public final MultiChoiceOption kernelOption =
      new MultiChoiceOption(
          "kernel",
          'k',
          "The kernel.",
          new String[] {
            "Automatic", "Gaussian", "Laplacian", "RationalQuadratic", "Matern32", "Matern52"
          },
          new String[] {
            "Chosen from the stream; Gaussian with Sgd.",
            "exp(-gamma d^2)",
            "exp(-gamma d)",
            "1 / (1 + gamma d^2)",
            "(1 + s) exp(-s), s = sqrt(3) gamma d",
            "(1 + s + s^2/3) exp(-s), s = sqrt(5) gamma d"
          },
          AUTOMATIC);

  /** The width parameter of the kernel. */
  public final FloatOption gammaOption =
      new FloatOption(
          "gamma", 'g', "gamma of the kernel; 0 to choose it, or 1 with Sgd.", 0, 0, 1e12);

  /** The strength of the prior of the Newton step. */
  public final FloatOption priorOption =
      new FloatOption(
          "prior", 'p', "Strength of the prior of the Newton step; 0 to choose it.", 0, 0, 1e12);

  /** The diameter of the cells of the SGD step. */
  public final FloatOption diameterOption =
      new FloatOption("delta", 'd', "Diameter of the cells of Sgd.", 1, 1e-12, 1e12);

  /** The regularization of the SGD step. */
  public final FloatOption lambdaOption =
      new FloatOption("lambda", 'l', "Regularization of Sgd.", 1e-4, 1e-15, 1e6);

  private EncodedLearner encoded;

  AbstractAvm() {}

  /** The task, determined from the first instance. */
  abstract Task task(Instance example);

  /** The class of an instance as a label of the learner. */
  abstract double label(Instance instance);

  /** Whether anything was learned. */
  final boolean hasLearned() {
    return encoded != null;
  }

  final OnlineLearner learner() {
    return encoded.learner();
  }

  final Features features(Instance instance) {
    return encoded.features(instance);
  }

  @Override
  public void resetLearningImpl() {
    encoded = null;
  }

  /** Learns an instance; one without a class is observed, once the learner exists. */
  @Override
  public void trainOnInstanceImpl(Instance instance) {
    boolean isLabelled = !instance.classIsMissing();
    if (!(instance.weight() > 0) || encoded == null && !isLabelled) {
      return;
    }
    if (encoded == null) {
      encoded = new EncodedLearner(instance, fresh(task(instance)));
    }
    if (isLabelled) {
      encoded.learn(instance, label(instance));
    } else {
      encoded.observe(instance);
    }
  }

  private OnlineLearner fresh(Task task) {
    if (updateOption.getChosenIndex() == SGD) {
      return new Avm(sgd(task));
    }
    EnumSet<Choice> free = EnumSet.allOf(Choice.class);
    free.remove(Choice.TASK);
    removeIf(free, Choice.TREE, isOneMachine());
    removeIf(free, Choice.KERNEL, kernelOption.getChosenIndex() != AUTOMATIC);
    removeIf(free, Choice.WIDTH, gammaOption.getValue() > 0);
    removeIf(free, Choice.PRIOR, priorOption.getValue() > 0);
    return new AutoAvm(new AutoOptions(newton(task), Scaling.NONE, free));
  }

  private boolean isOneMachine() {
    return oneMachineOption.isSet() || sizeOption.getValue() > 0;
  }

  private static void removeIf(EnumSet<Choice> free, Choice choice, boolean isGiven) {
    if (isGiven) {
      free.remove(choice);
    }
  }

  private AvmOptions newton(Task task) {
    double prior = priorOption.getValue();
    int size = sizeOption.getValue();
    return base(task)
        .update(Update.newton(prior > 0 ? prior : Update.DEFAULT_PRIOR))
        .coverage(Coverage.sphere(AutoOptions.NO_DIAMETER))
        .maxSize(size > 0 ? size : AutoOptions.DEFAULT_SIZE, Limit.MERGE)
        .build();
  }

  private AvmOptions sgd(Task task) {
    return base(task)
        .update(Update.sgd())
        .coverage(Coverage.sphere(diameterOption.getValue()))
        .regularization(lambdaOption.getValue())
        .maxSize(sizeOption.getValue(), Limit.MERGE)
        .build();
  }

  private AvmOptions.Builder base(Task task) {
    return AvmOptions.binary()
        .task(task)
        .loss(task.defaultLoss())
        .kernel(kernel())
        .forgetting(forgetting());
  }

  private Kernel kernel() {
    double gamma = gammaOption.getValue() > 0 ? gammaOption.getValue() : 1;
    return switch (kernelOption.getChosenLabel()) {
      case "Laplacian" -> Kernel.laplacian(gamma);
      case "RationalQuadratic" -> Kernel.rationalQuadratic(gamma);
      case "Matern32" -> Kernel.matern32(gamma);
      case "Matern52" -> Kernel.matern52(gamma);
      default -> Kernel.gaussian(gamma);
    };
  }

  private Forgetting forgetting() {
    int horizon = forgettingOption.getValue();
    boolean isNewton = updateOption.getChosenIndex() != SGD;
    if (horizon == 0 || horizon == AS_FITS && !(isNewton && isOneMachine())) {
      return Forgetting.none();
    }
    return horizon < 0 ? Forgetting.auto() : Forgetting.horizon(Math.max(2, horizon));
  }

  @Override
  protected Measurement[] getModelMeasurementsImpl() {
    long drifts = encoded == null ? 0 : learner().status().drifts();
    return new Measurement[] {
      new Measurement("core points", encoded == null ? 0 : learner().size()),
      new Measurement("drifts found", drifts)
    };
  }

  @Override
  public void getModelDescription(StringBuilder out, int indent) {
    if (encoded == null) {
      StringUtils.appendIndented(out, indent, "Nothing was learned yet.");
      return;
    }
    Status status = learner().status();
    String size =
        "%,d core points after %,d instances".formatted(status.size(), status.instances());
    StringUtils.appendIndented(out, indent, size);
    StringUtils.appendNewline(out);
    status
        .settings()
        .forEach(
            (name, value) -> {
              StringUtils.appendIndented(out, indent, name + ": " + value);
              StringUtils.appendNewline(out);
            });
  }

  /** The size of the saved learner; measuring it needs no Java agent. */
  @Override
  public long measureByteSize() {
    return encoded == null ? 0 : learner().toBytes().length;
  }

  @Override
  public boolean isRandomizable() {
    return false;
  }
}
