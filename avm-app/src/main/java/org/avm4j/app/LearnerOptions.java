package org.avm4j.app;

import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.Limit;
import org.avm4j.spec.LearnerSpec;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The flags of a learner. Options that are not given follow from a survey of the data. */
final class LearnerOptions {
  @Option(
      names = "--learner",
      paramLabel = "NAME",
      description =
          "avm; tree, a tree of machines with settings of your own; or a baseline of the paper:"
              + " perceptron, ogd, rbp, forgetron, projectron, projectron++, bpas, bogd, fogd,"
              + " nogd, bsgd-m, bsgd-r. Default: avm.")
  String learner;

  @Option(
      names = "--task",
      paramLabel = "NAME",
      converter = SpecWord.OfTask.class,
      completionCandidates = SpecWord.OfTask.class,
      description =
          "${COMPLETION-CANDIDATES}; anomaly and cluster need no labels. Default: auto, by the"
              + " labels.")
  String task;

  @Option(
      names = "--loss",
      paramLabel = "NAME",
      converter = SpecWord.OfLoss.class,
      completionCandidates = SpecWord.OfLoss.class,
      description =
          "Loss function: ${COMPLETION-CANDIDATES}. Default: hinge for classes, l2 for numbers.")
  String loss;

  @Option(
      names = "--tau",
      paramLabel = "X",
      description = "Width of the smoothed corner of the smooth hinge. Default: 0.5.")
  Double tau;

  @Option(
      names = "--epsilon",
      paramLabel = "X",
      description = "Largest error that the epsilon-insensitive loss ignores. Default: 0.1.")
  Double epsilon;

  @Option(
      names = "--kernel",
      paramLabel = "NAME",
      converter = SpecWord.OfKernel.class,
      completionCandidates = SpecWord.OfKernel.class,
      description =
          "${COMPLETION-CANDIDATES}. Default: gaussian or laplacian, chosen automatically;"
              + " gaussian if --gamma is given.")
  String kernel;

  @Option(
      names = {"-g", "--gamma"},
      paramLabel = "X",
      description =
          "Kernel width; the Gaussian kernel is exp(-gamma d^2). Default: chosen automatically;"
              + " with --update sgd, 1 / the mean squared distance of two rows.")
  Double gamma;

  @Option(
      names = "--delta",
      paramLabel = "X",
      description =
          "Diameter of a cell. Default: as small as --max-size allows; with --update sgd or"
              + " --gamma, twice the mean distance of two rows minus two standard deviations.")
  Double delta;

  @Option(
      names = "--update",
      paramLabel = "NAME",
      converter = SpecWord.OfUpdate.class,
      completionCandidates = SpecWord.OfUpdate.class,
      description =
          "sgd, the paper's step, or newton, a second-order step over all core points. Default:"
              + " newton; sgd if --lambda, -c, --output or --y-max is given.")
  String update;

  @Option(
      names = "--prior",
      paramLabel = "X",
      description =
          "Strength of newton's prior. Default: chosen automatically; 0.1 if --gamma is given.")
  Double prior;

  @Option(
      names = "--linear",
      paramLabel = "D",
      description =
          "newton: number of leading features that enter the score linearly, beside a bias. 0 is"
              + " a bias alone, -1 is neither. Default: chosen automatically; -1 if --gamma is"
              + " given.")
  Integer linear;

  @Option(
      names = "--lambda",
      paramLabel = "X",
      description =
          "Regularization. Default: 1/rows or 1/horizon; 1e-5 for standard input without a"
              + " horizon.")
  Double lambda;

  @Option(
      names = "-c",
      paramLabel = "C",
      description = "Regularization as in LIBSVM, instead of --lambda: lambda = 1/(C rows).")
  Double c;

  @Option(
      names = "--coverage",
      paramLabel = "NAME",
      converter = SpecWord.OfCoverage.class,
      completionCandidates = SpecWord.OfCoverage.class,
      description =
          "Shape of the cells: ${COMPLETION-CANDIDATES}. none keeps every instance. Default:"
              + " sphere.")
  String coverage;

  @Option(
      names = "--beta",
      paramLabel = "X",
      description =
          "Approximate instance t with probability 1 - beta/t^rho. Default: 0, which always"
              + " approximates.")
  Double beta;

  @Option(names = "--rho", paramLabel = "X", description = "Exponent of t in --beta. Default: 1.")
  Double rho;

  @Option(
      names = "--when-confident",
      description = "Approximate only instances whose margin is at least 1.")
  boolean whenConfident;

  @Option(
      names = "--output",
      paramLabel = "NAME",
      converter = SpecWord.OfOutput.class,
      completionCandidates = SpecWord.OfOutput.class,
      description = "Iterate used for answers: ${COMPLETION-CANDIDATES}. Default: last.")
  String output;

  @Option(
      names = "--suffix",
      paramLabel = "X",
      description = "Fraction of the stream that --output suffix averages. Default: 0.5.")
  Double suffix;

  @Option(
      names = "--max-size",
      paramLabel = "N",
      description =
          "Maximum number of vectors per machine. Default: no cap, a growing tree of machines;"
              + " 500 with --forget; with --update sgd or --gamma, 0, which means no cap.")
  Integer maxSize;

  @Option(
      names = "--tree-size",
      paramLabel = "N",
      description = "tree: maximum number of vectors of a machine below the root. Default: 128.")
  Integer treeSize;

  @Option(
      names = "--tree-ways",
      paramLabel = "N",
      description = "tree: number of parts into which a region is split. Default: 8.")
  Integer treeWays;

  @Option(
      names = "--tree-points",
      paramLabel = "N",
      description = "tree: maximum number of vectors of all machines together. Default: 100000.")
  Integer treePoints;

  @Option(
      names = "--at-limit",
      paramLabel = "WHAT",
      description =
          "What to do with a new instance at the --max-size cap: approximate, update the nearest"
              + " vector; drop, discard the update; merge, merge cells and enlarge the diameter."
              + " Default: merge; with --update sgd or --gamma, approximate.")
  Limit atLimit;

  @Option(
      names = "--y-max",
      paramLabel = "X",
      description =
          "Largest |label| assumed by the l2 projection. Default: the largest seen so far.")
  Double yMax;

  @Option(
      names = "--forget",
      paramLabel = "HORIZON",
      description =
          "Forget old instances: their weight decays exponentially with this horizon, and core"
              + " points not used for long are removed. auto: keep all since the error last rose."
              + " Default: never forget.")
  String forget;

  @Option(
      names = "--change",
      paramLabel = "HOW",
      description =
          "auto: learners that forget, and learners that see the latest label, run beside the"
              + " tree and answer where they are better. none: the tree alone. Default: auto for"
              + " online, none for train.")
  String change;

  @Option(
      names = "--metric",
      paramLabel = "HOW",
      description =
          "auto: automatic mode learns weights for features and their combinations, and uses them"
              + " if that is clearly better. none: all features count equally. Default: auto.")
  String metric;

  @Option(
      names = "--class-weight",
      paramLabel = "W",
      description =
          "Weight of the loss of a class: CLASS=X,CLASS=X,... with 1 for all others, or balanced,"
              + " from running counts. Default: 1 for all.")
  String classWeight;

  @ArgGroup(validate = false, heading = "%nBaselines:%n")
  BaselineFlags baseline = new BaselineFlags();

  @Option(names = "--seed", paramLabel = "N", description = "Random seed. Default: 1.")
  Long seed;

  /**
   * The specification by the typed flags, including flags of the command that belong to a learner.
   */
  static LearnerSpec spec(CommandSpec command) {
    Map<String, Object> words = new LinkedHashMap<>();
    for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
      String name = option.longestName().replaceFirst("^-+", "");
      if (LearnerSpec.isOption(name)) {
        words.put(name, option.getValue());
      }
    }
    return LearnerSpec.of(words);
  }

  /** The failure of a command that does not support tasks without labels. */
  static Failure unsupervisedFailure() {
    return Failure.usage(
        "--task anomaly and --task cluster are only for online and train, without --batch");
  }

  /** An option as it is typed: {@code --gamma}, {@code -c}. */
  static String flag(String option) {
    return (option.length() == 1 ? "-" : "--") + option;
  }
}
