package org.avm4j.spec;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.avm4j.AvmOptions;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.OnlineLearner;
import org.avm4j.auto.AutoOptions;
import org.avm4j.pipeline.Labels;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;

/**
 * A tree of machines with given options. Automatic mode grows a tree by itself; this family is for
 * users who want to set the kernel, the size of a machine, the ways or the points.
 */
final class TreeFamily implements LearnerFamily {
  private static final String SIZE = "tree-size";
  private static final String WAYS = "tree-ways";
  private static final String POINTS = "tree-points";

  /** Options of one machine that a tree does not have. */
  private static final Set<String> OF_ONE_MACHINE =
      Set.of("lambda", "c", "output", "suffix", "y-max", "beta", "rho", "when-confident");

  @Override
  public String name() {
    return "tree";
  }

  @Override
  public List<SpecOption> options() {
    return Stream.concat(
            AvmWords.options().stream().filter(option -> !OF_ONE_MACHINE.contains(option.name())),
            Stream.of(SpecOption.whole(SIZE), SpecOption.whole(WAYS), SpecOption.whole(POINTS)))
        .toList();
  }

  @Override
  public OnlineLearner create(LearnerSpec spec, DataContext data) {
    return new AvmTree(
        new TreeOptions(
            machine(spec, data),
            spec.size(SIZE, TreeOptions.DEFAULT_SIZE),
            spec.size(WAYS, TreeOptions.DEFAULT_WAYS),
            spec.size(POINTS, TreeOptions.DEFAULT_POINTS)));
  }

  private AvmOptions machine(LearnerSpec spec, DataContext data) {
    Kernel kernel = AvmWords.kernel(spec);
    double gamma = spec.has(AvmFamily.GAMMA) ? spec.number(AvmFamily.GAMMA, 1) : data.gamma(kernel);
    return AvmOptions.binary()
        .task(data.task())
        .loss(AvmWords.loss(spec, data.task()))
        .kernel(kernel.withGamma(gamma))
        .coverage(AvmWords.coverage(spec, spec.number(AvmFamily.DELTA, AutoOptions.NO_DIAMETER)))
        .approximation(AvmWords.approximation(spec))
        .update(AvmFamily.newton(spec))
        .forgetting(AvmWords.forgetting(spec))
        .maxSize(spec.size(AvmFamily.MAX_SIZE, TreeOptions.DEFAULT_ROOT), Limit.MERGE)
        .classWeights(AvmWords.classWeights(spec, data, labels(spec, data)))
        .seed(spec.seed())
        .build();
  }

  /** The second-order step has no bias, so numbers are centred for it. */
  @Override
  public Labels labels(LearnerSpec spec, DataContext data) {
    return data.isTaskKnown() && data.task().isRegression()
        ? data.standardLabels()
        : LearnerFamily.super.labels(spec, data);
  }
}
