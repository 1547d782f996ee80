package org.avm4j.conformal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmReader;
import org.avm4j.data.Schema;
import org.avm4j.eval.CoverageFigures;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Prequential;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.Survey;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promises hold on data that nobody made up, with one machine of 30 vectors. */
class CertaintyOnRealDataTest {
  private static final int ROWS = 5000;

  private static List<Instance> rows(String name, boolean isShuffled) throws IOException {
    String folder = System.getenv("AVM_DATA");
    Assumptions.assumeTrue(folder != null, "AVM_DATA does not name a folder with public data sets");
    List<Instance> rows = new ArrayList<>();
    try (LibsvmReader in = LibsvmReader.open(Path.of(folder, name + ".libsvm.gz"))) {
      while (in.next() && rows.size() < 2 * ROWS) {
        rows.add(new Instance(in.features().copy(), in.label()));
      }
    }
    if (isShuffled) {
      Collections.shuffle(rows, new Random(4));
    }
    return rows.subList(0, ROWS);
  }

  @ParameterizedTest
  @CsvSource({
    "cal_housing, 90, true",
    "metrotraffic, 90, false",
    "elec, 90, false",
    "elec, 95, true"
  })
  void coverageIsAsPromised(String name, double percent, boolean isShuffled) throws IOException {
    List<Instance> rows = rows(name, isShuffled);
    LearnerSpec spec =
        LearnerSpec.of(
            Map.of("learner", "avm", "update", "newton", "max-size", 30, "interval", percent));
    Survey survey = new Survey(spec.scaling());
    rows.forEach(row -> survey.add(row.features(), row.label()));
    Pipeline pipeline = new DefaultRules(spec, survey, new Schema(), ROWS).pipeline();
    Prequential run = new Prequential(pipeline, Metrics.of(pipeline, false));
    rows.forEach(row -> run.step(row.features(), row.label()));
    CoverageFigures found = run.coverage().orElseThrow();
    assertThat(found.coverage()).isCloseTo(percent / 100, within(0.005));
    assertThat(found.worstWindow()).isCloseTo(percent / 100, within(0.03));
  }
}
