package moa.classifiers.avm;

import static org.assertj.core.api.Assertions.assertThat;

import com.yahoo.labs.samoa.instances.Instance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import moa.classifiers.Classifier;
import moa.clusterers.avm.AvmClusterer;
import moa.core.SerializeUtils;
import moa.options.ClassOption;
import moa.streams.generators.SEAGenerator;
import moa.tasks.MainTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MOA's own tasks save these learners and load them again: they answer as before. */
class SavedModelTest {
  private static final int ASKED = 200;

  @TempDir Path folder;

  /** Runs a task as the command line does. */
  private static Object run(String task) throws Exception {
    MainTask parsed = (MainTask) ClassOption.cliStringToObject(task, MainTask.class, null);
    parsed.prepareForUse();
    return parsed.doTask();
  }

  private static List<Instance> rows() {
    SEAGenerator stream = new SEAGenerator();
    stream.instanceRandomSeedOption.setValue(7);
    stream.prepareForUse();
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < ASKED; i++) {
      rows.add(stream.nextInstance().getData());
    }
    return rows;
  }

  private Path learned(String task, String learner, int rows) throws Exception {
    Path file = folder.resolve("model.moa");
    String source = "-s generators.SEAGenerator";
    Object inMemory = run("%s -l (%s) %s -m %d -O %s".formatted(task, learner, source, rows, file));
    assertSameAnswers(
        (Classifier) inMemory, (Classifier) SerializeUtils.readFromFile(file.toFile()));
    return file;
  }

  /** The answers are the same before and after both have learned another row. */
  private static void assertSameAnswers(Classifier saved, Classifier loaded) {
    for (Instance row : rows()) {
      assertThat(loaded.getVotesForInstance(row)).isEqualTo(saved.getVotesForInstance(row));
    }
    saved.trainOnInstance(rows().get(0));
    loaded.trainOnInstance(rows().get(0));
    for (Instance row : rows()) {
      assertThat(loaded.getVotesForInstance(row)).isEqualTo(saved.getVotesForInstance(row));
    }
  }

  /** The predictions that a task writes, a line each. */
  private List<String> predictions(String task, Path model) throws Exception {
    Path out = folder.resolve("predictions.txt");
    String source = "-s (generators.SEAGenerator -i 7) -i " + ASKED;
    run("%s -m file:%s %s -o %s".formatted(task, model, source, out));
    return Files.readAllLines(out);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "avm.AvmClassifier",
        "avm.AvmClassifier -s 30",
        "avm.AvmClassifier -u Sgd -d 2 -g 0.1",
        "avm.AvmAnomalyDetector"
      })
  void classifiersAreLearnedSavedAndEvaluated(String learner) throws Exception {
    Path model = learned("LearnModel", learner, 1200);
    Classifier loaded = (Classifier) SerializeUtils.readFromFile(model.toFile());
    List<String> lines = predictions("EvaluateModel", model);
    assertThat(lines).hasSize(ASKED);
    List<Instance> rows = rows();
    for (int i = 0; i < ASKED; i++) {
      double[] votes = loaded.getVotesForInstance(rows.get(i));
      int best = moa.core.Utils.maxIndex(votes);
      assertThat(lines.get(i)).startsWith(best + ",");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"avm.AvmRegressor", "avm.AvmRegressor -s 30"})
  void regressorsAreLearnedSavedAndEvaluated(String learner) throws Exception {
    Path model = learned("LearnModelRegression", learner, 600);
    Classifier loaded = (Classifier) SerializeUtils.readFromFile(model.toFile());
    List<String> lines = predictions("EvaluateModelRegression", model);
    assertThat(lines).hasSize(ASKED);
    List<Instance> rows = rows();
    for (int i = 0; i < ASKED; i++) {
      double first = loaded.getVotesForInstance(rows.get(i))[0];
      assertThat(lines.get(i)).startsWith(first + ",");
    }
  }

  /** MOA has no task that saves intervals. */
  @Test
  void intervalsAreSavedAndLoaded() throws Exception {
    ConformalInterval intervals = new ConformalInterval();
    intervals.learnerOption.setValueViaCLIString("avm.AvmRegressor -s 30");
    intervals.prepareForUse();
    SEAGenerator stream = new SEAGenerator();
    stream.prepareForUse();
    for (int i = 0; i < 300; i++) {
      intervals.trainOnInstance(stream.nextInstance().getData());
    }
    Path file = folder.resolve("intervals.moa");
    SerializeUtils.writeToFile(file.toFile(), intervals);
    assertSameAnswers(intervals, (Classifier) SerializeUtils.readFromFile(file.toFile()));
    assertThat(intervals.getVotesForInstance(rows().get(0))).hasSize(3).doesNotHaveDuplicates();
  }

  /** MOA has no task that saves a clusterer. */
  @Test
  void aClustererIsSavedAndLoaded() throws Exception {
    AvmClusterer clusterer = new AvmClusterer();
    clusterer.prepareForUse();
    List<Instance> rows = rows();
    rows.forEach(clusterer::trainOnInstance);
    Path file = folder.resolve("clusterer.moa");
    SerializeUtils.writeToFile(file.toFile(), clusterer);
    AvmClusterer loaded = (AvmClusterer) SerializeUtils.readFromFile(file.toFile());
    loaded.prepareForUse();
    for (Instance row : rows) {
      assertThat(loaded.getVotesForInstance(row)).isEqualTo(clusterer.getVotesForInstance(row));
    }
    assertThat(loaded.getClusteringResult().size())
        .isEqualTo(clusterer.getClusteringResult().size())
        .isPositive();
  }
}
