package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_node;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.Scaling;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** LIBSVM, its Java version and its own programs, answers as the model does. */
class LibsvmExportTest {
  @TempDir Path folder;

  private static AvmOptions options(AvmOptions.Builder builder, int linear) {
    return builder
        .kernel(Kernel.gaussian(4))
        .coverage(Coverage.sphere(0.2))
        .update(Update.newton(0.1, linear))
        .build();
  }

  private static PreparedModel learned(AvmOptions options, Preparation by, List<Instance> rows) {
    return Streams.learned(new Pipeline(by, new Avm(options)), rows).snapshot();
  }

  private static Scaler scaler(List<Instance> rows, Scaling scaling) {
    ScalerFit fit = new ScalerFit(scaling);
    rows.forEach(row -> fit.observe(row.features()));
    return fit.scaler();
  }

  static svm_node[] nodes(Features x) {
    svm_node[] nodes = new svm_node[x.count()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = new svm_node();
      nodes[i].index = x.index(i) + 1;
      nodes[i].value = x.value(i);
    }
    return nodes;
  }

  @Test
  void twoClassesWithTheirOwnLabels() throws IOException {
    List<Instance> rows = Streams.spirals(800, 2, 1);
    Preparation labels = new Preparation(new Schema(), Scaler.none(), new Labels.Pair(0, 1));
    PreparedModel model = learned(options(AvmOptions.binary(), 0), labels, rows);
    assertThat(LibsvmExport.write(model, folder.resolve("m"))).isEmpty();
    answersTheSame(model, rows);
  }

  @Test
  void severalClassesByVotesOfPairs() throws IOException {
    List<Instance> rows = Streams.spirals(800, 5, 2);
    PreparedModel model = learned(options(AvmOptions.multiclass(), 0), Preparation.none(), rows);
    LibsvmExport.write(model, folder.resolve("m"));
    answersTheSame(model, rows);
  }

  private void answersTheSame(PreparedModel model, List<Instance> rows) throws IOException {
    svm_model theirs = svm.svm_load_model(folder.resolve("m").toString());
    for (Instance row : rows) {
      assertThat(svm.svm_predict(theirs, nodes(row.features())))
          .isEqualTo(model.predict(row.features()));
    }
  }

  @Test
  void numbersOnTheScaleOfTheData() throws IOException {
    List<Instance> rows = Streams.waves(500, 3);
    Preparation by = new Preparation(new Schema(), Scaler.none(), new Labels.Standard(40, 7));
    PreparedModel model = learned(options(AvmOptions.regression(), 0), by, rows);
    LibsvmExport.write(model, folder.resolve("m"));
    svm_model theirs = svm.svm_load_model(folder.resolve("m").toString());
    for (Instance row : rows) {
      assertThat(svm.svm_predict(theirs, nodes(row.features())))
          .isCloseTo(model.predict(row.features()), within(1e-4));
    }
  }

  @Test
  void whatLibsvmCannotSayIsRefused() {
    List<Instance> rows = Streams.signs(300, 4);
    AvmOptions laplacian =
        options(AvmOptions.binary(), 0).change().kernel(Kernel.laplacian(1)).build();
    refuses(learned(laplacian, Preparation.none(), rows), "no laplacian kernel");
    refuses(learned(options(AvmOptions.binary(), 2), Preparation.none(), rows), "no linear part");
    List<Instance> halves =
        rows.stream().map(row -> new Instance(row.features(), row.label() / 2)).toList();
    refuses(
        learned(options(AvmOptions.multiclass(), 0), Preparation.none(), halves), "whole numbers");
    Scaler mixing = Scaler.none().weighted(Metric.of(Streams.MIXING));
    Preparation mixed = new Preparation(new Schema(), mixing, new Labels.Plain());
    refuses(learned(options(AvmOptions.binary(), 0), mixed, rows), "--metric none");
    AvmOptions small = options(AvmOptions.binary(), -1).change().maxSize(30, Limit.MERGE).build();
    AvmTree tree = new AvmTree(TreeOptions.of(small));
    Streams.learned(tree, Streams.signs(3000, 5));
    refuses(new PreparedModel(Preparation.none(), tree.snapshot()), "a tree of machines");
  }

  private void refuses(PreparedModel model, String why) {
    assertThatThrownBy(() -> LibsvmExport.write(model, folder.resolve("m")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
    assertThat(folder.resolve("m")).doesNotExist();
  }

  @Test
  void itsOwnProgramsAnswerTheSameOnTheRowsOfIjcnn1() throws Exception {
    List<Instance> train = Streams.data("ijcnn1", 0, 8000);
    for (Scaling scaling : Scaling.values()) {
      int count = scaling == Scaling.NONE ? Integer.MAX_VALUE : 15_000;
      List<Instance> rows = Streams.data("ijcnn1.t", 0, count);
      Scaler scaler = scaling == Scaling.NONE ? Scaler.none() : scaler(train, scaling);
      AvmOptions options =
          options(AvmOptions.binary(), 0)
              .change()
              .kernel(Kernel.gaussian(scaling == Scaling.STANDARD ? 0.1 : 1))
              .coverage(Coverage.sphere(scaling == Scaling.STANDARD ? 3 : 0.7))
              .maxSize(100, Limit.MERGE)
              .build();
      Preparation by = new Preparation(new Schema(), scaler, new Labels.Plain());
      PreparedModel model = learned(options, by, train);
      LibsvmExport.write(model, folder.resolve("m"));
      assertThat(programs(rows, scaling != Scaling.NONE))
          .isEqualTo(rows.stream().map(row -> (int) model.predict(row.features())).toList());
    }
  }

  /** What svm-scale and svm-predict say of the rows, where they are installed. */
  private List<Integer> programs(List<Instance> rows, boolean isScaled) throws Exception {
    Assumptions.assumeTrue(isInstalled(), "svm-predict and svm-scale are not installed");
    Path data = folder.resolve("data");
    Files.write(
        data,
        (Iterable<String>)
            rows.stream().map(row -> (int) row.label() + " " + row.features())::iterator);
    Path scaled = folder.resolve("scaled");
    if (isScaled) {
      run(scaled, "svm-scale", "-r", folder.resolve("m.range").toString(), data.toString());
    } else {
      Files.copy(data, scaled, StandardCopyOption.REPLACE_EXISTING);
    }
    Path answers = folder.resolve("answers");
    Path log = folder.resolve("log");
    run(log, "svm-predict", scaled.toString(), folder.resolve("m").toString(), answers.toString());
    return Files.readAllLines(answers).stream().map(Integer::valueOf).toList();
  }

  private static boolean isInstalled() {
    return Files.isExecutable(Path.of("/usr/bin/svm-predict"))
        && Files.isExecutable(Path.of("/usr/bin/svm-scale"));
  }

  private void run(Path output, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(folder.resolve("errors").toFile())
            .start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended && process.exitValue() == 0).as(String.join(" ", command)).isTrue();
  }
}
