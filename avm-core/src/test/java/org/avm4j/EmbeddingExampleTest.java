package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.table.TabularLearner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of a machine with its options by hand, so that it keeps working. */
class EmbeddingExampleTest {
  @TempDir Path folder;

  @Test
  void theExampleRuns() throws IOException {
    AvmOptions options =
        AvmOptions.binary()
            .kernel(Kernel.gaussian(20))
            .coverage(Coverage.sphere(0.25))
            .regularization(1e-4)
            .build();
    Avm avm = new Avm(options);
    double answer = avm.predict(Features.dense(0.3, -0.7));
    avm.learn(Features.dense(0.3, -0.7), +1);
    AvmModel model = avm.snapshot();
    avm.save(folder.resolve("learner.avm"));
    assertThat(answer).isEqualTo(1);
    assertThat(model.size()).isEqualTo(1);
    assertThat(Avm.load(folder.resolve("learner.avm")).instances()).isEqualTo(1);
  }

  @Test
  void theExampleOfFewLabelsRuns() throws IOException {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("age", 42);
    row.put("city", "Oslo");
    TabularLearner scarce = TabularLearner.of(Map.of("ask", 5, "drift", true));
    scarce.onDrift(notice -> System.out.println(notice.since() + " " + notice.moved()));
    Prediction first = scarce.answer(row);
    if (first.isWorthAsking()) {
      scarce.learn(row, "yes"); // the label that somebody gives
    } else {
      scarce.observe(row);
    }
    assertThat(scarce.status().instances()).isEqualTo(1);
    String page = Files.readString(Path.of("..", "docs", "embedding.md"));
    assertThat(page)
        .contains(
            "TabularLearner scarce = TabularLearner.of(Map.of(\"ask\", 5, \"drift\", true));",
            "scarce.onDrift(notice -> System.out.println(notice.since() + \" \" + notice.moved()));",
            "if (first.isWorthAsking()) {",
            "scarce.observe(row);");
  }

  @Test
  void theExampleIsTheOneOfThePage() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "embedding.md"));
    assertThat(page)
        .contains("AvmOptions.binary()", ".kernel(Kernel.gaussian(20))", "new Avm(options)")
        .contains("avm.learn(Features.dense(0.3, -0.7), +1)", "avm.snapshot()", "avm.save(");
  }
}
