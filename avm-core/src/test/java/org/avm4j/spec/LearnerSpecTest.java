package org.avm4j.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LearnerSpecTest {
  @Test
  void nothingGivenIsAutomaticMode() {
    LearnerSpec spec = LearnerSpec.automatic();
    assertThat(spec.words()).isEmpty();
    assertThat(spec.family().name()).isEqualTo("avm");
    assertThat(spec.family().isAutomatic(spec)).isTrue();
    assertThat(spec.task()).isEmpty();
    assertThat(spec.seed()).isEqualTo(1);
    assertThat(spec.scaling()).isEqualTo(Scaling.NONE);
  }

  @Test
  void wordsStandInTheOrderOfTheOptions() {
    Map<String, Object> given = new LinkedHashMap<>();
    given.put("max-size", 100);
    given.put("gamma", 0.5);
    given.put("seed", 7L);
    given.put("task", "BINARY");
    given.put("when-confident", true);
    given.put("kernel", null);
    assertThat(LearnerSpec.of(given))
        .hasToString("task=binary seed=7 gamma=0.5 when-confident=true max-size=100")
        .isEqualTo(LearnerSpec.of(new HashMap<>(given)))
        .hasSameHashCodeAs(LearnerSpec.of(given));
  }

  @Test
  void valuesAreWhatTheySay() {
    LearnerSpec spec =
        LearnerSpec.of(
            Map.of("gamma", "0.25", "max-size", 30.0, "when-confident", "true", "scale", "unit"));
    assertThat(spec.number("gamma", 1)).isEqualTo(0.25);
    assertThat(spec.size("max-size", 1)).isEqualTo(30);
    assertThat(spec.flag("when-confident")).isTrue();
    assertThat(spec.scaling()).isEqualTo(Scaling.UNIT);
    assertThat(spec.number("delta", 3)).isEqualTo(3);
    assertThat(spec.text("loss", "none")).isEqualTo("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gama | 1 | there is no option gama",
        "gamma | x | gamma must be a number: 'x'",
        "max-size | 1.5 | max-size must be a whole number: '1.5'",
        "max-size | 3000000000000000000000 | max-size must be a whole number:"
            + " '3000000000000000000000'",
        "when-confident | yes | when-confident must be one of true, false: 'yes'",
        "update | adam | update must be one of sgd, newton: 'adam'",
        "forget | often | forget must be none, auto or a number of instances: 'often'",
        "class-weight | rose | class-weight must be balanced, or CLASS=X for different classes:"
            + " 'rose'",
        "class-weight | rose=x | a class weight must be > 0: 'rose=x'",
        "support | 0.1 | support is not an option of avm",
        "learner | nonsense | a learner must be one of avm, tree, anomaly, cluster: nonsense",
      })
  void nonsenseIsRefusedInASentence(String option, String value, String sentence) {
    assertThatThrownBy(() -> LearnerSpec.of(Map.of(option, value)))
        .isInstanceOf(SpecException.class)
        .hasMessage(sentence);
  }

  @Test
  void aFrontEndSpellsOptionsInItsOwnWay() {
    SpecException wrong =
        catchThrowableOfType(
            SpecException.class, () -> LearnerSpec.of(Map.of("task", "anomaly", "gamma", 2)));
    assertThat(wrong.sentence(name -> "<" + name + ">"))
        .startsWith("<task> anomaly has no <learner>, <loss>, <gamma>, ");
    assertThatThrownBy(() -> LearnerSpec.of(Map.of("task", "anomaly", "kernel", "laplacian")))
        .hasMessage("task anomaly has no kernel");
  }

  @Test
  void theTaskOrTheNameAsksForAnomalies() {
    for (Map<String, String> words :
        List.of(
            Map.of("task", "anomaly"),
            Map.of("learner", "anomaly"),
            Map.of("learner", "avm", "task", "anomaly"))) {
      LearnerSpec spec = LearnerSpec.of(words);
      assertThat(spec.family().name()).isEqualTo("anomaly");
      assertThat(spec.isUnsupervised()).isTrue();
    }
    assertThat(LearnerSpec.automatic().isUnsupervised()).isFalse();
  }

  @Test
  void withChangesOneOption() {
    LearnerSpec spec = LearnerSpec.of(Map.of("gamma", 1, "c", 10));
    assertThat(spec.with("gamma", 2)).hasToString("gamma=2.0 c=10.0");
    assertThat(spec.with("gamma", null)).hasToString("c=10.0");
    assertThat(spec.with("lambda", 0.1)).hasToString("gamma=1.0 lambda=0.1");
    assertThat(spec.with(Map.of("lambda", 0.1, "gamma", 3))).hasToString("gamma=3.0 lambda=0.1");
    assertThat(spec).hasToString("gamma=1.0 c=10.0");
    assertThatThrownBy(() -> spec.words().put("gamma", "3"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void whatIsAnOptionIsKnownForAllLearners() {
    assertThat(LearnerSpec.isOption("seed")).isTrue();
    assertThat(LearnerSpec.isOption("anomaly-rate")).isTrue();
    assertThat(LearnerSpec.isOption("rows")).isFalse();
  }

  @Test
  void aSizeMustFit() {
    LearnerSpec spec = LearnerSpec.of(Map.of("max-size", 1L << 40));
    assertThatThrownBy(() -> spec.size("max-size", 0))
        .hasMessage("max-size must be below 2^31: 1099511627776");
  }
}
