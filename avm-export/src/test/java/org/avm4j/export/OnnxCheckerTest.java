package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Model;
import org.avm4j.Update;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.cluster.ClusterOptions;
import org.avm4j.data.Instance;
import org.avm4j.models.OneClassModel;
import org.avm4j.models.VotingModel;
import org.avm4j.pipeline.Calibrator;
import org.avm4j.pipeline.ClassPrior;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * ONNX's own checker and its inference of shapes accept every form. They are a library of Python:
 * the environment variable {@code AVM_PYTHON} names a Python that has it, else {@code python3} is
 * asked, and without it the test is skipped.
 */
class OnnxCheckerTest {
  private static final String CHECK =
      """
      import onnx, sys
      for name in sys.argv[1:]:
          model = onnx.load(name)
          onnx.checker.check_model(model, full_check=True)
          inferred = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
          for output in inferred.graph.output:
              dims = [d.dim_param or d.dim_value for d in output.type.tensor_type.shape.dim]
              assert dims[0] == "N" and len(dims) <= 2, (name, output.name, dims)
      """;

  @TempDir Path folder;

  private static PreparedModel bare(Model model) {
    return new PreparedModel(Preparation.none(), model);
  }

  private static Map<String, PreparedModel> models() {
    Map<String, PreparedModel> models = new LinkedHashMap<>();
    for (Kernel kernel :
        List.of(
            Kernel.gaussian(2),
            Kernel.laplacian(2),
            Kernel.rationalQuadratic(2),
            Kernel.matern32(2),
            Kernel.matern52(2))) {
      AvmOptions options =
          AvmOptions.multiclass()
              .kernel(kernel)
              .coverage(Coverage.sphere(0.4))
              .update(Update.newton(0.1, 3))
              .build();
      Avm learner = Streams.learned(new Avm(options), Streams.spirals(200, 3, 1));
      models.put(kernel.word(), bare(learner.snapshot()));
    }
    models.put("tree", Streams.automatic());
    models.put("mean", Streams.mean(Streams.spirals(2100, 3, 8)));
    models.put("regression", Streams.mean(Streams.waves(600, 9)));
    Avm machine = new Avm(AvmOptions.multiclass().update(Update.newton()).build());
    models.put("boosted", Streams.besideTrees(Streams.spirals(300, 3, 8), machine));
    AnomalyDetector detector = new AnomalyDetector(AnomalyOptions.DEFAULT.withMaxSize(40));
    Streams.waves(300, 1).forEach(row -> detector.learn(row.features()));
    models.put("anomaly", bare(detector.snapshot()));
    ClusterLearner clusters = new ClusterLearner(ClusterOptions.DEFAULT);
    Streams.waves(300, 1).forEach(row -> clusters.learn(row.features()));
    models.put("clusters", bare(clusters.settled()));
    models.put("table", table());
    models.put("intervals", certain("regression", Streams.waves(300, 4)));
    models.put("sets", certain("multiclass", Streams.spirals(300, 3, 4)));
    models.put("sets of two classes", certain("binary", Streams.signs(300, 4)));
    Avm avm = new Avm(AvmOptions.binary().update(Update.newton()).build());
    Pipeline calibrated =
        new Pipeline(Preparation.none(), avm, new Calibrator(), ClassPrior.none());
    models.put("two probabilities", Streams.learned(calibrated, Streams.signs(300, 4)).snapshot());
    List<Features> three =
        List.of(Features.dense(1, 0), Features.dense(0, 1), Features.dense(1, 1));
    Kernel kernel = Kernel.gaussian(1);
    models.put("one-class", bare(OneClassModel.of(kernel, three, new double[] {-1, -1, -1}, 2)));
    double[][] coefficients = {{1, -1, -1}, {1, 1, -1}};
    models.put(
        "votes",
        bare(
            VotingModel.of(
                kernel,
                new double[] {3, 1, 2},
                new int[] {1, 1, 1},
                three,
                coefficients,
                new double[] {0.1, 0.2, 0.3})));
    return models;
  }

  /** A machine whose answers say how sure they are. */
  private static PreparedModel certain(String task, List<Instance> rows) {
    Map<String, Object> words =
        Map.of("task", task, "gamma", 2, "delta", 0.1, "max-size", 40, "interval", 90);
    Pipeline learner = new DefaultRules(LearnerSpec.of(words)).pipeline();
    return Streams.learned(learner, rows).snapshot();
  }

  private static PreparedModel table() {
    Avm avm = new Avm(AvmOptions.multiclass().update(Update.newton()).build());
    Pipeline learner = new Pipeline(Preparation.none(), avm, new Calibrator(), ClassPrior.none());
    for (int i = 0; i < 60; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("age", i);
      row.put("colour", List.of("red", "blue", "green").get(i % 3));
      learner.learn(row, List.of("no", "yes", "maybe").get(i % 3), 1);
    }
    return learner.snapshot();
  }

  @Test
  void everyFormIsValidAndHasKnownShapes() throws Exception {
    String named = System.getenv("AVM_PYTHON");
    String python = named == null ? "python3" : named;
    Assumptions.assumeTrue(
        named != null || run(List.of(python, "-c", "import onnx")) == 0,
        "python3 has no module onnx; AVM_PYTHON may name one that has");
    List<String> command = new ArrayList<>(List.of(python, "-c", CHECK));
    for (Map.Entry<String, PreparedModel> model : models().entrySet()) {
      Path file = folder.resolve(model.getKey() + ".onnx");
      OnnxExport.write(model.getValue(), file);
      command.add(file.toString());
    }
    assertThat(run(command)).as(Files.readString(folder.resolve("out"))).isZero();
  }

  private int run(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("out").toFile())
              .start();
      process.waitFor(300, TimeUnit.SECONDS);
      return process.exitValue();
    } catch (IOException absent) {
      return -1;
    }
  }
}
