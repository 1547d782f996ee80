package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.avm4j.AvmOptions;
import org.avm4j.Forgetting;
import org.avm4j.Kernel;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.constants.Constants;
import org.avm4j.auto.expert.BoostedExpert;
import org.avm4j.auto.expert.Expert;
import org.avm4j.auto.expert.Forest;
import org.avm4j.auto.expert.Inputs;
import org.avm4j.auto.expert.KernelExpert;
import org.avm4j.auto.expert.LabelGraph;
import org.avm4j.auto.expert.LastLabel;
import org.avm4j.auto.expert.LinearExpert;
import org.avm4j.auto.expert.MachineExpert;
import org.avm4j.auto.expert.Mean;
import org.avm4j.auto.expert.Neighbours;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.internal.Ablation;
import org.avm4j.internal.Ablation.Part;
import org.avm4j.pipeline.Labels;
import org.avm4j.table.Scaling;

/** Makes the experts beside the race. Their scaling and classes follow from the first rows. */
final class ExpertFactory {
  /** If labels are classes, experts see only the latest one. */
  private static final List<Integer> LATEST = List.of(1);

  private final List<Instance> rows;
  private final Task.Kind task;
  private final int features;
  private final double[] classes;

  /**
   * A factory.
   *
   * @param rows the first rows
   * @param how how labels are learned
   */
  ExpertFactory(List<Instance> rows, Task.Kind task, Labels how) {
    this.rows = rows;
    this.task = task;
    features = LearnerFactory.dimension(rows);
    classes =
        task == Task.Kind.MULTICLASS
            ? rows.stream()
                .mapToDouble(row -> how.transform(row.label()))
                .distinct()
                .sorted()
                .toArray()
            : new double[0];
  }

  /** The experts that run from the first rows on. */
  List<Expert> early() {
    List<Expert> experts = new ArrayList<>(List.of(new Mean(), new LastLabel(task)));
    Inputs plain = Inputs.of(scaler());
    List<Integer> lags = task == Task.Kind.REGRESSION ? Constants.LAGS : LATEST;
    Inputs labelled = plain.behindLabels(lags, classes, 1);
    int inputs = labelled.places() + features;
    if (inputs < Constants.MOST_INPUTS) {
      experts.add(new LinearExpert(task, plain, features));
      experts.add(new LinearExpert(task, labelled, features));
    }
    if (inputs < Constants.BOOSTED_INPUTS) {
      add(Part.BOOSTED_TREES, new BoostedExpert(task, plain), experts);
      if (task == Task.Kind.REGRESSION) {
        experts.add(new KernelExpert(labelled, kernel(plain.scaler()), Constants.PRIOR));
        add(Part.BOOSTED_TREES, new BoostedExpert(task, labelled), experts);
      }
    }
    if (task != Task.Kind.REGRESSION && features <= Constants.FEW_INPUTS) {
      experts.add(new LabelGraph(task));
    }
    return experts;
  }

  /** A kernel whose width follows from the distances between scaled rows. */
  private Kernel kernel(Scaler scaler) {
    Kernel kernel = Kernel.gaussian(1);
    return kernel.withGamma(
        LearnerFactory.distances(scaler, rows).gamma(kernel, Constants.KERNEL_WIDTH));
  }

  private Scaler scaler() {
    boolean isSparse = new ValueKinds(rows).isSparse();
    return LearnerFactory.fit(isSparse ? Scaling.UNIT : Scaling.STANDARD, rows);
  }

  /**
   * The experts that forget. Neighbours use the metric of the tree. The others do not: a metric of
   * the first rows does harm where later rows need other features, and decision trees need single
   * columns. With the metric for all, 11,000 rows of ijcnn1 in the order of its file, or of
   * thresholds on changing columns, have 38 % more mistakes, and elec has 3 % fewer.
   *
   * @param tree the leading learner
   * @param plain a learner with the same scaling and no metric
   * @return the experts; the last one knows all rows since the error last rose
   */
  List<Expert> forgetting(CandidateLearner tree, CandidateLearner plain) {
    List<Expert> experts = new ArrayList<>();
    Inputs inputs = Inputs.of(plain.scaler());
    if (features <= Constants.FEW_INPUTS) {
      Inputs measured = tree == plain ? inputs : Inputs.of(tree.scaler());
      add(Part.NEIGHBOURS, new Neighbours(task, measured, features), experts);
      add(Part.FOREST, new Forest(task, inputs, features), experts);
    }
    Inputs labelled = inputs.behindLabels(LATEST, someClasses(), labelSize(plain.scaler()));
    for (int horizon : Constants.HORIZONS) {
      Forgetting memory = Forgetting.horizon(horizon);
      add(Part.LABEL_MACHINES, machine(plain, labelled, memory), experts);
    }
    for (int horizon : Constants.HORIZONS.subList(2, 4)) {
      Forgetting memory = Forgetting.horizon(horizon);
      add(Part.FORGETTING_MACHINES, machine(plain, inputs, memory), experts);
    }
    experts.add(machine(plain, inputs, Forgetting.auto()));
    return experts;
  }

  private static void add(Part part, Expert expert, List<Expert> experts) {
    if (!Ablation.lacks(part)) {
      experts.add(expert);
    }
  }

  private double[] someClasses() {
    return Arrays.copyOf(classes, Math.min(classes.length, Constants.FEW_INPUTS));
  }

  private double labelSize(Scaler scaler) {
    double part = classes.length > 0 ? Math.sqrt(0.5) : 0.5;
    return Constants.LABEL_PART * part * LearnerFactory.distances(scaler, rows).mean();
  }

  private Expert machine(CandidateLearner like, Inputs inputs, Forgetting memory) {
    AvmOptions winner = like.options();
    boolean seesLabel = inputs.seeLabels();
    int all = inputs.places() + features;
    int linear = all <= Constants.FEW_INPUTS ? all : inputs.places();
    AvmOptions options =
        winner
            .change()
            .update(Update.newton(Constants.PRIOR, linear))
            .maxSize(seesLabel ? Constants.FEW_POINTS : Constants.POINTS, winner.limit())
            .forgetting(memory)
            .build();
    return new MachineExpert(inputs, options);
  }
}
