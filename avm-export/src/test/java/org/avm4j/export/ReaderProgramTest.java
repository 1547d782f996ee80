package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Update;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.cluster.ClusterOptions;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.models.OneClassModel;
import org.avm4j.models.VotingModel;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The programs of docs/reader know every kernel and every form, and refuse what they do not. */
class ReaderProgramTest {
  private static final double PRECISION = 1e-5;
  private static final List<Features> THREE =
      List.of(Features.dense(1, 0), Features.dense(0, 1), Features.dense(1, 1));

  @TempDir Path folder;

  private static Avm machine(Kernel kernel) {
    AvmOptions options =
        AvmOptions.multiclass()
            .kernel(kernel)
            .coverage(Coverage.sphere(0.3))
            .update(Update.newton(0.1, 3))
            .build();
    return Streams.learned(new Avm(options), Streams.spirals(200, 3, 1));
  }

  private static List<Features> features(List<Instance> rows) {
    return rows.stream().map(Instance::features).toList();
  }

  @ParameterizedTest
  @EnumSource
  void everyKernelGivesTheScoresOfTheLibrary(ReaderProgram program) throws Exception {
    List<Features> asked = new ArrayList<>(features(Streams.spirals(40, 3, 2)));
    asked.add(Features.dense(30, -20, 5));
    for (Kernel kernel :
        List.of(
            Kernel.gaussian(4),
            Kernel.laplacian(2),
            Kernel.rationalQuadratic(4),
            Kernel.matern32(2),
            Kernel.matern52(2))) {
      program.assertScores(machine(kernel).snapshot(), asked, folder, PRECISION);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRegressionIsOnTheScaleOfTheData(ReaderProgram program) throws Exception {
    Preparation standard = new Preparation(new Schema(), Scaler.none(), new Labels.Standard(40, 8));
    Avm avm = new Avm(AvmOptions.regression().update(Update.newton()).build());
    Pipeline learner = Streams.learned(new Pipeline(standard, avm), Streams.waves(200, 3));
    program.assertScores(learner.snapshot(), features(Streams.waves(30, 4)), folder, 1e-4);
  }

  @ParameterizedTest
  @EnumSource
  void votesAndOneClassModelsOfLibsvmGiveTheScores(ReaderProgram program) throws Exception {
    List<Features> asked = features(Streams.waves(40, 5));
    VotingModel votes =
        VotingModel.of(
            Kernel.gaussian(1),
            new double[] {3, 1, 2},
            new int[] {1, 1, 1},
            THREE,
            new double[][] {{1, -1, -1}, {1, 1, -1}},
            new double[] {0.1, 0.2, 0.3});
    program.assertScores(votes, asked, folder, PRECISION);
    OneClassModel one = OneClassModel.of(Kernel.gaussian(1), THREE, new double[] {-1, -1, -1}, 2);
    program.assertScores(one, asked, folder, PRECISION);
  }

  /** The third feature is always 2 in the stream and sometimes not in the rows that are asked. */
  @ParameterizedTest
  @EnumSource
  void aDetectorGivesTheScores(ReaderProgram program) throws Exception {
    AnomalyDetector detector = new AnomalyDetector(AnomalyOptions.DEFAULT.withMaxSize(40));
    Streams.waves(300, 1).forEach(row -> detector.learn(withThird(row.features(), 2)));
    List<Features> asked = new ArrayList<>();
    for (Instance row : Streams.waves(40, 6)) {
      asked.add(withThird(row.features(), asked.size() % 4 == 0 ? asked.size() / 8 : 2));
    }
    program.assertScores(detector.snapshot(), asked, folder, PRECISION);
  }

  private static Features withThird(Features x, double third) {
    return Features.dense(x.get(0), x.get(1), third);
  }

  @ParameterizedTest
  @EnumSource
  void clustersAreThoseOfTheLibrary(ReaderProgram program) throws Exception {
    ClusterLearner learner = new ClusterLearner(ClusterOptions.DEFAULT);
    List<Features> asked = new ArrayList<>();
    for (Instance row : Streams.waves(600, 7)) {
      Features x = row.features();
      Features moved = Features.dense(x.get(0) + (x.get(0) > 0 ? 5 : 0), x.get(1));
      learner.learn(moved);
      asked.add(moved);
    }
    asked.add(Features.dense(100, 100));
    assertThat(asked.stream().map(learner.settled()::predict).distinct().count()).isGreaterThan(2);
    program.assertScores(learner.settled(), asked, folder, 0);
  }

  @ParameterizedTest
  @EnumSource
  void rowsOfAnotherFormAreRefusedInASentence(ReaderProgram program) throws Exception {
    Path json = folder.resolve("model.json");
    JsonExport.write(machine(Kernel.gaussian(4)).snapshot(), json);
    int width = new ObjectMapper().readTree(json.toFile()).get("features").asInt();
    String fits = "0" + ",0".repeat(width - 1);
    Path rows = folder.resolve("rows.json");
    for (String wrong :
        List.of("[0]", "[" + fits + ",0]", "[\"a\"" + fits.substring(1) + "]", "7")) {
      Files.writeString(rows, "[[" + fits + "]," + wrong + "]");
      assertThat(program.answer(json, rows, folder, false))
          .startsWith("row 2 of")
          .contains("a list of " + width + " numbers");
    }
    Files.writeString(rows, "[{\"a\": [1]}]");
    assertThat(program.answer(json, rows, folder, false)).startsWith("row 1 of");
    Files.writeString(rows, "{\"a\": 1}");
    assertThat(program.answer(json, rows, folder, false)).contains("expected a list of rows");
    Path absent = folder.resolve("absent.json");
    assertThat(program.answer(json, absent, folder, false)).contains("is no JSON that can be read");
  }

  @ParameterizedTest
  @EnumSource
  void whatIsUnknownIsRefusedInASentence(ReaderProgram program) throws Exception {
    Path json = folder.resolve("model.json");
    JsonExport.write(machine(Kernel.gaussian(4)).snapshot(), json);
    String known = Files.readString(json);
    Files.writeString(json, known.replace("\"gaussian\"", "\"cosine\""));
    List<Features> asked = features(Streams.spirals(2, 3, 2));
    assertThat(program.answer(json, asked, folder, false))
        .contains("does not know the kernel 'cosine'");
    Files.writeString(json, known.replace("\"machine\"", "\"forest\""));
    assertThat(program.answer(json, asked, folder, false))
        .contains("does not know the form 'forest'");
  }
}
