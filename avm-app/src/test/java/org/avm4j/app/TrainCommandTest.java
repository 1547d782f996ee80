package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.avm4j.OnlineLearner;
import org.avm4j.Prediction;
import org.avm4j.pipeline.PreparedModel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code train} averages learners, and keeps to its time. */
@Tag("slow")
class TrainCommandTest {
  @TempDir Path folder;
  private Path data;

  /** Ten columns, of which one matters, and not by a slope. */
  @BeforeEach
  void generate() throws IOException {
    data = folder.resolve("table.csv");
    Random random = new Random(3);
    StringBuilder text = new StringBuilder("a,b,c,d,e,f,g,h,i,j,y\n");
    for (int t = 0; t < 1100; t++) {
      double[] x = random.doubles(10).toArray();
      for (double value : x) {
        text.append((float) value).append(',');
      }
      text.append((float) (9 * (x[2] - 0.5) * (x[2] - 0.5))).append('\n');
    }
    Files.writeString(data, text);
  }

  private Shell.Result train(String... more) {
    String[] words = new String[more.length + 4];
    words[0] = "train";
    words[1] = data.toString();
    words[2] = "-m";
    words[3] = model().toString();
    System.arraycopy(more, 0, words, 4, more.length);
    return Shell.run(words);
  }

  private Path model() {
    return folder.resolve("model.avm");
  }

  @Test
  void theModelIsTheMeanOfFiveLearners() throws IOException {
    Shell.Result trained = train();
    assertThat(trained.code()).as(trained.err()).isZero();
    assertThat(trained.out())
        .containsPattern("on new data +rmse about .* ± .*, estimated on 660 held-out rows\n")
        .containsPattern(
            "learners +the (mean|mean of the best \\d) of 5; the error of a single one is");
    assertThat(PreparedModel.load(model()).members()).hasSizeBetween(1, 6);
    assertThat(Shell.run("inspect", model().toString()).out())
        .containsPattern("learner1 size +\\d");
  }

  /** A step of one column, which no machine is as good at. */
  @Test
  void boostedTreesAnswerWhereLabelsHaveSteps() throws IOException {
    Random random = new Random(3);
    StringBuilder text = new StringBuilder("a,b,c,y\n");
    for (int t = 0; t < 600; t++) {
      double a = random.nextDouble();
      double b = random.nextDouble();
      text.append((float) a).append(',').append((float) b).append(',');
      text.append((float) random.nextDouble()).append(',');
      text.append((a > 0.37 ? 3 : 0) + (b > 0.71 ? 5 : 0) + 0.5).append('\n');
    }
    Files.writeString(data, text);
    Shell.Result trained = train("--average=2");
    assertThat(trained.out())
        .containsPattern("boosted trees +\\d+ rounds, with \\d+ % of the weight");
    assertThat(Shell.run("inspect", model().toString()).out())
        .containsPattern("learner\\d rounds +\\d+\n");
    PreparedModel both = PreparedModel.load(model());
    assertThat(both.answer(Map.of("a", 0.9, "b", 0.9, "c", 0.5)).label())
        .isCloseTo(8.5, within(0.3));
    assertThat(train("--average=2", "--no-trees").out()).doesNotContain("boosted trees");
  }

  /** Some of the rows that stand alone in their class are held out. */
  @ParameterizedTest
  @ValueSource(strings = {"--quiet", "--probability", "--interval=90", "--gamma=1"})
  void aClassMayHaveOneRow(String more) throws IOException {
    Random random = new Random(3);
    StringBuilder text = new StringBuilder("a,b,y\n");
    for (int t = 0; t < 300; t++) {
      double a = random.nextDouble();
      String label = t % 40 == 20 ? "only" + t : a < 0.3 ? "low" : a < 0.7 ? "middle" : "high";
      text.append((float) a).append(',').append((float) random.nextDouble()).append(',');
      text.append(label).append('\n');
    }
    Files.writeString(data, text);
    Shell.Result trained = train("--average=5", more);
    assertThat(trained.code()).as(trained.err()).isZero();
    assertThat(trained.out())
        .containsPattern("learners +the (mean|mean of the best \\d) of [1-5];");
    PreparedModel model = PreparedModel.load(model());
    assertThat(model.classes()).hasSize(10);
    Prediction answer = model.answer(Map.of("a", 0.1, "b", 0.5));
    assertThat(model.labelText(answer)).isEqualTo("low");
  }

  @Test
  void oneLearnerCanLearnOn() throws IOException {
    assertThat(train("--average=1").out())
        .contains("estimated on 220 held-out rows")
        .doesNotContain("learners");
    assertThat(OnlineLearner.load(model()).status().instances()).isEqualTo(1100);
  }

  @Test
  void aMeanNeedsOnePassOverShuffledFiles() {
    assertThat(train("--average=0").err()).contains("--average must be from 1 to 1000: 0");
    for (String other : List.of("--batch", "--passes=2", "--no-shuffle", "--task=anomaly")) {
      Shell.Result refused = train("--average=3", other);
      assertThat(refused.code()).as(other).isEqualTo(2);
      assertThat(refused.err()).contains("--average needs one pass over shuffled files");
    }
  }

  @Test
  void whenTheTimeIsOverTheModelIsSavedAsItIs() {
    Shell.Result trained = train("--time=0.001s");
    assertThat(trained.code()).as(trained.err()).isEqualTo(75);
    assertThat(trained.out()).containsPattern("instances +1\n");
    assertThat(model()).exists();
  }

  @Test
  void aTimeThatIsNoneIsRefused() {
    assertThat(train("--time=5").code()).isEqualTo(2);
    assertThat(train("--time=0s").err())
        .contains("must be a number above 0 with the unit s, m or h");
    assertThat(train("--batch", "--time=5s").err())
        .contains("--time and --batch cannot be combined");
  }
}
