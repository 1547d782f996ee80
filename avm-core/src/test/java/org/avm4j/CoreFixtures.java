package org.avm4j;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.AutoOptions;
import org.avm4j.batch.BatchNewton;
import org.avm4j.data.CategoricalColumn;
import org.avm4j.data.Instance;
import org.avm4j.data.NumericColumn;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.data.Schema;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.Calibrator;
import org.avm4j.pipeline.ClassPrior;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.Scaling;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;

/**
 * One of everything that the core saves. {@link #main} made the files of {@code fixtures/v2}, in a
 * folder that must be new.
 */
public final class CoreFixtures {
  private CoreFixtures() {}

  /** Writes all fixtures into the folder that is given. */
  public static void main(String[] args) throws IOException {
    FixtureWriter out = new FixtureWriter(Path.of(args[0]));
    for (Map.Entry<String, AvmOptions> form : forms().entrySet()) {
      Task task = form.getValue().task();
      Avm avm = learn(new Avm(form.getValue()), Streams.of(task, 300, 3, form.getKey().length()));
      out.learner("learner-" + form.getKey(), avm, FixtureWriter.stream(task));
    }
    special(out);
    automatic(out);
    trees(out);
    anomalies(out);
    prepared(out);
    out.finish();
  }

  /** A single machine of each task, update, loss, kernel and so on, by name. */
  static Map<String, AvmOptions> forms() {
    Map<String, AvmOptions> forms = new LinkedHashMap<>();
    forms.put(
        "binary-sgd-suffix",
        sgd(AvmOptions.binary()).coverage(Coverage.sphere(0.9)).output(Output.suffix(0.5)).build());
    forms.put(
        "binary-sgd-average-smooth-rectangle-drop",
        sgd(AvmOptions.binary())
            .loss(Loss.smoothHinge(0.7))
            .coverage(Coverage.rectangle(0.5))
            .output(Output.average())
            .maxSize(25, Limit.DROP)
            .build());
    forms.put(
        "binary-sgd-confident-matern32",
        sgd(AvmOptions.binary())
            .kernel(Kernel.matern32(1))
            .coverage(Coverage.sphere(0.7))
            .approximation(Approximation.whenConfident())
            .maxSize(60, Limit.APPROXIMATE)
            .build());
    forms.put(
        "binary-sgd-merge",
        sgd(AvmOptions.binary()).coverage(Coverage.sphere(0.2)).maxSize(25, Limit.MERGE).build());
    forms.put(
        "binary-sgd-horizon-weights",
        sgd(AvmOptions.binary())
            .coverage(Coverage.sphere(0.8))
            .forgetting(Forgetting.horizon(60))
            .classWeights(ClassWeights.of(Map.of(-1.0, 0.5, 1.0, 3.0)))
            .build());
    forms.put(
        "binary-sgd-decaying",
        sgd(AvmOptions.binary())
            .coverage(Coverage.sphere(0.9))
            .approximation(Approximation.decaying(2, 0.7))
            .seed(-5)
            .build());
    forms.put(
        "multiclass-sgd", sgd(AvmOptions.multiclass()).coverage(Coverage.sphere(0.9)).build());
    forms.put(
        "multiclass-sgd-logistic-declared",
        sgd(AvmOptions.multiclass())
            .task(Task.multiclass(2, 1))
            .loss(Loss.logistic())
            .coverage(Coverage.sphere(0.9))
            .build());
    forms.put(
        "regression-sgd-laplacian",
        AvmOptions.regression()
            .kernel(Kernel.laplacian(1))
            .coverage(Coverage.sphere(0.8))
            .regularization(0.05)
            .build());
    forms.put(
        "regression-sgd-ymax",
        AvmOptions.regression()
            .coverage(Coverage.sphere(0.9))
            .yMax(1.5)
            .regularization(0.05)
            .build());
    forms.put(
        "regression-sgd-epsilon-rational",
        sgd(AvmOptions.regression())
            .loss(Loss.epsilonInsensitive(0.05))
            .kernel(Kernel.rationalQuadratic(3))
            .coverage(Coverage.sphere(0.8))
            .build());
    forms.put(
        "regression-sgd-never-absolute-matern52",
        sgd(AvmOptions.regression())
            .loss(Loss.absolute())
            .kernel(Kernel.matern52(1))
            .approximation(Approximation.never())
            .maxSize(90, Limit.DROP)
            .build());
    forms.put(
        "binary-newton",
        AvmOptions.binary()
            .update(Update.newton(0.5))
            .kernel(Kernel.gaussian(2))
            .coverage(Coverage.sphere(1.1))
            .build());
    forms.put(
        "binary-newton-logistic-horizon-merge",
        AvmOptions.binary()
            .loss(Loss.logistic())
            .update(Update.newton(0.2))
            .kernel(Kernel.laplacian(1))
            .coverage(Coverage.sphere(0.1))
            .maxSize(20, Limit.MERGE)
            .forgetting(Forgetting.horizon(80))
            .build());
    forms.put(
        "multiclass-newton-merge",
        AvmOptions.multiclass()
            .update(Update.newton(0.5))
            .kernel(Kernel.gaussian(2))
            .coverage(Coverage.sphere(0.1))
            .maxSize(20, Limit.MERGE)
            .build());
    forms.put(
        "regression-newton",
        AvmOptions.regression().update(Update.newton(0.01)).coverage(Coverage.sphere(1.1)).build());
    forms.put(
        "regression-newton-absolute",
        AvmOptions.regression()
            .loss(Loss.absolute())
            .update(Update.newton(0.01))
            .coverage(Coverage.sphere(1.1))
            .build());
    return forms;
  }

  private static AvmOptions.Builder sgd(AvmOptions.Builder builder) {
    return builder.kernel(Kernel.gaussian(2)).regularization(0.01);
  }

  /** Learners that noticed a drift, were merged, learned weights, or nothing at all. */
  private static void special(FixtureWriter out) throws IOException {
    AvmOptions.Builder classes =
        AvmOptions.multiclass().kernel(Kernel.gaussian(2)).coverage(Coverage.sphere(1));
    out.learner("learner-multiclass-fresh", new Avm(classes.build()), "more-multiclass.csv");
    AvmOptions watching =
        classes
            .update(Update.newton(0.5))
            .forgetting(Forgetting.auto())
            .classWeights(ClassWeights.balanced())
            .build();
    List<Instance> turning = new ArrayList<>(Streams.multiclass(250, 3, 18));
    Streams.multiclass(150, 3, 118)
        .forEach(i -> turning.add(new Instance(i.features(), (i.label() + 1) % 3)));
    Avm turned = learn(new Avm(watching), turning);
    checkDrift(turned);
    out.learner("learner-multiclass-newton-auto-balanced", turned, "more-multiclass.csv");
    AvmOptions numbers =
        AvmOptions.regression()
            .update(Update.newton(0.1))
            .coverage(Coverage.sphere(1.1))
            .forgetting(Forgetting.auto())
            .build();
    Avm jumped = learn(new Avm(numbers), jumping());
    checkDrift(jumped);
    out.learner("learner-regression-newton-auto", jumped, "more-regression.csv");
    AvmOptions halves = forms().get("binary-sgd-suffix");
    Avm one = learn(new Avm(halves), Streams.binary(150, 3, 21));
    one.merge(learn(new Avm(halves), Streams.binary(150, 3, 22)));
    out.learner("learner-binary-sgd-merged", one, "more-binary.csv");
    Avm weighted = learnWeighted(new Avm(forms().get("binary-newton")), Streams.binary(150, 3, 23));
    out.learner("learner-binary-newton-instance-weights", weighted, "more-binary.csv");
    for (String form :
        List.of("binary-sgd-decaying", "multiclass-newton-merge", "regression-newton")) {
      AvmOptions options = forms().get(form);
      Avm avm = learn(new Avm(options), Streams.of(options.task(), 300, 3, 31));
      out.model("model-" + form, avm.snapshot());
    }
    Avm averaged = learn(new Avm(forms().get("multiclass-sgd")), Streams.multiclass(300, 3, 32));
    out.model("model-multiclass-sgd-average", averaged.snapshot(Output.average()));
    List<Instance> batch = Streams.multiclass(300, 3, 35);
    out.model(
        "model-multiclass-batch",
        BatchNewton.train(
            forms().get("multiclass-newton-merge"),
            batch.stream().map(Instance::features).toList(),
            batch.stream().mapToDouble(Instance::label).toArray(),
            20));
  }

  private static void checkDrift(Avm avm) {
    if (avm.status().drifts() == 0) {
      throw new IllegalStateException("the stream must have a drift");
    }
  }

  private static List<Instance> jumping() {
    List<Instance> jumping = new ArrayList<>(Streams.regression(250, 3, 19));
    SplitMix coin = new SplitMix(119);
    Streams.regression(150, 3, 119)
        .forEach(i -> jumping.add(new Instance(i.features(), 4 * coin.nextInt(2) - 2 + i.label())));
    return jumping;
  }

  private static void automatic(FixtureWriter out) throws IOException {
    out.learner(
        "auto-binary-100",
        learn(new AutoAvm(AutoOptions.all(9)), Streams.binary(100, 3, 41)),
        "more-binary.csv");
    out.learner(
        "auto-regression-60-weights",
        learnWeighted(new AutoAvm(AutoOptions.all(9), 1.5), Streams.regression(60, 3, 43)),
        "more-regression.csv");
    out.learner(
        "auto-regression-fresh", new AutoAvm(AutoOptions.all(9), 1.5), "more-regression.csv");
    out.learner(
        "auto-multiclass-60-width",
        learn(new AutoAvm(width(15)), Streams.multiclass(60, 3, 45)),
        "more-multiclass.csv");
    out.learner(
        "auto-binary-2100-width",
        learn(new AutoAvm(freeWidth(9)), Streams.binary(2100, 3, 44)),
        "more-binary.csv");
  }

  /** Small trees of each task that have grown, and a machine with a linear part. */
  private static void trees(FixtureWriter out) throws IOException {
    for (Task task : List.of(Task.binary(), Task.multiclass(), Task.regression())) {
      AvmOptions machine =
          AvmOptions.binary()
              .task(task)
              .loss(task.defaultLoss())
              .coverage(Coverage.sphere(1e-9))
              .update(Update.newton(0.1))
              .maxSize(12, Limit.MERGE)
              .build();
      AvmTree tree =
          learn(new AvmTree(new TreeOptions(machine, 8, 3, 120)), Streams.of(task, 600, 3, 51));
      out.learner("tree-" + task.word(), tree, FixtureWriter.stream(task));
      out.model("tree-model-" + task.word(), tree.snapshot());
      AvmOptions linear = machine.change().update(Update.newton(0.1, 3)).build();
      Avm avm = learn(new Avm(linear), Streams.of(task, 200, 3, 52));
      out.learner("learner-linear-" + task.word(), avm, FixtureWriter.stream(task));
      out.model("model-linear-" + task.word(), avm.snapshot());
    }
  }

  /** Only the width of the kernel is chosen from the stream. */
  static AutoOptions width(int size) {
    return new AutoOptions(
        AvmOptions.multiclass()
            .update(Update.newton(0.3))
            .kernel(Kernel.laplacian(1))
            .coverage(Coverage.sphere(0.2))
            .maxSize(size, Limit.MERGE)
            .build(),
        Scaling.UNIT,
        EnumSet.of(AutoOptions.Choice.WIDTH));
  }

  private static AutoOptions freeWidth(int size) {
    AutoOptions all = AutoOptions.all(size);
    return new AutoOptions(
        all.base(),
        Scaling.NONE,
        EnumSet.of(AutoOptions.Choice.TASK, AutoOptions.Choice.LOSS, AutoOptions.Choice.WIDTH));
  }

  private static void anomalies(FixtureWriter out) throws IOException {
    AnomalyOptions small = new AnomalyOptions(0.1, 0.05, 60, 0);
    out.learner(
        "anomaly",
        learn(new AnomalyDetector(small), Streams.binary(300, 3, 51)),
        "more-binary.csv");
    out.learner(
        "anomaly-sparse",
        learn(
            new AnomalyDetector(new AnomalyOptions(0.2, 0.02, 40, 0.1)),
            Streams.sparse(200, 5, 2, 52)),
        "more-binary.csv");
    out.learner("anomaly-fresh", new AnomalyDetector(small), "more-binary.csv");
    out.model(
        "anomaly-model", learn(new AnomalyDetector(small), Streams.binary(300, 3, 53)).snapshot());
  }

  private static void prepared(FixtureWriter out) throws IOException {
    List<Instance> pair = FixtureWriter.zeroOne(Streams.binary(300, 3, 101));
    Pipeline binary = learn(calibratedBinary(pair), pair);
    out.model("prepared-model-calibrated", binary.snapshot(), AvmModel.KIND);
    out.learner("pipeline-binary-calibrated", binary, Avm.KIND, "more-binary01.csv");
    List<Instance> three = Streams.multiclass(300, 3, 102);
    Preparation classes =
        new Preparation(
            schema(three, "low", "middle", "hoch äöü"),
            scaler(Scaling.UNIT, three),
            new Labels.Plain());
    Pipeline multiclass =
        new Pipeline(
            classes,
            new Avm(
                sgd(AvmOptions.multiclass())
                    .kernel(Kernel.laplacian(2))
                    .coverage(Coverage.sphere(0.4))
                    .build()),
            new Calibrator(),
            ClassPrior.none());
    out.learner(
        "pipeline-multiclass-calibrated",
        learn(multiclass, three),
        Avm.KIND,
        "more-multiclass.csv");
    List<Instance> numbers = Streams.regression(300, 3, 103);
    Preparation standard =
        new Preparation(
            schema(numbers), scaler(Scaling.SYMMETRIC, numbers), new Labels.Standard(0.25, 0.75));
    Pipeline regression = new Pipeline(standard, new Avm(forms().get("regression-newton")));
    learn(regression, numbers);
    out.model("prepared-model-regression", regression.snapshot(), AvmModel.KIND);
    out.learner("pipeline-regression-standard", regression, Avm.KIND, "more-regression.csv");
    List<Instance> racing = Streams.multiclass(100, 3, 104);
    Preparation plain =
        new Preparation(schema(racing, "a", "b", "c"), Scaler.none(), new Labels.Plain());
    Pipeline automatic =
        new Pipeline(plain, new AutoAvm(width(12)), new Calibrator(), ClassPrior.none());
    learn(automatic, racing);
    out.model("prepared-model-auto", automatic.snapshot(), PreparedModel.KIND);
    out.learner("pipeline-auto", automatic, AutoAvm.KIND, "more-multiclass.csv");
    List<Instance> unlabelled = Streams.binary(300, 3, 106);
    Preparation none = new Preparation(schema(unlabelled), Scaler.none(), new Labels.Plain());
    Pipeline anomaly =
        new Pipeline(none, new AnomalyDetector(new AnomalyOptions(0.1, 0.05, 40, 0)));
    learn(anomaly, unlabelled);
    out.model("prepared-model-anomaly", anomaly.snapshot(), AnomalyDetector.MODEL_KIND);
    out.learner("pipeline-anomaly", anomaly, AnomalyDetector.KIND, "more-binary.csv");
  }

  /** Texts as labels, scaling, the second-order step and probabilities. */
  static Pipeline calibratedBinary(List<Instance> rows) {
    Preparation preparation =
        new Preparation(
            schema(rows, "no", "yes"), scaler(Scaling.STANDARD, rows), new Labels.Pair(0, 1));
    AvmOptions options =
        AvmOptions.binary()
            .update(Update.newton(0.5))
            .kernel(Kernel.gaussian(0.7))
            .coverage(Coverage.sphere(1.9))
            .build();
    return new Pipeline(preparation, new Avm(options), new Calibrator(), ClassPrior.none());
  }

  /** x, then colour=red and colour=blüe, "deep": three features; the labels are texts, if any. */
  static Schema schema(List<Instance> rows, String... labels) {
    Schema schema = new Schema();
    NumericColumn x = schema.addNumeric("x");
    CategoricalColumn colour = schema.addCategorical("colour");
    schema.index(colour, "red");
    schema.index(colour, "blüe, \"deep\"");
    rows.forEach(row -> schema.observe(x, row.features().get(0)));
    for (String label : labels.length == 0 ? new String[] {"1.5"} : labels) {
      schema.label(label);
    }
    return schema;
  }

  static Scaler scaler(Scaling scaling, List<Instance> rows) {
    ScalerFit fit = new ScalerFit(scaling);
    rows.forEach(row -> fit.observe(row.features()));
    return fit.scaler();
  }

  public static <L extends OnlineLearner> L learn(L learner, List<Instance> rows) {
    rows.forEach(row -> learner.learn(row.features(), row.label()));
    return learner;
  }

  private static <L extends OnlineLearner> L learnWeighted(L learner, List<Instance> rows) {
    int t = 0;
    for (Instance row : rows) {
      learner.learn(row.features(), row.label(), 0.5 * (1 + t++ % 5));
    }
    return learner;
  }
}
