package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.Calibrator;
import org.avm4j.pipeline.ClassPrior;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scores that the programs of docs/reader compute by hand are those of the model. */
@Tag("slow")
class JsonExportTest {
  @TempDir Path folder;

  private static Avm machine(Kernel kernel) {
    return new Avm(
        AvmOptions.multiclass()
            .kernel(kernel)
            .coverage(Coverage.sphere(0.3))
            .update(Update.newton(0.1, 3))
            .build());
  }

  @ParameterizedTest
  @EnumSource
  void thePublishedProgramsComputeTheScores(ReaderProgram program) throws Exception {
    List<Instance> rows = Streams.spirals(400, 3, 1);
    Scaler mixing = Scaler.none().weighted(Metric.of(Streams.MIXING));
    Preparation mixed = new Preparation(new Schema(), mixing, new Labels.Plain());
    Pipeline behind = new Pipeline(mixed, machine(Kernel.gaussian(4)));
    agrees(Streams.learned(behind, rows).snapshot(), rows.subList(0, 50), program);
    agrees(Streams.automatic(), rows.subList(0, 20), program);
    agrees(Streams.besideTrees(rows, machine(Kernel.gaussian(4))), rows.subList(0, 50), program);
    agrees(Streams.mean(Streams.spirals(2100, 3, 2)), rows.subList(0, 20), program);
    List<Instance> waves = Streams.waves(600, 1);
    agrees(Streams.mean(waves), waves.subList(0, 20), program);
  }

  private void agrees(PreparedModel model, List<Instance> rows, ReaderProgram program)
      throws Exception {
    List<Features> asked = rows.stream().map(Instance::features).toList();
    program.assertScores(model, asked, folder, 2e-3);
  }

  @Test
  void namesLabelsAndProbabilitiesAreInIt() throws IOException {
    Preparation preparation = new Preparation(new Schema(), Scaler.none(), new Labels.Pair(0, 1));
    Avm avm = new Avm(AvmOptions.binary().update(Update.newton()).build());
    Pipeline learner = new Pipeline(preparation, avm, new Calibrator(), ClassPrior.none());
    for (int i = 0; i < 50; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("age", i);
      row.put("colour", i % 3 == 0 ? "red" : "blue");
      learner.learn(row, i % 3 == 0 ? "no" : "yes", 1);
    }
    JsonExport.write(learner.snapshot(), folder.resolve("m.json"));
    JsonNode json = new ObjectMapper().readTree(folder.resolve("m.json").toFile());
    assertThat(json.get("columns").get(0).toString())
        .isEqualTo("{\"name\":\"age\",\"feature\":0,\"mean\":24.5}");
    assertThat(json.get("columns").get(1).get("categories").toString())
        .isEqualTo("{\"red\":1,\"blue\":2}");
    assertThat(json.get("labels").toString()).isEqualTo("[\"no\",\"yes\"]");
    assertThat(json.get("calibration").get("slopes").get(0).asDouble())
        .isEqualTo(learner.snapshot().calibration().orElseThrow().slope(1));
  }

  @Test
  void aDetectorOfAnomaliesIsLaidOpen() throws IOException {
    AnomalyDetector detector = new AnomalyDetector(AnomalyOptions.DEFAULT);
    Streams.waves(200, 1).forEach(row -> detector.learn(row.features()));
    PreparedModel model = new PreparedModel(Preparation.none(), detector.snapshot());
    JsonExport.write(model, folder.resolve("m.json"));
    JsonNode form = new ObjectMapper().readTree(folder.resolve("m.json").toFile()).get("model");
    assertThat(form.get("form").asText()).isEqualTo("density");
    assertThat(form.get("mass").asDouble()).isCloseTo(20, within(1e-9));
    double least = 1e9;
    Features x = Features.dense(3, 3);
    for (JsonNode centre : form.get("centres")) {
      least = Math.min(least, distance(form.get("scales"), centre, x));
    }
    assertThat(model.score(x)[0]).isGreaterThanOrEqualTo(least);
  }

  @Test
  void clustersAreThoseOfTheNearestCells() throws IOException {
    ClusterLearner learner = new ClusterLearner(ClusterOptions.DEFAULT);
    List<Features> rows = clouds();
    rows.forEach(learner::learn);
    Model clusters = learner.settled();
    JsonExport.write(new PreparedModel(Preparation.none(), clusters), folder.resolve("c.json"));
    JsonNode form = new ObjectMapper().readTree(folder.resolve("c.json").toFile()).get("model");
    assertThat(form.get("form").asText()).isEqualTo("cells");
    Set<Integer> found = new TreeSet<>();
    for (Features x : rows) {
      int number = cluster(form, x);
      assertThat(clusters.predict(x)).isEqualTo(number);
      found.add(number);
    }
    assertThat(found.stream().filter(number -> number > 0)).hasSize(3);
    assertThat(cluster(form, Features.dense(1e4, 1e4))).isEqualTo(-1);
  }

  /** Rows of three clouds, in turn. */
  private static List<Features> clouds() {
    SplitMix random = new SplitMix(4);
    List<Features> rows = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      double x = random.getAsDouble() + random.getAsDouble() + 5 * (i % 3);
      rows.add(Features.dense(x, random.getAsDouble() + random.getAsDouble()));
    }
    return rows;
  }

  private static int cluster(JsonNode form, Features x) {
    int nearest = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int j = 0; j < form.get("centres").size(); j++) {
      double distance = distance(form.get("scales"), form.get("centres").get(j), x);
      nearest = distance < least ? j : nearest;
      least = Math.min(least, distance);
    }
    boolean isNear = least <= form.get("reaches").get(nearest).asDouble();
    return isNear ? form.get("clusters").get(nearest).asInt() : -1;
  }

  private static double distance(JsonNode scales, JsonNode centre, Features x) {
    double sum = 0;
    for (int i = 0; i < scales.size(); i++) {
      JsonNode scale = scales.get(i);
      double z = (x.get(i) - scale.get("origin").asDouble()) * scale.get("factor").asDouble();
      for (JsonNode entry : centre) {
        z -= entry.get(0).asInt() == i ? entry.get(1).asDouble() : 0;
      }
      sum += z * z;
    }
    return Math.sqrt(sum);
  }
}
