package org.avm4j;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.BoostedModel;
import org.avm4j.boost.Boosting;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.cluster.ClusterOptions;
import org.avm4j.codec.Savable;
import org.avm4j.conformal.Conformal;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.models.MeanModel;
import org.avm4j.pipeline.Calibrator;
import org.avm4j.pipeline.ClassPrior;
import org.avm4j.pipeline.CostThreshold;
import org.avm4j.pipeline.Costs;
import org.avm4j.pipeline.LabelLags;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.table.Scaling;

/** One small file of everything that the core saves but automatic mode, to be damaged. */
final class HostileFiles {
  private HostileFiles() {}

  static Map<String, byte[]> all() {
    Map<String, byte[]> all = new LinkedHashMap<>();
    learners().forEach((name, learner) -> all.put("learner-" + name, learner.toBytes()));
    learners().forEach((name, learner) -> put(all, "model-" + name, learner.snapshot()));
    all.keySet().removeIf(name -> name.startsWith("model-") && !name.contains("newton"));
    Model one = learners().get("multiclass-fresh").snapshot();
    put(all, "mean", new MeanModel(List.of(one, one)));
    put(all, "weighted-mean", new MeanModel(List.of(one, one), new double[] {0.5, 2}));
    put(all, "boosted", boosted());
    anomalies(all);
    prepared(all);
    return all;
  }

  private static void put(Map<String, byte[]> all, String name, Savable saved) {
    all.put(name, saved.toBytes());
  }

  private static BoostedModel boosted() {
    List<Instance> rows = turning(Task.multiclass(), 70);
    double[] classes = rows.stream().mapToDouble(Instance::label).sorted().distinct().toArray();
    BoostOptions options = BoostOptions.DEFAULT.withRounds(2).withTrees(2, 0.3);
    Boosting boosting = new Boosting(Task.multiclass(), classes, rows, List.of(), options);
    boosting.round();
    boosting.round();
    return boosting.model(2);
  }

  /** All forms with few vectors, at their caps where they have one. */
  private static Map<String, Avm> learners() {
    Map<String, Avm> learners = new LinkedHashMap<>();
    CoreFixtures.forms().forEach((name, form) -> learners.put(name, small(form)));
    AvmOptions.Builder watching =
        AvmOptions.multiclass().forgetting(Forgetting.auto()).classWeights(ClassWeights.balanced());
    learners.put("multiclass-sgd-auto-balanced", small(watching.build()));
    watching.update(Update.newton(0.5)).maxSize(6, Limit.MERGE);
    learners.put("multiclass-newton-auto-balanced-merge", small(watching.build()));
    learners.put("multiclass-fresh", new Avm(AvmOptions.multiclass().build()));
    return learners;
  }

  private static Avm small(AvmOptions form) {
    Forgetting forgetting = form.forgetting();
    AvmOptions options =
        form.change()
            .maxSize(6, form.limit())
            .forgetting(forgetting.horizon() < 1e9 ? Forgetting.horizon(9) : forgetting)
            .build();
    return CoreFixtures.learn(new Avm(options), turning(options.task(), 70));
  }

  /** A stream that changes in its middle. */
  private static List<Instance> turning(Task task, int n) {
    List<Instance> stream = new ArrayList<>(Streams.of(task, n, 3, 5));
    for (int t = n / 2; t < n; t++) {
      Features x = Features.dense(stream.get(t).features().get(1), 0.1 * t % 1, 0.7);
      stream.set(t, new Instance(x, stream.get(t).label()));
    }
    return stream;
  }

  private static void anomalies(Map<String, byte[]> all) {
    AnomalyDetector detector = new AnomalyDetector(new AnomalyOptions(0.1, 0.05, 8, 0));
    put(all, "anomaly-fresh", detector);
    CoreFixtures.learn(detector, Streams.sparse(95, 5, 3, 8));
    put(all, "anomaly", detector);
    put(all, "anomaly-model", detector.snapshot());
    ClusterLearner clusters = new ClusterLearner(new ClusterOptions(16, 50));
    put(all, "cluster-fresh", clusters);
    CoreFixtures.learn(clusters, Streams.sparse(95, 5, 3, 8));
    put(all, "cluster", clusters);
    put(all, "cluster-model", clusters.snapshot());
  }

  private static void prepared(Map<String, byte[]> all) {
    List<Instance> pair = FixtureWriter.zeroOne(Streams.binary(20, 3, 9));
    Pipeline binary = CoreFixtures.learn(CoreFixtures.calibratedBinary(pair), pair);
    put(all, "pipeline-binary-calibrated", binary);
    put(all, "prepared-model-binary-calibrated", binary.snapshot());
    binary.decideBy(new CostThreshold(0.25, true, new Costs(10, 1), 20));
    put(all, "pipeline-binary-threshold", binary);
    put(all, "prepared-model-binary-threshold", binary.snapshot());
    List<Instance> three = Streams.multiclass(40, 3, 10);
    Preparation classes =
        new Preparation(
            CoreFixtures.schema(three, "a", "b", "c"),
            CoreFixtures.scaler(Scaling.UNIT, three),
            new Labels.Plain());
    Avm several = small(CoreFixtures.forms().get("multiclass-sgd"));
    Pipeline multiclass = new Pipeline(classes, several, new Calibrator(), ClassPrior.none());
    CoreFixtures.learn(multiclass, three);
    put(all, "pipeline-multiclass-calibrated", multiclass);
    put(all, "prepared-model-multiclass-calibrated", multiclass.snapshot());
    List<Instance> numbers = Streams.regression(40, 3, 11);
    Preparation standard =
        new Preparation(
            CoreFixtures.schema(numbers),
            CoreFixtures.scaler(Scaling.SYMMETRIC, numbers),
            new Labels.Standard(0.25, 0.75));
    Pipeline regression =
        new Pipeline(standard, small(CoreFixtures.forms().get("regression-newton")));
    put(all, "pipeline-regression", CoreFixtures.learn(regression, numbers));
    Pipeline certain =
        new Pipeline(
            standard,
            small(CoreFixtures.forms().get("regression-newton")),
            null,
            ClassPrior.none(),
            new Conformal(0.9));
    certain.follow(new LabelLags(2, 3, 1, List.of(0.5, 1.5)));
    put(all, "pipeline-certain", CoreFixtures.learn(certain, numbers));
    put(all, "prepared-model-certain", certain.snapshot());
    Preparation plain =
        new Preparation(CoreFixtures.schema(numbers), Scaler.none(), new Labels.Plain());
    Pipeline anomaly =
        new Pipeline(plain, new AnomalyDetector(new AnomalyOptions(0.1, 0.05, 8, 0)));
    CoreFixtures.learn(anomaly, numbers);
    put(all, "pipeline-anomaly", anomaly);
    put(all, "prepared-model-anomaly", anomaly.snapshot());
  }
}
