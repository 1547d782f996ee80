package org.avm4j.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.data.BadDataException;
import org.avm4j.io.ReadOptions;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs over rows without labels, in the data and in another file. */
class UnlabelledRunTest {
  @TempDir Path folder;
  private Path data;

  @BeforeEach
  void write() throws IOException {
    data = file("data.csv");
    Files.writeString(data, RunTest.text(RunTest.ROWS));
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  private PreparedData look(LearnerSpec spec) throws IOException {
    return PreparedData.look(DataSource.of(data.toString()), spec, 100);
  }

  /** Of the rows of the file every third has its label. */
  private void writeSomeLabels() throws IOException {
    String[] lines = RunTest.text(RunTest.ROWS).split("\n");
    for (int i = 1; i < lines.length; i++) {
      String row = lines[i].substring(0, lines[i].lastIndexOf(',') + 1);
      lines[i] = i % 3 == 1 ? lines[i] : row + "?";
    }
    Files.writeString(data, String.join("\n", lines) + "\n");
  }

  @Test
  void rowsWithoutLabelsAreObservedOrLeftOut() throws IOException {
    writeSomeLabels();
    RunReport automatic = report(LearnerSpec.automatic());
    assertThat(automatic.metrics().instances()).isEqualTo(134);
    assertThat(automatic.observed()).isGreaterThan(240);
    assertThat(automatic.observed() + automatic.leftOut().unlabelled()).isEqualTo(266);
    RunReport fixed = report(RunTest.SPEC);
    assertThat(fixed.metrics().instances()).isEqualTo(134);
    assertThat(fixed.observed()).isZero();
    assertThat(fixed.leftOut().unlabelled()).isEqualTo(266);
  }

  private RunReport report(LearnerSpec spec) throws IOException {
    PreparedData looked = look(spec);
    Run run = Run.start(looked, spec, RunOptions.DEFAULT, RunListener.NONE);
    assertThat(run.learn()).isTrue();
    return run.finish();
  }

  @Test
  void aStoppedRunObservesEachRowOnce() throws IOException {
    writeSomeLabels();
    LearnerSpec spec = LearnerSpec.automatic();
    RunOptions options =
        RunOptions.DEFAULT
            .withModel(file("model"))
            .withCheckpoint(file("checkpoint"), 31, true, "a test");
    RunTest.finish(look(spec), spec, options, Long.MAX_VALUE);
    byte[] model = Files.readAllBytes(file("model"));
    Files.delete(file("checkpoint"));
    for (long stop : new long[] {1, 2, 50, 51, 133, Long.MAX_VALUE}) {
      RunTest.finish(look(spec), spec, options, stop);
    }
    assertThat(file("model")).hasBinaryContent(model);
  }

  /** Answers as written, one line a row. */
  private List<String> answers(PreparedData looked, LearnerSpec spec, RunOptions options)
      throws IOException {
    RunOptions writing = options.withAnswers(file("answers")).withScores(file("scores"));
    RunTest.finish(looked, spec, writing, Long.MAX_VALUE);
    assertThat(Files.readAllLines(file("scores"))).hasSize(RunTest.ROWS);
    return Files.readAllLines(file("answers"));
  }

  @Test
  void everyRowIsAnsweredWithOrWithoutALabel() throws IOException {
    writeSomeLabels();
    List<String> all = answers(look(RunTest.SPEC), RunTest.SPEC, RunOptions.DEFAULT);
    assertThat(all).hasSize(RunTest.ROWS);
    List<String> ofLabelled = new ArrayList<>();
    for (int i = 0; i < RunTest.ROWS; i += 3) {
      ofLabelled.add(all.get(i));
    }
    assertThat(all).allMatch(answer -> answer.equals("high") || answer.equals("low"));
    List<String> lines = Files.readAllLines(data);
    lines.removeIf(line -> line.endsWith("?"));
    Files.write(data, lines);
    RunTest.finish(
        look(RunTest.SPEC),
        RunTest.SPEC,
        RunOptions.DEFAULT.withAnswers(file("labelled")),
        Long.MAX_VALUE);
    assertThat(ofLabelled).isEqualTo(Files.readAllLines(file("labelled")));
  }

  @Test
  void rowsBeforeTheFirstLabelGetTheAnswerOfAFirstRow() throws IOException {
    String[] lines = RunTest.text(RunTest.ROWS).split("\n");
    List<String> text = new ArrayList<>(List.of(lines));
    text.set(1, lines[1].substring(0, lines[1].lastIndexOf(',') + 1) + "?");
    Files.writeString(data, String.join("\n", text) + "\n");
    LearnerSpec spec = LearnerSpec.automatic();
    List<String> all = answers(look(spec), spec, RunOptions.DEFAULT);
    assertThat(all.get(0)).as("the answer to the first row with a label").isEqualTo(all.get(1));
  }

  @Test
  void aStoppedRunWritesTheSameAnswers() throws IOException {
    writeSomeLabels();
    LearnerSpec spec = LearnerSpec.automatic().with("interval", 90);
    List<String> whole = answers(look(spec), spec, RunOptions.DEFAULT);
    assertThat(whole).hasSize(RunTest.ROWS).anyMatch(line -> line.matches("(high|low) .+"));
    RunOptions options =
        RunOptions.DEFAULT
            .withAnswers(file("parts"))
            .withCheckpoint(file("checkpoint"), 31, true, "a test");
    for (long stop : new long[] {1, 2, 50, 51, 133, Long.MAX_VALUE}) {
      RunTest.finish(look(spec), spec, options, stop);
    }
    assertThat(Files.readAllLines(file("parts"))).isEqualTo(whole);
  }

  /** Rows of the warm-up are no exception. */
  @Test
  void everyRowOfAStreamIsAnswered() throws IOException {
    writeSomeLabels();
    List<String> ofFile = answers(look(RunTest.SPEC), RunTest.SPEC, RunOptions.DEFAULT);
    InputStream before = System.in;
    try {
      for (int warmUp : new int[] {50, 1000}) {
        System.setIn(new ByteArrayInputStream(Files.readAllBytes(data)));
        PreparedData stream = PreparedData.look(DataSource.of("-"), RunTest.SPEC, warmUp);
        assertThat(stream.sample(10))
            .hasSize(Math.min(134, warmUp))
            .allMatch(row -> !Double.isNaN(row.label()));
        List<String> ofStream = answers(stream, RunTest.SPEC, RunOptions.DEFAULT);
        assertThat(ofStream).hasSize(RunTest.ROWS);
        assertThat(ofStream.equals(ofFile)).as("scaled by all rows").isEqualTo(warmUp == 1000);
      }
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void rowsOfAnotherFileHaveNoLine() throws IOException {
    PreparedData looked = look(RunTest.SPEC);
    looked.comeWith(others(2 * RunTest.ROWS));
    assertThat(answers(looked, RunTest.SPEC, RunOptions.DEFAULT)).hasSize(RunTest.ROWS);
  }

  /** A file without labels: the columns of the data in another order, and one that it lacks. */
  private DataSource others(int rows) throws IOException {
    StringBuilder text = new StringBuilder("b,new,a\n");
    for (int i = 0; i < rows; i++) {
      text.append(i % 11).append(",7,").append(i % 7).append('\n');
    }
    Files.writeString(file("others.csv"), text);
    return DataSource.of(file("others.csv").toString());
  }

  @Test
  void rowsOfAnotherFileAreObservedBetweenThoseOfTheData() throws IOException {
    LearnerSpec spec = LearnerSpec.automatic();
    PreparedData looked = look(spec);
    looked.comeWith(others(2 * RunTest.ROWS));
    Run run = Run.start(looked, spec, RunOptions.DEFAULT, RunListener.NONE);
    assertThat(run.learn()).isTrue();
    RunReport report = run.finish();
    assertThat(report.metrics().instances()).isEqualTo(RunTest.ROWS);
    assertThat(report.observed() + report.leftOut().unlabelled()).isEqualTo(2 * RunTest.ROWS);
    assertThat(report.observed()).isGreaterThan(2 * RunTest.ROWS - 50);
    assertThat(looked.schema().column("new")).isNull();
  }

  /** The label comes first, and no column has a name. */
  @Test
  void aLabelInAnotherFileIsPassedOver() throws IOException {
    StringBuilder with = new StringBuilder();
    StringBuilder without = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      String row = (i % 7) + "," + (i * 5 % 11) + "\n";
      with.append(i % 2 == 0 ? "yes," : "no,").append(row);
      without.append(row);
    }
    Files.writeString(data, with);
    byte[] model = null;
    for (StringBuilder text : List.of(with, without)) {
      Files.writeString(file("more.csv"), text);
      ReadOptions first = ReadOptions.DEFAULT.withLabel("1");
      DataSource source = new DataSource(List.of(data.toString()), first, false);
      PreparedData looked = PreparedData.look(source, LearnerSpec.automatic(), 100);
      looked.comeWith(new DataSource(List.of(file("more.csv").toString()), first, false));
      Run run = Run.start(looked, LearnerSpec.automatic(), RunOptions.DEFAULT, RunListener.NONE);
      run.learn();
      assertThat(run.finish().observed()).isGreaterThan(150);
      byte[] bytes = run.pipeline().toBytes();
      model = model == null ? bytes : model;
      assertThat(bytes).isEqualTo(model);
    }
  }

  @Test
  void aStoppedRunObservesEachRowOfAnotherFileOnce() throws IOException {
    LearnerSpec spec = LearnerSpec.automatic();
    DataSource others = others(RunTest.ROWS + 20);
    RunOptions options =
        RunOptions.DEFAULT
            .withModel(file("model"))
            .withCheckpoint(file("checkpoint"), 31, true, "a test");
    byte[] model = null;
    for (long stop : new long[] {Long.MAX_VALUE, 1, 50, 51, RunTest.ROWS - 1, Long.MAX_VALUE}) {
      PreparedData looked = look(spec);
      looked.comeWith(others);
      RunTest.finish(looked, spec, options, stop);
      if (model == null) {
        model = Files.readAllBytes(file("model"));
        Files.delete(file("checkpoint"));
      }
    }
    assertThat(file("model")).hasBinaryContent(model);
  }

  /** Nothing is learned yet when such a file is refused. */
  @Test
  void anotherFileThatDoesNotFitIsRefusedAtOnce() throws IOException {
    PreparedData looked = look(RunTest.SPEC);
    String[][] files = {{"empty", "", "there are no rows"}, {"foreign", "x,y\n1,2\n", "none of"}};
    for (String[] each : files) {
      Path file = Files.writeString(file(each[0] + ".csv"), each[1]);
      assertThatThrownBy(() -> looked.comeWith(DataSource.of(file.toString())))
          .isInstanceOf(BadDataException.class)
          .hasMessageContaining(each[0] + ".csv")
          .hasMessageContaining(each[2]);
    }
  }
}
