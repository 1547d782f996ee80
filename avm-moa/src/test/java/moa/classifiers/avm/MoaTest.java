package moa.classifiers.avm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import com.yahoo.labs.samoa.instances.SparseInstance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import moa.classifiers.AbstractClassifier;
import moa.classifiers.Classifier;
import moa.core.AutoClassDiscovery;
import moa.core.SerializeUtils;
import moa.core.Utils;
import moa.evaluation.preview.LearningCurve;
import moa.options.ClassOption;
import moa.streams.generators.SEAGenerator;
import moa.tasks.MainTask;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.AutoOptions;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real tasks of MOA with these learners. */
@Tag("slow")
class MoaTest {
  /** Runs a task as the command line does. */
  private static LearningCurve run(String task) throws Exception {
    MainTask parsed = (MainTask) ClassOption.cliStringToObject(task, MainTask.class, null);
    parsed.prepareForUse();
    return (LearningCurve) parsed.doTask();
  }

  private static double last(LearningCurve curve, String name) {
    for (int i = 0; i < curve.getMeasurementNameCount(); i++) {
      if (curve.getMeasurementName(i).equals(name)) {
        return curve.getMeasurement(curve.numEntries() - 1, i);
      }
    }
    throw new AssertionError("no measurement " + name);
  }

  private static double accuracy(LearningCurve curve) {
    return last(curve, "classifications correct (percent)");
  }

  /** Answers and learns the stream without MOA; returns the part of right answers in percent. */
  private static double prequential(OnlineLearner learner, int rows) {
    SEAGenerator stream = new SEAGenerator();
    stream.prepareForUse();
    int right = 0;
    for (int i = 0; i < rows; i++) {
      Instance instance = stream.nextInstance().getData();
      Features x = Features.dense(instance.value(0), instance.value(1), instance.value(2));
      double label = 2 * instance.classValue() - 1;
      double answer = i == 0 ? -1 : learner.predict(x);
      right += answer == label ? 1 : 0;
      learner.learn(x, label);
    }
    return 100.0 * right / rows;
  }

  private static final String BASIC =
      "EvaluatePrequential -e BasicClassificationPerformanceEvaluator -s generators.SEAGenerator"
          + " -f 1000 ";

  @Test
  void automaticModeAnswersAsItDoesWithoutMoa() throws Exception {
    EnumSet<AutoOptions.Choice> free = EnumSet.allOf(AutoOptions.Choice.class);
    free.remove(AutoOptions.Choice.TASK);
    AutoOptions options =
        new AutoOptions(
            AutoOptions.all().base().change().task(Task.binary()).build(), Scaling.NONE, free);
    double moa = accuracy(run(BASIC.replace("-f 1000", "-f 600") + "-i 1200 -l avm.AvmClassifier"));
    double ours = prequential(new AutoAvm(options), 1200);
    assertThat(moa).isCloseTo(ours, within(1e-9)).isGreaterThan(80);
  }

  /** The concept changes in the middle of the stream. */
  @Test
  void aMachineOfAGivenSizeFollowsADrift() throws Exception {
    String drift =
        "-s (ConceptDriftStream -s (generators.SEAGenerator -f 1) -d (generators.SEAGenerator -f 4"
            + " -i 2) -p 10000 -w 1) -i 20000 -f 20000 ";
    String task = "EvaluatePrequential -e BasicClassificationPerformanceEvaluator " + drift;
    double asFits = accuracy(run(task + "-l (avm.AvmClassifier -s 40)"));
    assertThat(asFits)
        .isEqualTo(accuracy(run(task + "-l (avm.AvmClassifier -s 40 -f -1)")))
        .isGreaterThan(accuracy(run(task + "-l (avm.AvmClassifier -s 40 -f 0)")));
    String tree = task.replace("20000", "2500").replace("10000", "1250");
    assertThat(accuracy(run(tree + "-l avm.AvmClassifier")))
        .isEqualTo(accuracy(run(tree + "-l (avm.AvmClassifier -f 0)")));
  }

  @Test
  void thePapersStepAnswersAsItDoesWithoutMoa() throws Exception {
    AvmOptions options =
        AvmOptions.binary()
            .kernel(Kernel.laplacian(0.3))
            .coverage(Coverage.sphere(1.5))
            .regularization(1e-3)
            .maxSize(0, Limit.MERGE)
            .update(Update.sgd())
            .build();
    double moa =
        accuracy(
            run(
                BASIC
                    + "-i 5000 -l (avm.AvmClassifier -u Sgd -k Laplacian -g 0.3 -d 1.5 -l 0.001)"));
    assertThat(moa).isEqualTo(prequential(new Avm(options), 5000)).isGreaterThan(70);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "generators.AgrawalGenerator",
        "(generators.RandomRBFGeneratorDrift -s 0.001)",
        "(generators.HyperplaneGenerator -t 0.01)",
        "generators.LEDGenerator",
        "(ConceptDriftStream -s generators.SEAGenerator -d (generators.SEAGenerator -f 3) -p 1500 -w 1)"
      })
  void itsGeneratorsAreLearned(String stream) throws Exception {
    LearningCurve curve =
        run(
            "EvaluatePrequential -e BasicClassificationPerformanceEvaluator -i 3000 -f 1000 -s "
                + stream
                + " -l (avm.AvmClassifier -s 40 -f -1 -k Gaussian -p 0.1)");
    assertThat(last(curve, "core points")).isBetween(2.0, 40.0);
    assertThat(last(curve, "model serialized size (bytes)")).isGreaterThan(1000);
    assertThat(last(curve, "Kappa Statistic (percent)")).isGreaterThan(5);
  }

  @Test
  void numbersArePredicted() throws Exception {
    AvmRegressor regressor = new AvmRegressor();
    regressor.getOptions().setViaCLIString("-o -s 50");
    regressor.prepareForUse();
    InstancesHeader header = header(true);
    SplittableRandom random = new SplittableRandom(1);
    double error = 0;
    double spread = 0;
    for (int i = 0; i < 2000; i++) {
      double a = random.nextDouble();
      double b = random.nextDouble();
      double y = 100 + 10 * Math.sin(5 * a) + b;
      Instance row = row(header, a, b, 0, y);
      if (i >= 1000) {
        error += Math.abs(regressor.getVotesForInstance(row)[0] - y);
        spread += Math.abs(y - 103);
      }
      regressor.trainOnInstance(row);
    }
    assertThat(error).isLessThan(spread / 4);
  }

  /** Two numbers and a nominal attribute, and a class of three values or a number. */
  private static InstancesHeader header(boolean isRegression) {
    List<Attribute> attributes = new ArrayList<>();
    attributes.add(new Attribute("a"));
    attributes.add(new Attribute("b"));
    attributes.add(new Attribute("colour", List.of("red", "blue", "green")));
    attributes.add(
        isRegression ? new Attribute("y") : new Attribute("class", List.of("one", "two", "three")));
    InstancesHeader header = new InstancesHeader(new Instances("test", attributes, 0));
    header.setClassIndex(3);
    return header;
  }

  private static Instance row(InstancesHeader header, double a, double b, double colour, double y) {
    Instance row = new DenseInstance(1, new double[] {a, b, colour, y});
    row.setDataset(header);
    return row;
  }

  private static AbstractClassifier taught(int rows, double weight) {
    AvmClassifier classifier = new AvmClassifier();
    classifier.getOptions().setViaCLIString("-u Sgd -d 0.2 -g 2");
    classifier.prepareForUse();
    InstancesHeader header = header(false);
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < rows; i++) {
      int colour = random.nextInt(3);
      Instance row = row(header, random.nextDouble(), random.nextDouble(), colour, colour);
      row.setWeight(weight);
      classifier.trainOnInstance(row);
    }
    return classifier;
  }

  @Test
  void nominalAndMissingAttributesCount() {
    AbstractClassifier classifier = taught(400, 1);
    InstancesHeader header = header(false);
    for (int colour = 0; colour < 3; colour++) {
      Instance row = row(header, Double.NaN, 0.5, colour, 0);
      assertThat(Utils.maxIndex(classifier.getVotesForInstance(row))).isEqualTo(colour);
    }
    assertThat(classifier.getVotesForInstance(row(header, 0.5, 0.5, Double.NaN, 0))).hasSize(3);
  }

  @Test
  void aMissingNumberIsTheMeanSoFar() {
    InstancesHeader header = header(false);
    AttributeEncoder encoder = new AttributeEncoder(row(header, 0, 0, 0, 0));
    encoder.observe(row(header, 1, 10, 0, 0));
    encoder.observe(row(header, 3, Double.NaN, 0, 0));
    assertThat(encoder.encode(row(header, Double.NaN, Double.NaN, 2, 1)))
        .isEqualTo(Features.dense(2, 10, 0, 0, 1));
    assertThat(encoder.encode(row(header, 4, 5, Double.NaN, 1)))
        .isEqualTo(Features.dense(4, 5, 0, 0, 0));
  }

  @Test
  void sparseRowsAreTheSameAsDenseOnes() {
    List<Attribute> attributes = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "y")) {
      attributes.add(new Attribute(name));
    }
    InstancesHeader header = new InstancesHeader(new Instances("test", attributes, 0));
    header.setClassIndex(3);
    Instance sparse = new SparseInstance(1, new double[] {7, 1}, new int[] {1, 3}, 4);
    sparse.setDataset(header);
    Instance dense = new DenseInstance(1, new double[] {0, 7, 0, 1});
    dense.setDataset(header);
    AttributeEncoder encoder = new AttributeEncoder(dense);
    assertThat(encoder.encode(sparse)).isEqualTo(encoder.encode(dense));
  }

  @Test
  void weightsCountAndWeightlessRowsAreLeftOut() {
    Instance row = row(header(false), 0.5, 0.5, 1, 1);
    double[] light = taught(100, 1).getVotesForInstance(row);
    double[] heavy = taught(100, 3).getVotesForInstance(row);
    assertThat(heavy).isNotEqualTo(light);
    assertThat(taught(100, 0).getVotesForInstance(row)).isEmpty();
  }

  /** Every fourth class is known; the others are missing. */
  @Test
  void rowsWithoutAClassAreObserved() {
    AvmClassifier classifier = new AvmClassifier();
    AutoAvm ours = new AutoAvm(AutoOptions.of(Task.multiclass(0, 1, 2)));
    classifier.prepareForUse();
    InstancesHeader header = header(false);
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 300; i++) {
      double a = random.nextDouble();
      double b = random.nextDouble();
      int label = a < 0.5 ? 0 : b < 0.5 ? 1 : 2;
      classifier.trainOnInstance(row(header, a, b, 0, i % 4 == 0 ? label : Double.NaN));
      Features x = Features.dense(a, b, 1, 0, 0);
      if (i % 4 == 0) {
        ours.learn(x, label);
      } else {
        ours.observe(x);
      }
    }
    assertThat(classifier.learner().toBytes()).isEqualTo(ours.toBytes());
  }

  @Test
  void aCopyGoesOnAloneAndResetForgets() {
    AbstractClassifier classifier = taught(200, 1);
    InstancesHeader header = header(false);
    Instance row = row(header, 0.5, 0.5, 1, 0);
    double[] before = classifier.getVotesForInstance(row);
    Classifier copy = classifier.copy();
    assertThat(copy.getVotesForInstance(row)).isEqualTo(before);
    for (int i = 0; i < 50; i++) {
      copy.trainOnInstance(row);
    }
    assertThat(copy.getVotesForInstance(row)).isNotEqualTo(before);
    assertThat(classifier.getVotesForInstance(row)).isEqualTo(before);
    assertThat(classifier.measureByteSize()).isGreaterThan(1000);
    StringBuilder description = new StringBuilder();
    classifier.getModelDescription(description, 0);
    assertThat(description).contains("after 200 instances", "kernel: gaussian");
    classifier.resetLearning();
    assertThat(classifier.getVotesForInstance(row)).isEmpty();
    assertThat(classifier.measureByteSize()).isZero();
  }

  @Test
  void theJarHoldsItsLicence() {
    Path inside = Path.of("target", "classes", "META-INF");
    assertThat(inside.resolve("LICENSE")).content().contains("GNU GENERAL PUBLIC LICENSE");
    assertThat(inside.resolve("NOTICE")).isNotEmptyFile();
  }

  /** Names and options of the page are those that MOA finds; the saved model is one of ours. */
  @Test
  void theTasksOfThePageAreKnown(@TempDir Path folder) throws Exception {
    Path model = folder.resolve("avm.moa");
    SerializeUtils.writeToFile(model.toFile(), new AvmClassifier());
    String page = Files.readString(Path.of("..", "docs", "moa.md"));
    List<MatchResult> tasks =
        Pattern.compile("moa\\.DoTask \\\\\\s*\"([^\"]*)\"").matcher(page).results().toList();
    assertThat(tasks).hasSize(5);
    for (MatchResult task : tasks) {
      String known = task.group(1).replace("file:sea.moa", "file:" + model);
      MainTask parsed = (MainTask) ClassOption.cliStringToObject(known, MainTask.class, null);
      assertThat(parsed.getCLICreationString(MainTask.class)).contains("avm.");
    }
  }

  @Test
  void theListsOfTheGuiHaveThem() {
    for (Class<?> learner :
        List.of(AvmClassifier.class, AvmRegressor.class, AvmAnomalyDetector.class)) {
      assertThat(AutoClassDiscovery.findClassNames("moa")).contains(learner.getName());
      assertThat(
              AutoClassDiscovery.isPublicConcreteClassOfType(learner.getName(), Classifier.class))
          .isTrue();
      assertThat(AutoClassDiscovery.hasEmptyConstructor(learner)).isTrue();
    }
  }

  @Test
  void aTaskRunsFromTheCommandLineInASmallHeap(@TempDir Path folder) throws Exception {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "moa.DoTask",
                "EvaluatePrequential -i 20000 -f 10000 -s generators.RandomRBFGenerator"
                    + " -l (avm.AvmClassifier -u Sgd -s 100 -d 0.1)")
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    boolean ended = process.waitFor(120, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).isTrue();
    assertThat(Files.readString(out)).contains("20000.0,", "core points");
  }
}
