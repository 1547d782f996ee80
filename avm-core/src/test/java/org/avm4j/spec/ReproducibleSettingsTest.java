package org.avm4j.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.avm4j.Approximation;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.ClassWeights;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Forgetting;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Loss;
import org.avm4j.OnlineLearner;
import org.avm4j.Output;
import org.avm4j.Update;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;
import org.avm4j.auto.AutoAvm;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a learner says of itself makes the same learner again. */
class ReproducibleSettingsTest {
  static List<AvmOptions> options() {
    List<AvmOptions> all = new ArrayList<>();
    for (AvmOptions.Builder start :
        List.of(AvmOptions.binary(), AvmOptions.multiclass(), AvmOptions.regression())) {
      AvmOptions options = start.build();
      all.add(options);
      for (Consumer<AvmOptions.Builder> change : changes()) {
        AvmOptions.Builder builder = options.change();
        try {
          change.accept(builder);
          all.add(builder.build());
        } catch (IllegalArgumentException impossible) {
          // A choice that the task does not have.
        }
      }
    }
    return all;
  }

  private static List<Consumer<AvmOptions.Builder>> changes() {
    return List.of(
        b -> b.loss(Loss.hinge()),
        b -> b.loss(Loss.smoothHinge(0.3)),
        b -> b.loss(Loss.logistic()),
        b -> b.loss(Loss.absolute()),
        b -> b.loss(Loss.squared()),
        b -> b.loss(Loss.epsilonInsensitive(0.01)),
        b -> b.kernel(Kernel.gaussian(0.123456789012345)),
        b -> b.kernel(Kernel.laplacian(2)),
        b -> b.kernel(Kernel.rationalQuadratic(3)),
        b -> b.kernel(Kernel.matern32(4)),
        b -> b.kernel(Kernel.matern52(5)),
        b -> b.coverage(Coverage.sphere(1e-9)),
        b -> b.coverage(Coverage.rectangle(0.7)),
        b -> b.approximation(Approximation.never()),
        b -> b.approximation(Approximation.whenConfident()),
        b -> b.approximation(Approximation.decaying(3, 0.5)),
        b -> b.output(Output.average()),
        b -> b.output(Output.suffix(0.25)),
        b -> b.update(Update.newton()),
        b -> b.update(Update.newton(7)),
        b -> b.update(Update.newton(7, 12)),
        b -> b.update(Update.newton()).approximation(Approximation.never()),
        b -> b.regularization(3e-7),
        b -> b.maxSize(300, Limit.APPROXIMATE),
        b -> b.maxSize(300, Limit.DROP),
        b -> b.maxSize(300, Limit.MERGE),
        b -> b.yMax(12.5),
        b -> b.forgetting(Forgetting.horizon(500)),
        b -> b.forgetting(Forgetting.auto()),
        b -> b.update(Update.newton()).forgetting(Forgetting.auto()),
        b -> b.classWeights(ClassWeights.balanced()),
        b -> b.classWeights(ClassWeights.of(Map.of(-1.0, 2.0, 1.0, 0.5))),
        b -> b.seed(-99));
  }

  @ParameterizedTest
  @MethodSource("options")
  void ofAMachine(AvmOptions options) {
    Avm avm = new Avm(options);
    LearnerSpec spec = LearnerSpec.of(avm.status().settings());
    OnlineLearner again = new DefaultRules(spec).learner();
    assertThat(again.status()).isEqualTo(avm.status());
    assertThat(new DefaultRules(spec).avmOptions()).isEqualTo(options);
    assertThat(LearnerSpec.of(spec.words())).isEqualTo(spec);
  }

  @Test
  void ofADetector() {
    for (AnomalyOptions options :
        List.of(AnomalyOptions.DEFAULT, new AnomalyOptions(0.3, 0.07, 41, 0.5))) {
      AnomalyDetector detector = new AnomalyDetector(options);
      LearnerSpec spec = LearnerSpec.of(detector.status().settings());
      assertThat(new DefaultRules(spec).learner().status()).isEqualTo(detector.status());
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void ofATree(AvmOptions options) {
    if (!options.update().isSecondOrder() || options.forgetting().forgets()) {
      return;
    }
    AvmOptions machine = options.change().maxSize(100, Limit.MERGE).build();
    AvmTree tree = new AvmTree(new TreeOptions(machine, 20, 3, 5000));
    LearnerSpec spec = LearnerSpec.of(tree.status().settings());
    assertThat(new DefaultRules(spec).learner().status()).isEqualTo(tree.status());
  }

  @Test
  void ofWhatAutomaticModeChose() {
    AutoAvm auto = new AutoAvm();
    for (Instance row : DefaultRulesTest.rows(300)) {
      auto.learn(row.features(), row.label());
    }
    LearnerSpec spec = LearnerSpec.of(auto.status().settings());
    assertThat(spec.family().isAutomatic(spec)).isFalse();
    assertThat(new DefaultRules(spec).learner().status().settings())
        .isEqualTo(auto.status().settings());
  }

  /** Weights are given by the labels of the data, not by those that are learned. */
  @Test
  void ofAPipelineWithClassWeights() {
    Schema schema = new Schema();
    double no = schema.textLabel("no");
    double yes = schema.textLabel("yes");
    LearnerSpec spec =
        LearnerSpec.of(Map.of("gamma", 1, "delta", 0.5, "class-weight", "no=3,yes=0.5"));
    Survey survey = new Survey(spec.scaling());
    survey.add(Features.dense(1), no);
    survey.add(Features.dense(2), yes);
    Pipeline pipeline = new DefaultRules(spec, survey, schema, 2).pipeline();
    assertThat(pipeline.status().settings())
        .containsEntry("class-weight", Map.of("no", 3.0, "yes", 0.5));
    LearnerSpec again = LearnerSpec.of(pipeline.status().settings());
    assertThat(new DefaultRules(again, survey, schema, 2).pipeline().status())
        .isEqualTo(pipeline.status());
    assertThat(pipeline.snapshot().status().settings()).isEqualTo(pipeline.status().settings());
  }
}
