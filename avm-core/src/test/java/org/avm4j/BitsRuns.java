package org.avm4j;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.AutoOptions;
import org.avm4j.batch.BatchNewton;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.Boosting;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.cluster.ClusterOptions;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.Savable;
import org.avm4j.conformal.Conformal;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.avm4j.models.MeanModel;
import org.avm4j.pipeline.Calibrator;
import org.avm4j.pipeline.ClassPrior;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;

/**
 * Fixed runs whose results must have the same bits on every machine, Java and mode of execution.
 *
 * <p>Each run has a name and a fingerprint: the SHA-256 of the encoded content, without the frame,
 * which names the library version. The instances are made by additions and products alone, so that
 * nothing but the library can make a difference. The class needs only the JDK and the library: a
 * JVM of its own prints the fingerprints with {@link #main}.
 */
final class BitsRuns {
  private static final Path FILE = Path.of("src/test/resources/bits/fingerprints.txt");
  private static final int INSTANCES = 300;
  private static final int LONG = 4000;

  private final Map<String, Supplier<byte[]>> runs = new LinkedHashMap<>();

  private BitsRuns() {
    everyLossKernelAndUpdate();
    otherChoices();
    linearParts();
    trees();
    longRuns();
    union();
    automatic();
    anomalies();
    calibration();
    batches();
    boostedTrees();
    means();
  }

  /** All runs by name. */
  static Map<String, Supplier<byte[]>> all() {
    return new BitsRuns().runs;
  }

  /** The fingerprint of a result. */
  static String fingerprint(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The fingerprints on record, by name. */
  static Map<String, String> recorded() throws IOException {
    return parse(Files.readAllLines(FILE));
  }

  /** Puts fingerprints on record. */
  static void record(Map<String, String> found) throws IOException {
    Files.write(FILE, found.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList());
  }

  /** Reads lines of a name and a fingerprint; of equal names the last one counts. */
  static Map<String, String> parse(List<String> lines) {
    Map<String, String> fingerprints = new TreeMap<>();
    for (String line : lines) {
      int space = line.indexOf(' ');
      fingerprints.put(line.substring(0, space), line.substring(space + 1));
    }
    return fingerprints;
  }

  /**
   * Prints the name and the fingerprint of each run whose name contains one of the words, as often
   * as the property {@code bits.repeat} says.
   */
  public static void main(String[] words) {
    for (int i = 0; i < Integer.getInteger("bits.repeat", 1); i++) {
      print(words);
    }
  }

  private static void print(String[] words) {
    all()
        .forEach(
            (name, run) -> {
              if (Arrays.stream(words).anyMatch(name::contains)) {
                System.out.println(name + " " + fingerprint(run.get()));
              }
            });
  }

  private void everyLossKernelAndUpdate() {
    List<Loss> ofMargins = List.of(Loss.hinge(), Loss.smoothHinge(0.5), Loss.logistic());
    List<Loss> ofResiduals =
        List.of(Loss.squared(), Loss.absolute(), Loss.epsilonInsensitive(0.05));
    for (Update update : List.of(Update.sgd(), Update.newton(0.1))) {
      ofMargins.forEach(loss -> everyKernel(AvmOptions.binary(), loss, update));
      ofMargins.forEach(loss -> everyKernel(AvmOptions.multiclass(), loss, update));
      ofResiduals.forEach(loss -> everyKernel(AvmOptions.regression(), loss, update));
    }
  }

  private void everyKernel(AvmOptions.Builder task, Loss loss, Update update) {
    List<Kernel> kernels =
        List.of(
            Kernel.gaussian(0.8),
            Kernel.laplacian(0.7),
            Kernel.rationalQuadratic(0.9),
            Kernel.matern32(0.6),
            Kernel.matern52(0.5));
    for (Kernel kernel : kernels) {
      AvmOptions options = start(task).loss(loss).update(update).kernel(kernel).build();
      learner("", options);
    }
  }

  private static AvmOptions.Builder start(AvmOptions.Builder task) {
    return task.coverage(Coverage.sphere(0.9)).regularization(0.01);
  }

  private void learner(String what, AvmOptions options) {
    runs.put(name(what, options), () -> content(learned(new Avm(options), INSTANCES, 1)));
  }

  private static String name(String what, AvmOptions options) {
    String words =
        String.join(
            "-",
            options.task().word(),
            options.loss().word(),
            options.kernel().word(),
            options.update().word());
    return what.isEmpty() ? words : words + "-" + what;
  }

  private void otherChoices() {
    for (Update update : List.of(Update.sgd(), Update.newton(0.1))) {
      choices(update, AvmOptions.binary());
      choices(update, AvmOptions.multiclass());
      choices(update, AvmOptions.regression());
    }
    AvmOptions.Builder binary = start(AvmOptions.binary());
    learner("average", binary.output(Output.average()).build());
    learner("suffix", binary.output(Output.suffix(0.4)).build());
    binary = start(AvmOptions.binary());
    learner("confident", binary.approximation(Approximation.whenConfident()).build());
    learner("weighted", binary.classWeights(ClassWeights.of(Map.of(-1.0, 0.3, 1.0, 1.7))).build());
    learner("projected", start(AvmOptions.regression()).yMax(0.2).build());
    AvmOptions.Builder balanced = start(AvmOptions.multiclass());
    learner("balanced", balanced.classWeights(ClassWeights.balanced()).build());
    learner(
        "declared-suffix",
        start(AvmOptions.multiclass())
            .task(Task.multiclass(2, 0))
            .output(Output.suffix(0.5))
            .build());
  }

  private void choices(Update update, AvmOptions.Builder task) {
    AvmOptions base = start(task).update(update).build();
    learner("rectangle", base.change().coverage(Coverage.rectangle(1.2)).build());
    learner("never", base.change().approximation(Approximation.never()).build());
    learner("decaying", base.change().approximation(Approximation.decaying(3, 0.7)).build());
    learner("horizon", base.change().forgetting(Forgetting.horizon(50)).build());
    learner("forgetting", base.change().forgetting(Forgetting.auto()).build());
    learner("approximate", base.change().maxSize(30, Limit.APPROXIMATE).build());
    learner("drop", base.change().maxSize(30, Limit.DROP).build());
    learner("merge", base.change().maxSize(30, Limit.MERGE).build());
    learner(
        "merge-horizon",
        base.change().maxSize(30, Limit.MERGE).forgetting(Forgetting.horizon(80)).build());
  }

  private void linearParts() {
    for (AvmOptions.Builder task :
        List.of(AvmOptions.binary(), AvmOptions.multiclass(), AvmOptions.regression())) {
      AvmOptions options = start(task).update(Update.newton(0.1, 8)).build();
      learner("linear", options);
      learner("linear-merge", options.change().maxSize(30, Limit.MERGE).build());
      learner("linear-horizon", options.change().forgetting(Forgetting.horizon(50)).build());
    }
  }

  private void trees() {
    for (AvmOptions.Builder task :
        List.of(AvmOptions.binary(), AvmOptions.multiclass(), AvmOptions.regression())) {
      AvmOptions root = start(task).update(Update.newton(0.1, 8)).maxSize(16, Limit.MERGE).build();
      TreeOptions options = new TreeOptions(root, 12, 3, 120);
      runs.put("tree-" + root.task().word(), () -> content(grown(options, 900)));
    }
  }

  /** Far past instance 2,048, where automatic mode decides and trees have several levels. */
  private void longRuns() {
    for (AvmOptions.Builder task :
        List.of(AvmOptions.binary(), AvmOptions.multiclass(), AvmOptions.regression())) {
      AvmOptions base = start(task).maxSize(60, Limit.MERGE).build();
      for (Update update : List.of(Update.sgd(), Update.newton(0.1, 8))) {
        AvmOptions options = base.change().update(update).build();
        runs.put(name("long", options), () -> content(learned(new Avm(options), LONG, 1)));
      }
      AvmOptions root = base.change().update(Update.newton(0.1)).build();
      TreeOptions options = new TreeOptions(root, 24, 4, 800);
      runs.put("tree-long-" + root.task().word(), () -> content(grown(options, LONG)));
    }
  }

  private static AvmTree grown(TreeOptions options, int n) {
    AvmTree tree = new AvmTree(options);
    for (Instance instance : instances(options.machine().task(), n, 1)) {
      tree.learn(instance.features(), instance.label(), instance.weight());
    }
    return tree;
  }

  private void union() {
    for (Update update : List.of(Update.sgd(), Update.newton(0.1))) {
      for (Limit limit : Limit.values()) {
        AvmOptions options =
            start(AvmOptions.multiclass()).update(update).maxSize(40, limit).build();
        String at = "union-" + limit.name().toLowerCase(Locale.ROOT);
        runs.put(name(at, options), () -> content(united(options)));
      }
    }
  }

  private static Avm united(AvmOptions options) {
    Avm one = learned(new Avm(options), 150, 1);
    one.merge(learned(new Avm(options), 150, 2));
    return one;
  }

  private void automatic() {
    AutoOptions all = AutoOptions.all(60);
    for (Task task : List.of(Task.binary(), Task.multiclass(), Task.regression())) {
      runs.put("automatic-" + task.word(), () -> content(raced(all, task, 700)));
      runs.put("automatic-mixed-" + task.word(), () -> mixed(task, 300));
    }
    runs.put("automatic-whole-binary", () -> mixed(Task.binary(), 9000));
    runs.put("automatic-whole-multiclass", () -> mixed(Task.multiclass(), 3500));
    runs.put("automatic-whole-regression", () -> mixed(Task.regression(), 3500));
    runs.put("automatic-long", () -> content(raced(AutoOptions.all(20), Task.binary(), 2200)));
  }

  /**
   * A learner with experts beside the race, and its answers, which are theirs in part. In the last
   * third of the rows the rule is another one.
   */
  private static byte[] mixed(Task task, int n) {
    Encoder out = new Encoder();
    AutoAvm auto = new AutoAvm();
    for (Instance instance : instances(task, n, 1, 2 * n / 3)) {
      out.float64(auto.predict(instance.features()));
      auto.learn(instance.features(), instance.label(), instance.weight());
    }
    out.bytes(content(auto));
    return out.toBytes();
  }

  private static AutoAvm raced(AutoOptions options, Task task, int n) {
    AutoAvm auto = new AutoAvm(options);
    for (Instance instance : instances(task, n, 1)) {
      auto.learn(instance.features(), instance.label(), instance.weight());
    }
    return auto;
  }

  private void anomalies() {
    AnomalyOptions small = AnomalyOptions.DEFAULT.withMaxSize(40);
    AnomalyOptions wide = new AnomalyOptions(0.2, 0.05, 100, 0.8);
    for (AnomalyOptions options : List.of(small, wide)) {
      runs.put("anomaly-" + options.maxSize(), () -> content(detector(options, INSTANCES, 1)));
    }
    runs.put("anomaly-long", () -> content(detector(small, LONG, 1)));
    runs.put("anomaly-union", () -> content(unitedDetector(small)));
    for (ClusterOptions options : List.of(new ClusterOptions(40, 0), new ClusterOptions(200, 90))) {
      runs.put("cluster-" + options.maxSize(), () -> content(clusters(options, INSTANCES)));
    }
    runs.put("cluster-long", () -> content(clusters(new ClusterOptions(40, 0), LONG)));
  }

  private static ClusterLearner clusters(ClusterOptions options, int n) {
    ClusterLearner learner = new ClusterLearner(options);
    for (Instance instance : instances(Task.binary(), n, 1)) {
      learner.learn(instance.features());
    }
    learner.settle();
    return learner;
  }

  private static AnomalyDetector detector(AnomalyOptions options, int n, long seed) {
    AnomalyDetector detector = new AnomalyDetector(options);
    for (Instance instance : instances(Task.binary(), n, seed)) {
      detector.learn(instance.features());
    }
    return detector;
  }

  private static AnomalyDetector unitedDetector(AnomalyOptions options) {
    AnomalyDetector one = detector(options, INSTANCES, 1);
    one.merge(detector(options, INSTANCES, 2));
    return one;
  }

  private void calibration() {
    for (AvmOptions.Builder task : List.of(AvmOptions.binary(), AvmOptions.multiclass())) {
      AvmOptions options = start(task).loss(Loss.logistic()).build();
      runs.put(name("calibrated", options), () -> calibrated(options));
    }
    AvmOptions numbers = start(AvmOptions.regression()).maxSize(60, Limit.MERGE).build();
    runs.put("interval-long", () -> intervals(numbers));
  }

  private static byte[] intervals(AvmOptions options) {
    Pipeline pipeline =
        new Pipeline(
            Preparation.none(), new Avm(options), null, ClassPrior.counting(), new Conformal(0.9));
    Encoder out = new Encoder();
    for (Instance instance : instances(options.task(), LONG, 1)) {
      out.float64(pipeline.answer(instance.features()).interval(0.9).high());
      pipeline.learn(instance.features(), instance.label(), instance.weight());
    }
    pipeline.encode(out);
    return out.toBytes();
  }

  private static byte[] calibrated(AvmOptions options) {
    Pipeline pipeline =
        new Pipeline(Preparation.none(), new Avm(options), new Calibrator(), ClassPrior.none());
    Encoder out = new Encoder();
    for (Instance instance : instances(options.task(), INSTANCES, 1)) {
      for (double probability : pipeline.answer(instance.features()).probabilities()) {
        out.float64(probability);
      }
      pipeline.learn(instance.features(), instance.label(), instance.weight());
    }
    pipeline.encode(out);
    return out.toBytes();
  }

  private void batches() {
    for (AvmOptions.Builder task :
        List.of(AvmOptions.binary(), AvmOptions.multiclass(), AvmOptions.regression())) {
      AvmOptions options =
          task.coverage(Coverage.sphere(0.3))
              .update(Update.newton(0.1))
              .maxSize(160, Limit.APPROXIMATE)
              .build();
      runs.put(name("batch", options), () -> scoresOfBatch(options));
    }
  }

  private static byte[] scoresOfBatch(AvmOptions options) {
    List<Instance> data = instances(options.task(), 800, 1);
    double[] labels = data.stream().mapToDouble(Instance::label).toArray();
    List<Features> rows = data.stream().map(Instance::features).toList();
    return scores(BatchNewton.train(options, rows, labels, 4), data);
  }

  /** A model names the library version, so its scores stand for it. */
  private static byte[] scores(Model model, List<Instance> rows) {
    Encoder out = new Encoder();
    for (Instance row : rows) {
      out.doubles(model.score(row.features()), model.columns());
    }
    return out.toBytes();
  }

  private void boostedTrees() {
    for (Task task : List.of(Task.binary(), Task.multiclass(), Task.regression())) {
      List<Instance> rows = instances(task, 800, 1);
      runs.put("boosted-" + task.word(), () -> scores(boosted(task, rows), rows));
    }
  }

  /** Each round takes a part of the rows and features, as {@code train} does. */
  private static Model boosted(Task task, List<Instance> rows) {
    BoostOptions options = BoostOptions.DEFAULT.withRounds(40).withTrees(4, 0.2);
    Boosting boosting = Boosting.of(task.kind(), rows, options.withSamples(0.7, 0.7, 5));
    while (boosting.round()) {
      // until all rounds are done
    }
    return boosting.model(boosting.rounds());
  }

  private void means() {
    AvmOptions options = start(AvmOptions.regression()).maxSize(60, Limit.MERGE).build();
    List<Instance> rows = instances(options.task(), INSTANCES, 1);
    runs.put("mean", () -> scores(mean(options, rows), rows));
  }

  private static Model mean(AvmOptions options, List<Instance> rows) {
    Model one = learned(new Avm(options), INSTANCES, 1).snapshot();
    Model two = learned(new Avm(options), INSTANCES, 2).snapshot();
    Model trees = boosted(options.task(), rows);
    return new MeanModel(List.of(one, two, trees), new double[] {0.3, 0.3, 0.4});
  }

  private static Avm learned(Avm avm, int n, long seed) {
    for (Instance instance : instances(avm.options().task(), n, seed)) {
      avm.learn(instance.features(), instance.label(), instance.weight());
    }
    return avm;
  }

  private static byte[] content(Savable result) {
    Encoder out = new Encoder();
    result.encode(out);
    return out.toBytes();
  }

  /** Rows that are dense for a while and then sparse, and every tenth counts one and a half. */
  private static List<Instance> instances(Task task, int n, long seed) {
    return instances(task, n, seed, n);
  }

  /** The same; the rule turns into its opposite at a row. */
  private static List<Instance> instances(Task task, int n, long seed, int turn) {
    SplitMix random = new SplitMix(seed);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      boolean isSparse = t / 16 % 2 == 1;
      double[] x = new double[isSparse ? 24 : 6];
      for (int i = 0; i < x.length; i++) {
        double value = 2 * random.getAsDouble() - 1;
        x[i] = isSparse && random.nextInt(6) != 0 ? 0 : value;
      }
      double noise = 0.2 * (random.getAsDouble() - 0.5);
      double rule = x[0] * x[1] + x[2] * x[2] - 0.3 * x[3];
      double surface = (t < turn ? rule : -rule) + noise;
      stream.add(new Instance(Features.dense(x), label(task, surface), t % 10 == 3 ? 1.5 : 1));
    }
    return stream;
  }

  private static double label(Task task, double surface) {
    if (task.isRegression()) {
      return surface;
    }
    boolean isBinary = task.word().equals(Task.binary().word());
    double place = surface < 0 ? -1 : surface < 0.4 ? 1 : 2;
    return isBinary ? Math.min(1, place) : place;
  }
}
