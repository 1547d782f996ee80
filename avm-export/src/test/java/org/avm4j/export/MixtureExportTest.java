package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of automatic mode hold mixtures of experts; the learner that leads is exported. */
class MixtureExportTest {
  private static final List<Instance> ROWS = Streams.signs(3200, 21);

  @TempDir static Path folder;

  private static Model mixture;
  private static List<Features> asked;

  @BeforeAll
  static void learn() throws Exception {
    Pipeline learner = new DefaultRules(LearnerSpec.of(Map.of())).pipeline();
    Streams.learned(learner, ROWS.subList(0, 3000)).save(folder.resolve("m.avm"));
    mixture = Model.load(folder.resolve("m.avm"));
    asked = ROWS.subList(3000, 3200).stream().map(Instance::features).toList();
    Model lead = mixture.detached();
    assertThat(asked).anyMatch(x -> Math.abs(mixture.score(x)[0] - lead.score(x)[0]) > 0.1);
  }

  @Test
  void onnxHasTheScoresOfTheDetachedModel() throws Exception {
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(mixture))) {
      double[][] scores = (double[][]) runtime.run(asked).get("scores");
      for (int r = 0; r < scores.length; r++) {
        double ours = mixture.detached().score(asked.get(r))[0];
        assertThat(scores[r][0]).isCloseTo(ours, within(1e-4));
      }
    }
  }

  @Test
  void jsonIsThatOfTheDetachedModel() throws Exception {
    ByteArrayOutputStream found = new ByteArrayOutputStream();
    JsonExport.write(mixture, found);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    JsonExport.write(mixture.detached(), expected);
    assertThat(found.toByteArray()).isEqualTo(expected.toByteArray());
  }
}
