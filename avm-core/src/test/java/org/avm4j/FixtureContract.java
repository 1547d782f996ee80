package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.FixtureFolder.Fixture;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.MemoriesModel;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.tree.AvmTree;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every file that was ever written keeps: it is read, says what it said then, and goes on.
 * Extend this and name the folder, which is described in its own README.md, and these tests run.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class FixtureContract {
  private FixtureFolder folder;

  /** Where the files are, from the folder of the module: {@code src/test/resources/fixtures/v1}. */
  protected abstract Path folder();

  /** The version of the format in which they were written. */
  protected abstract int version();

  @BeforeAll
  void open() throws IOException {
    folder = new FixtureFolder(folder());
  }

  List<Fixture> fixtures() throws IOException {
    return folder.fixtures();
  }

  /** Files that say today what they said then: all but learners of a kind that is no more. */
  List<Fixture> kept() throws IOException {
    return fixtures().stream().filter(fixture -> !isOfMemories(fixture)).toList();
  }

  List<Fixture> learners() throws IOException {
    return kept().stream().filter(Fixture::isLearner).toList();
  }

  /** Learners that go on as they did: automatic mode goes on in the way of the build that reads. */
  List<Fixture> steady() throws IOException {
    return learners().stream().filter(fixture -> !isOf(fixture, AutoAvm.KIND)).toList();
  }

  private static boolean isOf(Fixture fixture, String kind) {
    return fixture.kind().equals(kind) || fixture.inside().equals(kind);
  }

  private static boolean isOfMemories(Fixture fixture) {
    return isOf(fixture, MemoriesModel.LEARNER_KIND);
  }

  @Test
  void theManifestListsAllFiles() throws IOException {
    try (var found = Files.list(folder())) {
      List<String> names = found.map(path -> path.getFileName().toString()).sorted().toList();
      assertThat(names.stream().filter(name -> name.endsWith(".avm")))
          .containsExactlyElementsOf(fixtures().stream().map(Fixture::file).sorted().toList());
    }
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void noFileWasTouched(Fixture fixture) throws IOException {
    assertThat(folder.sha256(fixture.file())).isEqualTo(fixture.sha256());
    ModelFile file = ModelFile.open(folder.path(fixture.file()));
    assertThat(file.version()).isEqualTo(version());
    assertThat(file.kind()).isEqualTo(fixture.kind());
  }

  @ParameterizedTest
  @MethodSource("kept")
  void aModelSaysWhatItSaid(Fixture fixture) throws IOException {
    Model model = model(fixture);
    assertThat(model.columns()).isEqualTo(fixture.columns());
    assertThat(model.classes()).isEqualTo(classes(fixture));
    assertThat(model.status().size()).isEqualTo(fixture.size());
    boolean hasOwnTable = fixture.frozen().equals(FixtureFolder.OWN);
    String table = fixture.name() + (hasOwnTable ? ".frozen.csv" : ".scores.csv");
    agree(folder.says(model), table, hasOwnTable ? FixtureFolder.EXACT : fixture.frozen());
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("learners")
  void aLearnerSaysWhatItSaid(Fixture fixture) throws IOException {
    OnlineLearner learner = learner(fixture);
    assertThat(learner.columns()).isEqualTo(fixture.columns());
    assertThat(learner.classes()).isEqualTo(classes(fixture));
    assertThat(learner.size()).isEqualTo(fixture.size());
    if (!fixture.instances().equals(FixtureFolder.NONE)) {
      assertThat(learner.status().instances()).isEqualTo(Long.parseLong(fixture.instances()));
    }
    agree(folder.says(learner), fixture.name() + ".scores.csv", fixture.scores());
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("steady")
  void aLearnerGoesOnAsItDid(Fixture fixture) throws IOException {
    OnlineLearner learner = learner(fixture);
    learn(learner, fixture);
    agree(folder.says(learner), fixture.name() + ".continued.csv", fixture.continued());
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("learners")
  void theModelOfAFileIsTheSnapshotOfItsLearner(Fixture fixture) throws IOException {
    assertThat(folder.says(model(fixture))).isEqualTo(folder.says(learner(fixture).snapshot()));
  }

  /** Of a learner with machines beside its tree, as earlier builds had them, the tree goes on. */
  @Test
  void ofMemoriesTheTreeGoesOn() throws IOException {
    for (Fixture fixture : fixtures()) {
      if (isOfMemories(fixture)) {
        OnlineLearner learner = learner(fixture);
        assertThat(learner.inspect(AvmTree.class)).isPresent();
        assertThat(learner.classes()).isEqualTo(classes(fixture));
        long before = learner.status().instances();
        learn(learner, fixture);
        assertThat(learner.status().instances()).isGreaterThan(before);
        byte[] bytes = learner.toBytes();
        assertThat(OnlineLearner.fromBytes(bytes).toBytes()).isEqualTo(bytes);
      }
    }
  }

  @Test
  void onlyALearnerCanGoOn() throws IOException {
    for (Fixture fixture : fixtures()) {
      if (!fixture.isLearner()) {
        assertThatThrownBy(() -> learner(fixture))
            .isInstanceOf(ModelFileException.class)
            .hasMessageContaining("cannot go on learning");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void aModelSavedAnewIsTheSame(Fixture fixture) throws IOException {
    Model model = model(fixture);
    byte[] bytes = model.toBytes();
    assertThat(ModelFile.parse(bytes).version()).isEqualTo(ModelFile.VERSION);
    Model again = Model.fromBytes(bytes);
    assertThat(folder.says(again)).isEqualTo(folder.says(model));
    assertThat(again.toBytes()).isEqualTo(bytes);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("learners")
  void aLearnerSavedAnewIsTheSameAndGoesOn(Fixture fixture) throws IOException {
    OnlineLearner learner = learner(fixture);
    byte[] bytes = learner.toBytes();
    assertThat(ModelFile.parse(bytes).version()).isEqualTo(ModelFile.VERSION);
    OnlineLearner again = OnlineLearner.fromBytes(bytes);
    assertThat(folder.says(again)).isEqualTo(folder.says(learner));
    assertThat(again.toBytes()).isEqualTo(bytes);
    learn(learner, fixture);
    learn(again, fixture);
    assertThat(folder.says(again)).isEqualTo(folder.says(learner));
    assertThat(again.toBytes()).isEqualTo(learner.toBytes());
  }

  @Test
  void namesScalingAndLabelsAreKept() throws IOException {
    for (Fixture fixture : fixtures()) {
      if (fixture.isPrepared()) {
        PreparedModel model = PreparedModel.load(folder.path(fixture.file()));
        assertThat(FixtureFolder.names(model.preparation()))
            .isEqualTo(folder.lines(fixture.name() + ".names.txt"));
      }
    }
  }

  private Model model(Fixture fixture) throws IOException {
    return Model.load(folder.path(fixture.file()));
  }

  private OnlineLearner learner(Fixture fixture) throws IOException {
    return OnlineLearner.load(folder.path(fixture.file()));
  }

  private void learn(OnlineLearner learner, Fixture fixture) throws IOException {
    for (Instance instance : folder.stream(fixture.stream())) {
      learner.predict(instance.features());
      learner.learn(instance.features(), instance.label());
    }
  }

  private static double[] classes(Fixture fixture) {
    String labels = fixture.classes();
    return labels.isEmpty()
        ? new double[0]
        : List.of(labels.split(" ")).stream().mapToDouble(Double::parseDouble).toArray();
  }

  /** Compares with a table, bit for bit or by |a - b| ≤ X max(1, |a|), as the manifest says. */
  private void agree(List<String> found, String table, String howExactly) throws IOException {
    List<String> expected = folder.lines(table);
    if (howExactly.equals(FixtureFolder.EXACT)) {
      assertThat(found).isEqualTo(expected);
      return;
    }
    assertThat(howExactly).startsWith("tolerance=");
    double tolerance = Double.parseDouble(howExactly.substring("tolerance=".length()));
    assertThat(found).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(gap(found.get(i), expected.get(i))).as(table + ", row " + i).isLessThan(tolerance);
    }
  }

  private static double gap(String found, String expected) {
    String[] b = found.split(",");
    String[] a = expected.split(",");
    assertThat(b).hasSameSizeAs(a);
    double most = 0;
    for (int c = 0; c < a.length; c++) {
      double wanted = Double.parseDouble(a[c]);
      double gap = Math.abs(wanted - Double.parseDouble(b[c])) / Math.max(1, Math.abs(wanted));
      most = Math.max(most, gap);
    }
    return most;
  }
}
