package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.avm4j.AvmOptions;
import org.avm4j.Forgetting;
import org.avm4j.Kernel;
import org.avm4j.Task;
import org.avm4j.Update;
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
import org.avm4j.auto.expert.RowWindow;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.internal.Ablation;
import org.avm4j.internal.Ablation.Part;
import org.avm4j.pipeline.Labels;
import org.avm4j.table.Scaling;

/** Makes the experts beside the race; the first rows fix their scaling and classes. */
final class ExpertFactory {
  /** The labels of numbers that a linear expert sees: the latest ones, and that of a day before. */
  private static final int[] LAGS_OF_NUMBERS = {1, 2, 3, 24};

  /** Where labels are classes, experts see the latest one only. */
  private static final int[] LATEST = {1};

  /**
   * The width of the kernel expert, as γ times the mean squared distance, and its prior. On
   * metrotraffic, 10,000 rows, the error of the mixture is 735; with width 1.5 it is 759, with
   * width 0.1 and prior 0.1 it is 746, and 769 without this expert.
   */
  private static final double WIDTH = 0.4;

  private static final double PRIOR = 1;

  /** Horizons, in instances, of the machines that see the latest label. */
  private static final int[] HORIZONS_WITH_LABEL = {50, 100, 300, 1000};

  /** Horizons of the machines that do not. */
  private static final int[] HORIZONS = {300, 1000};

  /** Vectors of a machine with the latest label; its γ is a part of that of the winner. */
  private static final int SIZE_WITH_LABEL = 64;

  private static final double NARROWNESS_WITH_LABEL = 0.25;
  private static final int SIZE = 128;
  private static final double MACHINE_PRIOR = 0.1;

  /**
   * Two rows that differ in the latest label alone are this part of the mean distance apart, so
   * that the kernel hardly sees it: it is the linear part of a machine that makes use of it.
   */
  private static final double LABEL_PART = 0.3;

  /** The most classes that have an input of their own. */
  private static final int MOST_CLASSES = 64;

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
    features = Lineup.dimension(rows);
    classes =
        task == Task.Kind.MULTICLASS
            ? rows.stream()
                .mapToDouble(row -> how.transform(row.label()))
                .distinct()
                .sorted()
                .toArray()
            : new double[0];
  }

  /** Experts that stand beside the race from the first rows on. */
  List<Expert> early() {
    List<Expert> experts = new ArrayList<>(List.of(new Mean(), new LastLabel(task)));
    Inputs plain = Inputs.of(scaler());
    int[] lags = task == Task.Kind.REGRESSION ? LAGS_OF_NUMBERS : LATEST;
    Inputs labelled = plain.behindLabels(lags, classes, 1);
    int inputs = labelled.places() + features;
    if (inputs < LinearExpert.MOST_INPUTS) {
      experts.add(new LinearExpert(task, plain, features));
      experts.add(new LinearExpert(task, labelled, features));
    }
    if (inputs < BoostedExpert.MOST_INPUTS) {
      add(Part.BOOSTED_TREES, new BoostedExpert(task, plain), experts);
      if (task == Task.Kind.REGRESSION) {
        experts.add(new KernelExpert(labelled, kernel(plain.scaler()), PRIOR));
        add(Part.BOOSTED_TREES, new BoostedExpert(task, labelled), experts);
      }
    }
    if (task != Task.Kind.REGRESSION && features <= RowWindow.MOST_FEATURES) {
      experts.add(new LabelGraph(task));
    }
    return experts;
  }

  /** A kernel whose width follows from the distances of scaled rows. */
  private Kernel kernel(Scaler scaler) {
    Kernel kernel = Kernel.gaussian(1);
    return kernel.withGamma(Lineup.distances(scaler, rows).gamma(kernel, WIDTH));
  }

  private Scaler scaler() {
    ScalerFit fit =
        new ScalerFit(new ValueKinds(rows).isSparse() ? Scaling.UNIT : Scaling.STANDARD);
    rows.forEach(row -> fit.observe(row.features()));
    return fit.scaler();
  }

  /**
   * Experts that forget. Neighbours have the metric of the tree. The others do without: a metric of
   * the first rows does harm where later rows need other features, and decision trees need single
   * columns. With the metric for all, 11,000 rows of ijcnn1 in the order of its file, or of
   * thresholds on changing columns, have 38 % more mistakes, and elec has 3 % fewer.
   *
   * @param tree the learner that leads
   * @param plain one with the same scaling and no metric
   * @return the experts, of which the last knows all since the error last rose
   */
  List<Expert> forgetting(Runner tree, Runner plain) {
    List<Expert> experts = new ArrayList<>();
    Inputs inputs = Inputs.of(plain.scaler());
    if (features <= RowWindow.MOST_FEATURES) {
      Inputs measured = tree == plain ? inputs : Inputs.of(tree.scaler());
      add(Part.NEIGHBOURS, new Neighbours(task, measured, features), experts);
      add(Part.FOREST, new Forest(task, inputs, features), experts);
    }
    Inputs labelled = inputs.behindLabels(LATEST, someClasses(), labelSize(plain.scaler()));
    for (int horizon : HORIZONS_WITH_LABEL) {
      Forgetting memory = Forgetting.horizon(horizon);
      add(Part.LABEL_MACHINES, machine(plain, labelled, memory), experts);
    }
    for (int horizon : HORIZONS) {
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
    return Arrays.copyOf(classes, Math.min(classes.length, MOST_CLASSES));
  }

  private double labelSize(Scaler scaler) {
    double part = classes.length > 0 ? Math.sqrt(0.5) : 0.5;
    return LABEL_PART * part * Lineup.distances(scaler, rows).mean();
  }

  private Expert machine(Runner like, Inputs inputs, Forgetting memory) {
    AvmOptions winner = like.options();
    boolean seesLabel = inputs.seeLabels();
    int all = inputs.places() + features;
    int linear = all <= RowWindow.MOST_FEATURES ? all : inputs.places();
    double gamma = (seesLabel ? NARROWNESS_WITH_LABEL : 1) * winner.kernel().gamma();
    AvmOptions options =
        winner
            .change()
            .kernel(winner.kernel().withGamma(gamma))
            .update(Update.newton(MACHINE_PRIOR, linear))
            .maxSize(seesLabel ? SIZE_WITH_LABEL : SIZE, winner.limit())
            .forgetting(memory)
            .build();
    return new MachineExpert(inputs, options);
  }
}
