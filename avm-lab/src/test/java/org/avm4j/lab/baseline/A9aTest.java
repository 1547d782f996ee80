package org.avm4j.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.OnlineLearner;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * a9a in file order, each instance answered before it is learned, against the figures that the C++
 * toolbox KOL prints, and LIBSVM against the tools that Debian ships. Rows are read from the folder
 * that the environment variable AVM_DATA names.
 */
@Tag("slow")
class A9aTest {
  private static final Task BINARY = Task.binary();
  private static List<Instance> train;
  private static List<Instance> test;

  private record Outcome(double accuracy, OnlineLearner learner) {}

  @BeforeAll
  static void read() throws IOException {
    String folder = System.getenv("AVM_DATA");
    assumeTrue(folder != null, "AVM_DATA must name the folder that holds a9a.libsvm.gz");
    train = read(Path.of(folder, "a9a.libsvm.gz"));
    test = read(Path.of(folder, "a9a.t.libsvm.gz"));
  }

  private static List<Instance> read(Path file) throws IOException {
    assumeTrue(Files.exists(file), file + " is missing");
    List<Instance> rows = new ArrayList<>();
    try (LibsvmReader reader = LibsvmReader.open(file)) {
      while (reader.next()) {
        rows.add(new Instance(reader.features().copy(), reader.label()));
      }
    }
    return rows;
  }

  private static BaselineOptions.Builder options(Method method) {
    return BaselineOptions.of(method, BINARY).gamma(0.01).budget(300);
  }

  private static Outcome online(BaselineOptions options) {
    OnlineLearner learner = Baselines.create(options);
    int right = 0;
    for (Instance instance : train) {
      right += learner.predict(instance.features()) == instance.label() ? 1 : 0;
      learner.learn(instance.features(), instance.label());
    }
    return new Outcome(100.0 * right / train.size(), learner);
  }

  private static double accuracy(Predictor model, List<Instance> data) {
    long right = data.stream().filter(i -> model.predict(i.features()) == i.label()).count();
    return 100.0 * right / data.size();
  }

  @Test
  void thePerceptronIsKols() {
    Outcome outcome = online(options(Method.PERCEPTRON).build());
    assertThat(outcome.accuracy).isCloseTo(78.852, within(0.01));
    assertThat(outcome.learner.size()).isEqualTo(6887);
    assertThat(accuracy(outcome.learner.snapshot(), test)).isCloseTo(70.739, within(0.1));
  }

  @Test
  void gradientDescentIsKols() {
    Outcome outcome = online(options(Method.OGD).eta(0.1).build());
    assertThat(outcome.accuracy).isCloseTo(82.777, within(0.01));
    assertThat(outcome.learner.size()).isEqualTo(13_373);
  }

  @Test
  void bpasIsKols() {
    Outcome outcome = online(options(Method.BPAS).build());
    assertThat(outcome.accuracy).isCloseTo(80.111, within(0.01));
    assertThat(accuracy(outcome.learner, test)).isCloseTo(83.398, within(0.01));
  }

  @Test
  void bogdIsKols() {
    Outcome outcome = online(options(Method.BOGD).eta(0.1).lambda(0.1).toolbox(true).build());
    assertThat(outcome.accuracy).isCloseTo(75.919, within(0.01));
    assertThat(accuracy(outcome.learner, test)).isCloseTo(76.377, within(0.01));
  }

  @Test
  void nogdIsKols() {
    BaselineOptions.Builder options = options(Method.NOGD).eta(0.1).linearEta(0.3).rank(30);
    assertThat(online(options.toolbox(true).build()).accuracy).isCloseTo(82.860, within(0.01));
  }

  @Test
  void nogdThatKeepsItsModelIsNoWorse() {
    BaselineOptions.Builder options = options(Method.NOGD).eta(0.1).linearEta(0.3).rank(30);
    assertThat(online(options.build()).accuracy).isCloseTo(82.927, within(0.05));
  }

  /** With the same step, 400 frequencies do what the 13,373 vectors do. */
  @Test
  void fogdIsNearGradientDescent() {
    Outcome outcome = online(options(Method.FOGD).eta(0.1).build());
    assertThat(outcome.accuracy).isCloseTo(82.777, within(0.3));
  }

  @Test
  void randomRemovalIsAboutKols() {
    assertThat(online(options(Method.RBP).build()).accuracy).isCloseTo(74.79, within(0.5));
  }

  /**
   * The rule amplifies the last digits of the kernel: KOL's 74.731 % in single precision becomes
   * 74.93 % in doubles, and ours lies within the same half point.
   */
  @Test
  void theForgetronIsKolsButForRounding() {
    assertThat(reference(KolReference.Arithmetic.SINGLE_FUSED).forgetron())
        .isCloseTo(74.731, within(0.01));
    double ours = online(options(Method.FORGETRON).toolbox(true).build()).accuracy;
    assertThat(reference(KolReference.Arithmetic.DOUBLE).forgetron()).isCloseTo(ours, within(0.5));
    assertThat(ours).isCloseTo(74.731, within(0.3));
  }

  @Test
  void theProjectronIsKolsButForRounding() {
    assertThat(reference(KolReference.Arithmetic.SINGLE_FUSED).projectron(false))
        .isCloseTo(78.809, within(0.01));
    assertThat(online(options(Method.PROJECTRON).toolbox(true).build()).accuracy)
        .isCloseTo(78.809, within(0.3));
  }

  /** KOL's K⁻¹ has broken down here; with a sound one the same rule makes fewer mistakes. */
  @Test
  void projectronPlusPlusIsKolsButForRounding() {
    assertThat(reference(KolReference.Arithmetic.SINGLE_FUSED).projectron(true))
        .isCloseTo(79.383, within(0.01));
    assertThat(online(options(Method.PROJECTRON_PLUS_PLUS).toolbox(true).build()).accuracy)
        .isCloseTo(81.229, within(0.1));
  }

  private static KolReference reference(KolReference.Arithmetic arithmetic) {
    return new KolReference(train, 0.01, 300, arithmetic);
  }

  /** svm-train -c 1 -g 0.01 of libsvm-tools on the first 4,000 rows of both files. */
  @Test
  void libsvmIsTheCommandLineTools() {
    Predictor model =
        Baselines.create(BatchOptions.libsvm(BINARY, 0.01)).train(train.subList(0, 4000));
    assertThat(accuracy(model, test.subList(0, 4000))).isCloseTo(83.925, within(0.05));
  }

  /** BudgetedSVM's LLSVM with as many centres answers 84.78 % right. */
  @Test
  void llsvmIsAboutBudgetedSvms() {
    Predictor model =
        Baselines.create(BatchOptions.llsvm(BINARY, 0.005, 100).withCost(10)).train(train);
    assertThat(accuracy(model, test)).isCloseTo(84.78, within(0.5));
  }
}
