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
          "avm; tree, a tree of machines that is set by hand; or a baseline of the paper:"
              + " perceptron, ogd, rbp, forgetron, projectron, projectron++, bpas, bogd, fogd,"
              + " nogd, bsgd-m, bsgd-r. Default: avm.")
  String learner;

  @Option(
      names = "--task",
      paramLabel = "NAME",
      converter = SpecWord.OfTask.class,
      completionCandidates = SpecWord.OfTask.class,
      description =
          "${COMPLETION-CANDIDATES}; anomaly and cluster need no labels. Default: auto, from the"
              + " labels.")
  String task;

  @Option(
      names = "--loss",
      paramLabel = "NAME",
      converter = SpecWord.OfLoss.class,
      completionCandidates = SpecWord.OfLoss.class,
      description = "${COMPLETION-CANDIDATES}. Default: hinge for classes, l2 for numbers.")
  String loss;

  @Option(
      names = "--tau",
      paramLabel = "X",
      description = "Width of the smooth hinge's corner. Default: 0.5.")
  Double tau;

  @Option(
      names = "--epsilon",
      paramLabel = "X",
      description = "Error that the epsilon-insensitive loss forgives. Default: 0.1.")
  Double epsilon;

  @Option(
      names = "--kernel",
      paramLabel = "NAME",
      converter = SpecWord.OfKernel.class,
      completionCandidates = SpecWord.OfKernel.class,
      description =
          "${COMPLETION-CANDIDATES}. Default: gaussian or laplacian, whichever wins; gaussian where"
              + " --gamma is given.")
  String kernel;

  @Option(
      names = {"-g", "--gamma"},
      paramLabel = "X",
      description =
          "Width of the kernel; the Gaussian is exp(-gamma d^2). Default: whichever wins; by sgd 1"
              + " over the mean squared distance of two rows.")
  Double gamma;

  @Option(
      names = "--delta",
      paramLabel = "X",
      description =
          "Diameter of a cell. Default: as small as --max-size allows; by sgd, or where --gamma is"
              + " given, twice the mean distance of two rows less two deviations.")
  Double delta;

  @Option(
      names = "--update",
      paramLabel = "NAME",
      converter = SpecWord.OfUpdate.class,
      completionCandidates = SpecWord.OfUpdate.class,
      description =
          "sgd, the paper's step, or newton, a second-order step over all core points. Default:"
              + " newton, but sgd where --lambda, -c, --output or --y-max speak of it.")
  String update;

  @Option(
      names = "--prior",
      paramLabel = "X",
      description =
          "Strength of the prior of newton. Default: whichever wins; 0.1 where --gamma is given.")
  Double prior;

  @Option(
      names = "--linear",
      paramLabel = "D",
      description =
          "By newton, scores also depend linearly on the first D features and a bias; 0 is a bias"
              + " alone, -1 neither. Default: whichever wins; -1 where --gamma is given.")
  Integer linear;

  @Option(
      names = "--lambda",
      paramLabel = "X",
      description =
          "Regularization. Default: 1/rows or 1/horizon, and 1e-5 for standard input without one.")
  Double lambda;

  @Option(
      names = "-c",
      paramLabel = "C",
      description = "As in LIBSVM, instead of --lambda: lambda = 1/(C rows).")
  Double c;

  @Option(
      names = "--coverage",
      paramLabel = "NAME",
      converter = SpecWord.OfCoverage.class,
      completionCandidates = SpecWord.OfCoverage.class,
      description =
          "Shape of the cells: ${COMPLETION-CANDIDATES}; none keeps every instance. Default:"
              + " sphere.")
  String coverage;

  @Option(
      names = "--beta",
      paramLabel = "X",
      description = "Approximate step t with probability 1 - beta/t^rho. Default: 0, always.")
  Double beta;

  @Option(names = "--rho", paramLabel = "X", description = "See --beta. Default: 1.")
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
      description = "Which iterate answers: ${COMPLETION-CANDIDATES}. Default: last.")
  String output;

  @Option(
      names = "--suffix",
      paramLabel = "X",
      description = "Part of the stream that --output suffix averages. Default: 0.5.")
  Double suffix;

  @Option(
      names = "--max-size",
      paramLabel = "N",
      description =
          "Largest number of vectors of one machine. Default: a tree of machines that grows; 500"
              + " with --forget; by sgd, or where --gamma is given, 0, no cap.")
  Integer maxSize;

  @Option(
      names = "--tree-size",
      paramLabel = "N",
      description = "tree: largest number of vectors of a machine below the root. Default: 128.")
  Integer treeSize;

  @Option(
      names = "--tree-ways",
      paramLabel = "N",
      description = "tree: regions that a region is split into. Default: 8.")
  Integer treeWays;

  @Option(
      names = "--tree-points",
      paramLabel = "N",
      description = "tree: largest number of vectors of all machines together. Default: 100000.")
  Integer treePoints;

  @Option(
      names = "--at-limit",
      paramLabel = "WHAT",
      description =
          "What happens at that cap: approximate, the nearest vector takes the update; drop, it is"
              + " lost; merge, cells merge and the diameter grows. Default: merge; by sgd, or where"
              + " --gamma is given, approximate.")
  Limit atLimit;

  @Option(
      names = "--y-max",
      paramLabel = "X",
      description = "Largest |label| of the l2 projection. Default: the largest seen so far.")
  Double yMax;

  @Option(
      names = "--forget",
      paramLabel = "HORIZON",
      description =
          "Forget: instances count less the older they are, by an exponential window of this length,"
              + " and core points not met for long are released. auto: all since the error last rose."
              + " Default: none.")
  String forget;

  @Option(
      names = "--change",
      paramLabel = "HOW",
      description =
          "auto: machines that forget, and ones that see the latest label, run beside the tree and"
              + " answer where they are better; none: the tree alone. Default: auto in online;"
              + " train has none.")
  String change;

  @Option(
      names = "--metric",
      paramLabel = "HOW",
      description =
          "auto: automatic mode weighs features, alone or together, by how much the answers depend"
              + " on them, where that is clearly better; none: all count alike. Default: auto.")
  String metric;

  @Option(
      names = "--class-weight",
      paramLabel = "W",
      description =
          "How much the loss of a class counts: CLASS=X,CLASS=X,... with 1 for all others, or"
              + " balanced, from running counts. Default: 1 for all.")
  String classWeight;

  @ArgGroup(validate = false, heading = "%nBaselines:%n")
  BaselineFlags baseline = new BaselineFlags();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of all that is random. Default: 1.")
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
    return new Failure(
        Failure.USAGE,
        "--task anomaly and --task cluster are for online and train, row by row, not for this");
  }

  /** An option as it is typed: {@code --gamma}, {@code -c}. */
  static String flag(String option) {
    return (option.length() == 1 ? "-" : "--") + option;
  }
}
