package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.data.Schema;
import org.avm4j.explain.Background;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader in another language, written from docs/reader/README.md, gives the library's scores. */
class ReaderInPythonTest {
  private static final Path SCRIPT = Path.of("..", "docs", "reader", "avm_reader.py");

  @TempDir Path folder;

  static List<AvmOptions> forms() {
    return List.of(
        AvmOptions.binary().kernel(Kernel.gaussian(2)).build(),
        AvmOptions.binary().kernel(Kernel.matern32(1)).update(Update.newton()).build(),
        AvmOptions.multiclass().kernel(Kernel.laplacian(1)).build(),
        AvmOptions.multiclass().kernel(Kernel.matern52(1)).update(Update.newton()).build(),
        AvmOptions.regression().kernel(Kernel.rationalQuadratic(1)).build(),
        AvmOptions.regression().update(Update.newton()).build());
  }

  private static Avm learned(AvmOptions options) {
    Avm avm = new Avm(options);
    for (Instance instance : Streams.of(options.task(), 200, 3, 1)) {
      avm.learn(instance.features(), instance.label());
    }
    return avm;
  }

  @ParameterizedTest
  @MethodSource("forms")
  void itReadsAModel(AvmOptions options) throws Exception {
    Path file = folder.resolve("model.avm");
    AvmModel model = learned(options).snapshot();
    model.save(file);
    agrees(file, model);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void itReadsALearner(AvmOptions options) throws Exception {
    Path file = folder.resolve("learner.avm");
    Avm learner = learned(options);
    learner.save(file);
    agrees(file, learner);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itReadsAModelBehindAPreparation(boolean isMixed) throws Exception {
    ScalerFit fit = new ScalerFit(Scaling.STANDARD);
    List<Instance> stream = Streams.regression(200, 3, 4);
    stream.forEach(instance -> fit.observe(instance.features()));
    double[][] map = {{1, 0.5, 0}, {-0.3, 0.8, 0.1}, {0, 0, 0.5}};
    Scaler scaler = fit.scaler().weighted(isMixed ? Metric.of(map) : Metric.NONE);
    Pipeline pipeline =
        new Pipeline(
            new Preparation(new Schema(), scaler, new Labels.Standard(2, 3))
                .withBackground(Background.UNKNOWN.withUsual(Features.dense(1, 2, 3))),
            new Avm(AvmOptions.regression().update(Update.newton()).build()));
    stream.forEach(instance -> pipeline.learn(instance.features(), instance.label()));
    Path file = folder.resolve("prepared.avm");
    pipeline.snapshot().save(file);
    agrees(file, pipeline);
  }

  private void agrees(Path file, Predictor ours) throws Exception {
    List<Features> rows = Streams.regression(20, 3, 9).stream().map(Instance::features).toList();
    List<String> lines = python(file, rows.stream().map(ReaderInPythonTest::csv).toList());
    assertThat(lines).hasSameSizeAs(rows);
    for (int i = 0; i < rows.size(); i++) {
      double[] its =
          Arrays.stream(lines.get(i).split(",")).mapToDouble(Double::parseDouble).toArray();
      double[] scores = ours.score(rows.get(i));
      double largest = Arrays.stream(scores).map(Math::abs).max().orElse(0);
      assertThat(its).containsExactly(scores, within(1e-6 * Math.max(scale(ours), largest)));
    }
  }

  /** Scores are sums of float kernel values: their error grows with the coefficients. */
  private static double scale(Predictor predictor) {
    return predictor instanceof AvmModel model
        ? IntStream.range(0, model.size()).mapToDouble(j -> Math.abs(model.coefficient(0, j))).sum()
        : predictor instanceof OnlineLearner learner
            ? learner
                .snapshot()
                .inspect(AvmModel.class)
                .map(ReaderInPythonTest::scale)
                .orElseThrow()
            : 1;
  }

  private static String csv(Features row) {
    return IntStream.range(0, 3)
        .mapToObj(i -> Double.toString(row.get(i)))
        .collect(Collectors.joining(","));
  }

  private static List<String> python(Path file, List<String> rows)
      throws IOException, InterruptedException {
    assumeThat(SCRIPT).as("the script of the repository").exists();
    assumeThat(hasPython()).as("python3 is installed").isTrue();
    Path input = file.resolveSibling("rows.csv");
    Files.write(input, rows);
    Process process =
        new ProcessBuilder("python3", SCRIPT.toString(), file.toString())
            .redirectInput(input.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  private static boolean hasPython() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException notThere) {
      return false;
    }
  }
}
