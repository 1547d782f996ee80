package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.avm4j.pipeline.Pipeline;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A key press, a bad line or a wrong name costs no model that was there. */
class NothingLostTest {
  /** The bar shows that rows were learned. */
  private static final Pattern ROWS = Pattern.compile("[1-9][0-9]*/400000 ");

  @TempDir Path folder;
  private Path data;
  private Path model;

  @BeforeEach
  void generate() throws IOException {
    data = folder.resolve("table.csv");
    model = folder.resolve("good.avm");
    List<String> lines = new ArrayList<>(List.of("a,b,label"));
    for (int i = 0; i < 200; i++) {
      double a = (i * 0.618) % 1;
      double b = (i * 0.414) % 1;
      lines.add(a + "," + b + "," + (a > b ? "yes" : "no"));
    }
    Files.write(data, lines);
  }

  private Shell.Result train(Path from) {
    return Shell.run(
        "online", from.toString(), "-m", model.toString(), "--gamma=4", "--delta=0.1", "-q");
  }

  @Test
  void aRunThatFailsKeepsTheModelThatWasThere() throws IOException {
    assertThat(train(data).code()).isZero();
    byte[] before = Files.readAllBytes(model);
    Path bad = folder.resolve("bad.csv");
    List<String> lines = new ArrayList<>(Files.readAllLines(data));
    lines.set(150, "0.5,1e308,yes");
    Files.write(bad, lines);
    Shell.Result result = train(bad);
    assertThat(result.code()).isEqualTo(65);
    assertThat(result.err()).contains("column 'b' holds numbers within ±1e15, found '1e308'");
    assertThat(Files.readAllBytes(model)).isEqualTo(before);
  }

  @Test
  void whatAFailingRunHasLearnedIsBesideTheModel() throws IOException {
    assertThat(train(data).code()).isZero();
    byte[] before = Files.readAllBytes(model);
    List<String> lines = new ArrayList<>(Files.readAllLines(data));
    lines.set(150, "0.5,0.5,maybe");
    String text = String.join("\n", lines) + "\n";
    Shell.Result result =
        Shell.run(
            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
            "online",
            "-",
            "--format=csv",
            "--warm-up=50",
            "--task=binary",
            "--gamma=4",
            "--delta=0.1",
            "-m",
            model.toString(),
            "-q");
    assertThat(result.code()).as(result.err()).isEqualTo(65);
    assertThat(result.err())
        .contains("this binary task has the labels")
        .contains(model + " is unchanged, the partial model was saved to " + model + ".partial");
    assertThat(Files.readAllBytes(model)).isEqualTo(before);
    Pipeline partial = Pipeline.load(folder.resolve("good.avm.partial"));
    assertThat(partial.status().instances()).isEqualTo(149);
    assertThat(partial.preparation().schema().labels()).containsExactlyInAnyOrder("yes", "no");
  }

  @Test
  void noOutputIsWrittenOverTheModel() throws IOException {
    assertThat(train(data).code()).isZero();
    byte[] before = Files.readAllBytes(model);
    String file = model.toString();
    for (String[] words :
        new String[][] {
          {"predict", data.toString(), "-m", file, "-o", file},
          {"predict", data.toString(), "-m", file, "--scores", file},
          {"evaluate", data.toString(), "-m", file, "--html", file},
          {"evaluate", data.toString(), "-m", file, "--scores", file},
        }) {
      Shell.Result result = Shell.run(words);
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("good.avm: is an input and cannot also be an output");
    }
    assertThat(Files.readAllBytes(model)).isEqualTo(before);
  }

  /** The later one would be all that is left of the two. */
  @Test
  void twoOutputsAreNotWrittenToOneFile() throws IOException {
    assertThat(train(data).code()).isZero();
    String known = model.toString();
    String file = model.resolveSibling("both").toString();
    String same = model.resolveSibling(".").resolve("both").toString();
    for (String[] words :
        new String[][] {
          {"online", data.toString(), "-m", file, "--html", file},
          {"online", data.toString(), "--answers", file, "--scores", same},
          {"online", data.toString(), "-m", file, "--checkpoint", file},
          {"online", data.toString(), "--html", file + ".png", "--plot", file + ".png"},
          {"train", data.toString(), "-m", file, "--answers", same},
          {"predict", data.toString(), "-m", known, "-o", file, "--scores", file},
          {"evaluate", data.toString(), "-m", known, "--html", file, "--scores", file},
          {"export", known, "--onnx", file, "--json", file},
        }) {
      Shell.Result result = Shell.run(words);
      assertThat(result.code()).as(String.join(" ", words)).isEqualTo(2);
      assertThat(result.err()).contains("both", ": is given for two outputs");
    }
    assertThat(model.resolveSibling("both")).doesNotExist();
    Shell.Result nowhere =
        Shell.run(
            "predict", data.toString(), "-m", known, "-o", "/dev/null", "--scores", "/dev/null");
    assertThat(nowhere.code()).as(nowhere.err()).isZero();
  }

  @Test
  void ctrlCWhileTheBarShowsSavesWhatIsKnown() throws Exception {
    Path plot = folder.resolve("run.png");
    String log = interrupted("online", "--plot", plot.toString());
    assertThat(log).contains("saved to " + model);
    assertThat(Pipeline.load(model).status().instances()).isPositive();
    assertThat(plot).isNotEmptyFile();
  }

  @Tag("slow")
  @Test
  void ctrlCInTrainKeepsTheModelThatWasThere() throws Exception {
    assertThat(train(data).code()).isZero();
    byte[] before = Files.readAllBytes(model);
    Path page = folder.resolve("page.html");
    String log = interrupted("train", "--html", page.toString());
    assertThat(log)
        .contains(model + " is unchanged, the partial model was saved to " + model + ".partial");
    assertThat(Files.readAllBytes(model)).isEqualTo(before);
    assertThat(Pipeline.load(partial()).status().instances()).isPositive();
    assertThat(page).isNotEmptyFile();
    assertThat(Files.readString(page)).contains("</html>");
  }

  /** Nothing has been read yet, so that there is nothing to save. */
  @ParameterizedTest
  @ValueSource(strings = {"online", "train"})
  void ctrlCBeforeTheFirstRowIsNotSilent(String command) throws Exception {
    List<String> words = Shell.process(command, "-", "-m", model.toString());
    String log = interrupted(Pattern.compile("waiting for the first"), words);
    assertThat(log).contains("avm: interrupted before anything was learned; no model was saved");
    assertThat(model).doesNotExist();
  }

  /** With many rows, so that the search is not over before the signal comes. */
  @Test
  void anInterruptedSearchIsNotSilent() throws Exception {
    List<String> rows = Files.readAllLines(data);
    for (int copy = 0; copy < 50; copy++) {
      Files.write(data, rows.subList(1, rows.size()), StandardOpenOption.APPEND);
    }
    List<String> words = new ArrayList<>(Shell.process());
    words.add(1, "-Davm.terminal=true");
    words.addAll(List.of("tune", data.toString()));
    assertThat(interrupted(Pattern.compile("tune"), words))
        .contains("avm: interrupted before the search was over; --state keeps what is finished");
  }

  /** Automatic mode goes on for a while when its first learner is ready. */
  @Test
  void ctrlCKeepsTheFirstModelOfAutomaticMode() throws Exception {
    keepsAModelAfter(
        900, "a first model is ready, with mistake rate about [^%]+%; press Ctrl-C to keep it");
  }

  /** A table so large that the first learner takes long. */
  @Test
  void ctrlCKeepsAModelBeforeAllRowsWereLearned() throws Exception {
    keepsAModelAfter(
        60_000, "a model of [\\d,]+ rows is ready, with mistake rate about [^%]+%; press Ctrl-C");
  }

  private void keepsAModelAfter(int rows, String ready) throws Exception {
    Random random = new Random(3);
    List<String> lines = new ArrayList<>(List.of("a,b,c,d,e,f,label"));
    for (int i = 0; i < rows; i++) {
      double[] x = random.doubles(6).toArray();
      String cells = Arrays.stream(x).mapToObj(String::valueOf).collect(Collectors.joining(","));
      lines.add(cells + "," + (Math.sin(5 * x[0]) + x[1] * x[2] > 0.5 ? "yes" : "no"));
    }
    Files.write(data, lines);
    List<String> words = new ArrayList<>(Shell.process());
    words.add(1, "-Davm.terminal=true");
    words.addAll(List.of("train", data.toString(), "-m", model.toString()));
    String log = interrupted(Pattern.compile(ready), words);
    assertThat(log).contains("saved to " + model);
    Shell.Result result = Shell.run("evaluate", data.toString(), "-m", model.toString(), "--json");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out()).containsPattern("\"mistakeRate\" : [12]?[0-9]\\.");
  }

  @Tag("slow")
  @Test
  void aPoliteKillDrawsThePlot() throws Exception {
    Path plot = folder.resolve("run.png");
    Process process = process(commandOf("online", "--plot", plot.toString()));
    try {
      await(ROWS, process);
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String log = Files.readString(folder.resolve("log"));
    assertThat(log).contains("saved to " + model).doesNotContain("a bug", "Exception");
    assertThat(Pipeline.load(model).status().instances()).isPositive();
    assertThat(plot).isNotEmptyFile();
  }

  @Test
  void anInterruptedEvaluationSaysSo() throws Exception {
    assertThat(train(data).code()).isZero();
    List<String> words = new ArrayList<>(Shell.process());
    words.addAll(List.of("evaluate", stream().toString(), "-m", model.toString()));
    Process process = process(words);
    while (process.info().totalCpuDuration().orElseThrow().toMillis() < 1000) {
      Thread.sleep(10); // until the command runs, however busy the machine is
    }
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(folder.resolve("log")))
        .isEqualTo("avm: interrupted before the command was over\n");
  }

  @Test
  void aKilledPredictionLeavesTheOlderAnswersAndNothingElse() throws Exception {
    assertThat(train(data).code()).isZero();
    Path answers = Files.writeString(folder.resolve("answers.txt"), "older");
    List<String> words = new ArrayList<>(Shell.process());
    words.addAll(List.of("predict", stream().toString(), "-m", model.toString()));
    words.addAll(List.of("-o", answers.toString()));
    Process process = process(words);
    try {
      Path beside = folder.resolve(".answers.txt." + process.pid() + ".tmp");
      while (process.isAlive() && !Files.exists(beside)) {
        Thread.sleep(1);
      }
      assertThat(beside).exists();
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(beside).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
    assertThat(answers).hasContent("older");
    assertThat(Files.readString(folder.resolve("log")))
        .isEqualTo("avm: interrupted; " + answers + " was not written\n");
  }

  /** Reading takes all the time, so that hardly a row is learned. */
  @Test
  @Tag("slow")
  void aTimeThatIsTooShortKeepsTheModelThatWasThere() throws Exception {
    assertThat(train(data).code()).isZero();
    byte[] before = Files.readAllBytes(model);
    Shell.Result result =
        Shell.run(
            "train", stream().toString(), "-m", model.toString(), "--gamma=4", "--time=0.01s");
    assertThat(result.code()).as(result.err()).isEqualTo(75);
    assertThat(result.err())
        .contains("the time limit was reached after ")
        .contains(model + " is unchanged, the partial model was saved to " + model + ".partial");
    assertThat(Files.readAllBytes(model)).isEqualTo(before);
    assertThat(Pipeline.load(partial()).status().instances()).isBetween(1L, 4000L);
  }

  private Path partial() {
    return model.resolveSibling(model.getFileName() + ".partial");
  }

  private List<String> commandOf(String command, String... more) throws IOException {
    List<String> words = new ArrayList<>(Shell.process());
    words.add(1, "-Davm.terminal=true");
    words.addAll(List.of(command, stream().toString(), "-m", model.toString()));
    words.addAll(List.of("--gamma=4", "--delta=0.001"));
    words.addAll(List.of(more));
    return words;
  }

  private Process process(List<String> words) throws IOException {
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  /**
   * Runs a command in a pseudo-terminal, presses Ctrl-C while rows are learned, returns its log.
   */
  private String interrupted(String command, String... more) throws Exception {
    return interrupted(ROWS, commandOf(command, more));
  }

  private String interrupted(Pattern at, List<String> command) throws Exception {
    assumeThat(Files.isExecutable(Path.of("/usr/bin/script"))).as("script").isTrue();
    assumeThat(canReset()).as("env --default-signal").isTrue();
    String words = String.join("' '", command);
    Process process =
        process(
            List.of(
                "/usr/bin/script",
                "-qec",
                "env --default-signal=INT '" + words + "'",
                "/dev/null"));
    try (OutputStream keys = process.getOutputStream()) {
      await(at, process);
      keys.write(3);
      keys.flush();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String log = Files.readString(folder.resolve("log"));
    assertThat(process.exitValue()).as(log).isEqualTo(130);
    assertThat(log).doesNotContain("a bug", "Exception");
    return log;
  }

  /** A build in the background ignores Ctrl-C, and so would what it starts. */
  private static boolean canReset() throws Exception {
    return new ProcessBuilder("env", "--default-signal=INT", "true").start().waitFor() == 0;
  }

  private Path stream() throws IOException {
    Path file = folder.resolve("stream.csv");
    List<String> lines = new ArrayList<>(Files.readAllLines(data));
    List<String> rows = lines.subList(1, lines.size());
    List<String> all = new ArrayList<>(List.of(lines.get(0)));
    for (int i = 0; i < 2000; i++) {
      all.addAll(rows);
    }
    Files.write(file, all);
    return file;
  }

  private void await(Pattern at, Process process) throws Exception {
    for (int i = 0; i < 600 && process.isAlive(); i++) {
      if (at.matcher(Files.readString(folder.resolve("log"))).find()) {
        return;
      }
      Thread.sleep(100);
    }
  }
}
