package org.avm4j.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The options and the files of the baselines. */
class BaselinesTest {
  private static final Task BINARY = Task.binary();
  private static final Task REGRESSION = Task.regression();

  private static OnlineLearner learned(BaselineOptions options, int n) {
    OnlineLearner learner = Baselines.create(options);
    for (Instance instance : Streams.of(options.task(), n, 3, 1)) {
      learner.learn(instance.features(), instance.label());
    }
    return learner;
  }

  /** Each option that the documentation names for a method changes what it learns. */
  static Stream<Arguments> optionsThatMatter() {
    return Stream.of(
        matters(Method.PERCEPTRON, BINARY, o -> o.gamma(3)),
        matters(Method.OGD, BINARY, o -> o.eta(0.4)),
        matters(Method.RBP, BINARY, o -> o.budget(20)),
        matters(Method.RBP, BINARY, o -> o.seed(2)),
        matters(Method.RBP, REGRESSION, o -> o.epsilon(0.2)),
        matters(Method.RBP, REGRESSION, o -> o.eta(0.2)),
        matters(Method.FORGETRON, BINARY, o -> o.budget(20)),
        matters(Method.PROJECTRON, BINARY, o -> o.threshold(0.5)),
        matters(Method.PROJECTRON, BINARY, o -> o.toolbox(true)),
        matters(Method.PROJECTRON_PLUS_PLUS, BINARY, o -> o.threshold(0.5)),
        matters(Method.PROJECTRON_PLUS_PLUS, BINARY, o -> o.toolbox(true)),
        matters(Method.BPAS, BINARY, o -> o.aggressiveness(0.2)),
        matters(Method.BOGD, BINARY, o -> o.lambda(0.1)),
        matters(Method.BOGD, BINARY, o -> o.clip(1.5)),
        matters(Method.BOGD, BINARY, o -> o.toolbox(true)),
        matters(Method.FOGD, BINARY, o -> o.features(50)),
        matters(Method.FOGD, BINARY, o -> o.toolbox(true)),
        matters(Method.FOGD, BINARY, o -> o.seed(2)),
        matters(Method.NOGD, BINARY, o -> o.rank(3)),
        matters(Method.NOGD, BINARY, o -> o.linearEta(0.7)),
        matters(Method.NOGD, BINARY, o -> o.toolbox(true)),
        matters(Method.NOGD, REGRESSION, o -> o.epsilon(0.3)),
        matters(Method.BSGD_M, BINARY, o -> o.lambda(0.1)),
        matters(Method.BSGD_M, BINARY, o -> o.budget(20)),
        matters(Method.BSGD_R, BINARY, o -> o.budget(20)));
  }

  private static Arguments matters(
      Method method, Task task, UnaryOperator<BaselineOptions.Builder> change) {
    BaselineOptions plain = BaselineOptions.of(method, task).budget(30).build();
    return Arguments.of(plain, change.apply(Changes.of(plain)).build());
  }

  @ParameterizedTest
  @MethodSource("optionsThatMatter")
  void anOptionThatIsNamedMatters(BaselineOptions plain, BaselineOptions changed) {
    Features x = Features.dense(0.3, -0.4, 0.1);
    assertThat(learned(changed, 500).score(x)).isNotEqualTo(learned(plain, 500).score(x));
  }

  @Test
  void mergingAndRemovalDiffer() {
    Features x = Features.dense(0.3, -0.4, 0.1);
    double merged =
        learned(BaselineOptions.of(Method.BSGD_M, BINARY).budget(20).build(), 500).score(x)[0];
    double removed =
        learned(BaselineOptions.of(Method.BSGD_R, BINARY).budget(20).build(), 500).score(x)[0];
    assertThat(merged).isNotEqualTo(removed);
  }

  @Test
  void nonsenseIsRefusedInASentence() {
    refused(() -> Method.named("svm"), "a learner must be one of perceptron, ogd");
    refused(
        () -> BaselineOptions.of(Method.BPAS, Task.multiclass()).build(),
        "bpas is defined for binary, not for multiclass");
    refused(
        () -> BaselineOptions.of(Method.BSGD_M, REGRESSION).build(),
        "bsgd-m is defined for binary and multiclass, not for regression");
    refused(
        () -> BaselineOptions.of(Method.RBP, BINARY).gamma(0).build(),
        "gamma must be > 0 and finite: 0.0");
    refused(
        () -> BaselineOptions.of(Method.RBP, BINARY).budget(1).build(),
        "budget must be from 2 to 1048576: 1");
    refused(
        () -> BaselineOptions.of(Method.NOGD, BINARY).budget(50).rank(51).build(),
        "rank must be from 1 to 50: 51");
    refused(
        () -> BaselineOptions.of(Method.BOGD, BINARY).eta(4).lambda(0.25).build(),
        "eta * lambda must be < 1: 1.0");
    refused(
        () -> BatchOptions.libsvm(REGRESSION, 1),
        "a batch learner is for binary and multiclass: regression");
  }

  private static void refused(Runnable making, String sentence) {
    assertThatThrownBy(making::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void namesAreThoseOfThePaper() {
    assertThat(Method.values())
        .extracting(Method::id)
        .containsExactly(
            "perceptron",
            "ogd",
            "rbp",
            "forgetron",
            "projectron",
            "projectron++",
            "bpas",
            "bogd",
            "fogd",
            "nogd",
            "bsgd-m",
            "bsgd-r");
    assertThat(Method.NOGD.supports(REGRESSION)).isTrue();
    assertThat(Method.OGD.supports(REGRESSION)).isFalse();
  }

  @Test
  void aFileOfAnotherLearnerIsRefused(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("a.avm");
    Encoder out = new Encoder();
    learned(BaselineOptions.of(Method.OGD, BINARY).build(), 10).encode(out);
    Files.write(file, ModelFile.frame(Method.RBP.kind(), out.toBytes()));
    assertThatThrownBy(() -> OnlineLearner.load(file))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("expected rbp: ogd");
  }

  /** Bytes are flipped inside a sound frame, so that the content itself is what defends. */
  @ParameterizedTest
  @EnumSource(Method.class)
  void damagedContentIsRefusedOrHarmless(Method method) {
    Encoder out = new Encoder();
    BaselineOptions options =
        BaselineOptions.of(method, BINARY).budget(10).rank(3).features(5).build();
    learned(options, 60).encode(out);
    SplitMix random = new SplitMix(method.ordinal());
    for (int run = 0; run < 300; run++) {
      byte[] bytes = out.toBytes();
      for (int i = 0; i <= random.nextInt(3); i++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      byte[] file = ModelFile.frame(method.kind(), bytes);
      Throwable thrown =
          catchThrowable(() -> OnlineLearner.fromBytes(file).score(Features.dense(1, 2)));
      if (thrown != null) {
        assertThat(thrown).isInstanceOf(ModelFileException.class);
      }
    }
  }
}
