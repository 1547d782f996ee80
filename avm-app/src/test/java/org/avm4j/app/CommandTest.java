package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Kernel;
import org.avm4j.Output;
import org.avm4j.data.LibsvmReader;
import org.avm4j.lab.paper.RunFigure;
import org.avm4j.pipeline.Pipeline;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class CommandTest {
  @TempDir Path folder;
  private Path data;

  @BeforeEach
  void generate() {
    data = folder.resolve("data.libsvm");
    run("data", "generate", "checkerboard", "--rows", "3000", "-o", data.toString());
  }

  private static Shell.Result run(String... args) {
    Shell.Result result = Shell.run(args);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  @Test
  void theScoresAreThoseOfTheLibrary() throws IOException {
    run(
        "online",
        data.toString(),
        "--gamma=8",
        "--delta=0.3",
        "--lambda=0.001",
        "--output=average",
        "--scores",
        file("scores").toString(),
        "-q");
    Avm avm =
        new Avm(
            AvmOptions.binary()
                .kernel(Kernel.gaussian(8))
                .coverage(Coverage.sphere(0.3))
                .regularization(0.001)
                .output(Output.average())
                .build());
    List<String> scores = new ArrayList<>();
    try (LibsvmReader reader = LibsvmReader.open(data)) {
      while (reader.next()) {
        scores.add(Double.toString(avm.score(reader.features())[0]));
        avm.learn(reader.features(), reader.label());
      }
    }
    assertThat(file("scores")).hasContent(String.join("\n", scores));
  }

  @Test
  void classesGetAColumnFromTheirFirstInstanceOn() throws IOException {
    Files.writeString(file("three"), "5 1:1\n2 1:5\n9 1:9\n2 1:5\n5 1:1\n");
    run(
        "online",
        file("three").toString(),
        "--task=multiclass",
        "--gamma=1",
        "--delta=1",
        "--lambda=1",
        "--format=libsvm",
        "-q",
        "--scores",
        file("scores").toString());
    List<String> lines = Files.readAllLines(file("scores"));
    assertThat(lines.stream().map(line -> line.isEmpty() ? 0 : line.split(" ").length))
        .containsExactly(0, 1, 2, 3, 3);
  }

  @Test
  void whatWasLearnedBeforeABadLineIsSaved() throws IOException {
    Files.writeString(file("bad"), Files.readString(data) + "+1 1:x\n+1 1:1\n");
    Shell.Result stopped =
        Shell.run(
            new ByteArrayInputStream(Files.readAllBytes(file("bad"))),
            "online",
            "-",
            "-m",
            file("m.avm").toString(),
            "--checkpoint",
            file("c").toString(),
            "-q");
    assertThat(stopped.code()).isEqualTo(65);
    assertThat(stopped.err()).contains("standard input:3001: ");
    assertThat(Pipeline.load(file("m.avm")).status().instances()).isEqualTo(3000);
    assertThat(file("c")).exists();
  }

  @Test
  void aLabelThatTheWarmUpDidNotShowNamesItsLine() throws IOException {
    byte[] text = (Files.readString(data) + "7 1:1\n").getBytes(StandardCharsets.UTF_8);
    Shell.Result stopped = Shell.run(new ByteArrayInputStream(text), "online", "-", "-q");
    assertThat(stopped.code()).isEqualTo(65);
    assertThat(stopped.err())
        .contains("standard input:3001: this binary task has the labels '-1' and '1', found '7'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--scale=none", "--scale=standard", "--probability"})
  void resumedOrNotTheModelIsTheSame(String option) throws IOException {
    String[] command = {
      "train",
      data.toString(),
      "--passes=2",
      "--shuffle",
      "-q",
      "--checkpoint",
      file("c").toString(),
      "--checkpoint-every=1000",
      option,
      "-m",
      file("m.avm").toString()
    };
    run(command);
    byte[] whole = Files.readAllBytes(file("m.avm"));
    List<String> again = new ArrayList<>(List.of(command));
    again.remove("--checkpoint-every=1000");
    again.add("--resume");
    run(again.toArray(String[]::new));
    assertThat(file("m.avm")).hasBinaryContent(whole);
    Shell.Result other =
        Shell.run(
            "train",
            data.toString(),
            "-m",
            file("m.avm").toString(),
            "--checkpoint",
            file("c").toString(),
            "--resume",
            "-q");
    assertThat(other.code()).isEqualTo(2);
    assertThat(other.err()).contains("belongs to another run");
  }

  @Test
  void aModelGoesThroughPredictAndEvaluate() throws IOException {
    run(
        "train",
        data.toString(),
        "-m",
        file("m.avm").toString(),
        "-g",
        "20",
        "--delta=0.25",
        "--scale=symmetric",
        "--lambda=1e-4",
        "-q");
    Shell.Result predicted =
        run("predict", data.toString(), "-m", file("m.avm").toString(), "-o", file("a").toString());
    assertThat(predicted.out())
        .matches("Accuracy = [0-9.]+% \\(\\d+/3000\\) \\(classification\\)\n");
    assertThat(Files.readAllLines(file("a"))).hasSize(3000).containsOnly("-1", "1");
    assertThat(run("evaluate", data.toString(), "-m", file("m.avm").toString()).out())
        .contains("accuracy");
  }

  @Test
  void tuningGoesOnFromItsState() throws IOException {
    String[] command = {
      "tune",
      data.toString(),
      "--rows=300",
      "--gamma=16",
      "--update=sgd",
      "--delta=0.3",
      "--state",
      file("state").toString(),
      "--json",
      "-q"
    };
    String whole = run(command).out();
    List<String> lines = Files.readAllLines(file("state"));
    assertThat(lines).hasSize(12);
    Files.writeString(file("state"), String.join("\n", lines.subList(0, 6)) + "\n8.0 0.3");
    assertThat(run(command).out()).isEqualTo(whole);
    assertThat(Files.readAllLines(file("state"))).hasSize(12);
  }

  @Test
  void ctrlCEndsWithWhatIsKnown() throws Exception {
    assumeThat(isDeafToCtrlC()).as("the tests run in the background, deaf to Ctrl-C").isFalse();
    run("data", "generate", "mixture", "--rows=400000", "-o", file("long.libsvm").toString());
    Process process =
        new ProcessBuilder(
                Shell.process(
                    "online",
                    file("long.libsvm").toString(),
                    "--delta=0.3",
                    "--gamma=3",
                    "--lambda=1e-5",
                    "-m",
                    file("m.avm").toString()))
            .redirectError(file("err").toFile())
            .redirectOutput(file("out").toFile())
            .start();
    for (int i = 0; i < 300 && !Files.readString(file("err")).contains("512"); i++) {
      Thread.sleep(100);
    }
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    boolean hasEnded = process.waitFor(60, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(hasEnded).isTrue();
    assertThat(process.exitValue()).isEqualTo(130);
    assertThat(file("out")).content().contains("mistake rate", "saved to");
    long learned = Pipeline.load(file("m.avm")).status().instances();
    assertThat(learned).isBetween(512L, 399_999L);
  }

  @Test
  void aTimeOfAnInstanceFindsTheSize() {
    Shell.Result done =
        run("online", data.toString(), "--target-latency=200us", "--json", "-q", "--gamma=1");
    assertThat(done.err()).containsPattern("--target-latency 200us means --max-size \\d+ on this");
    Matcher size = Pattern.compile("--max-size (\\d+)").matcher(done.err());
    assertThat(size.find()).isTrue();
    assertThat(done.out()).contains("\"max-size\" : " + size.group(1));
    for (String[] wrong :
        new String[][] {
          {"--target-latency=5", "'5' must be a number with the unit ns, us, ms or s, such as 5us"},
          {"--target-latency=1ns", "is too short even for a single core point on this computer"},
          {
            "--target-latency=5us --max-size=3",
            "--target-latency and --max-size cannot be combined"
          }
        }) {
      List<String> words = new ArrayList<>(List.of("online", data.toString(), "-q"));
      words.addAll(List.of(wrong[0].split(" ")));
      Shell.Result refused = Shell.run(words.toArray(String[]::new));
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err()).contains(wrong[1]);
    }
  }

  @Test
  void rowsOfOtherFilesAreObserved() throws IOException {
    Path more = Files.copy(data, file("more.libsvm"));
    Path bad = Files.writeString(file("bad.libsvm"), "? 1:0.5\n? 1:oops\n");
    String both = more + "," + bad;
    Shell.Result result =
        run("online", data.toString(), "--unlabelled", both, "--skip-bad-lines", "--json", "-q");
    assertThat(result.out()).contains("\"observed\" : ", "\"badLines\" : 1,");
    for (String[] wrong :
        new String[][] {
          {"-", "--unlabelled must name a file"},
          {"nosuch", "nosuch: no such file"},
          {more + " --shuffle", "--unlabelled needs labels that are classes"}
        }) {
      List<String> words = new ArrayList<>(List.of("online", data.toString(), "-q"));
      words.addAll(List.of(("--unlabelled " + wrong[0]).split(" ")));
      Shell.Result refused = Shell.run(words.toArray(String[]::new));
      assertThat(refused.code()).isIn(2, 66);
      assertThat(refused.err()).contains(wrong[1]);
    }
    byte[] before = Files.readAllBytes(more);
    String[] over = {"online", data.toString(), "--unlabelled", both, "-m", more.toString()};
    assertThat(Shell.run(over).code()).isEqualTo(2);
    assertThat(more).hasBinaryContent(before);
  }

  @Test
  void aRunAndItsSearchAreDrawn() throws IOException {
    assumeThat(RunFigure.canDraw()).as("this machine has a font to draw with").isTrue();
    run("online", data.toString(), "-q", "--plot", file("run.png").toString());
    for (String name : List.of("run", "run-search")) {
      assertThat(ImageIO.read(file(name + ".png").toFile()).getWidth()).isEqualTo(900);
    }
    assertThat(Files.readAllLines(file("run.png.csv")))
        .anyMatch(line -> line.startsWith("so far,"));
    assertThat(Files.readAllLines(file("run-search.png.csv")))
        .anyMatch(l -> l.startsWith("chosen,"));
    Shell.Result refused = Shell.run("online", data.toString(), "--plot", file("x.gif").toString());
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("--plot must end in .png");
  }

  /** A shell starts what runs in its background so, and it passes on to what that starts. */
  private static boolean isDeafToCtrlC() throws IOException {
    Path status = Path.of("/proc/self/status");
    return Files.exists(status)
        && Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
  }

  @Test
  void nothingIsWrittenOverItsInput() throws IOException {
    byte[] before = Files.readAllBytes(data);
    String name = data.toString();
    Path numbers = Files.copy(data, file("run.png.csv"));
    run("train", name, "-m", file("m.avm").toString(), "-q");
    for (String[] command :
        new String[][] {
          {"online", name, "--scores", name},
          {"online", name, "-m", name},
          {"online", numbers.toString(), "--plot", file("run.png").toString()},
          {"predict", name, "-m", file("m.avm").toString(), "-o", name},
          {"data", "convert", name, "-o", name}
        }) {
      assertThat(Shell.run(command).code()).isEqualTo(2);
      assertThat(data).hasBinaryContent(before);
      assertThat(numbers).hasBinaryContent(before);
    }
  }

  @Test
  void anUnseenTextLabelIsAMistake() throws IOException {
    Files.writeString(file("abc.csv"), "x,label\n1,a\n5,b\n9,c\n1,a\n5,b\n9,c\n");
    Files.writeString(file("abd.csv"), "x,label\n1,a\n5,d\n");
    run("train", file("abc.csv").toString(), "-m", file("m.avm").toString(), "-q");
    assertThat(
            run(
                    "predict",
                    file("abd.csv").toString(),
                    "-m",
                    file("m.avm").toString(),
                    "-o",
                    file("a").toString())
                .out())
        .isEqualTo("Accuracy = 50% (1/2) (classification)\n");
  }

  @Test
  void aRowWithoutALabelIsLeftOutWhereverItIs() throws IOException {
    Files.writeString(file("gap.csv"), "x,label\n1,-1\n2,\n3,1\n");
    String name = file("gap.csv").toString();
    for (String[] how : new String[][] {{}, {"--shuffle"}, {"--runs=2"}}) {
      List<String> words = new ArrayList<>(List.of("online", name, "-q", "--json"));
      words.addAll(List.of(how));
      assertThat(run(words.toArray(String[]::new)).out()).contains("\"unlabelled\" : 1");
    }
  }

  @Test
  void aRowThatStoppedARunStopsItAgain() throws IOException {
    Files.writeString(file("third"), Files.readString(data) + "7 1:1\n1 1:1\n");
    String[] command = {
      "online", "-", "-q", "--checkpoint", file("c").toString(), "--resume", "--format=libsvm"
    };
    for (int attempt = 0; attempt < 2; attempt++) {
      byte[] text = Files.readAllBytes(file("third"));
      assertThat(Shell.run(new ByteArrayInputStream(text), command).code()).isEqualTo(65);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--delta=0.3", "--probability", "--interval=90", "--task=anomaly"})
  void aRunGoesOnAfterItsCheckpoint(String option) throws IOException {
    List<String> lines = Files.readAllLines(data);
    String[] command = {
      "online",
      "-",
      "-q",
      "--checkpoint",
      file("c").toString(),
      "--resume",
      option,
      "--format=libsvm",
      "-m",
      file("m.avm").toString(),
      "--scores",
      file("s").toString()
    };
    Shell.run(stream(lines, lines.size()), command);
    byte[] model = Files.readAllBytes(file("m.avm"));
    byte[] scores = Files.readAllBytes(file("s"));
    Files.deleteIfExists(file("c"));
    Shell.run(stream(lines, 2000), command);
    assertThat(Shell.run(stream(lines, lines.size()), command).code()).isZero();
    assertThat(file("m.avm")).hasBinaryContent(model);
    assertThat(file("s")).hasBinaryContent(scores);
  }

  /** The first lines; where some are left out, a bad one ends the run and makes a checkpoint. */
  private static ByteArrayInputStream stream(List<String> lines, int n) {
    String text = String.join("\n", lines.subList(0, n)) + (n < lines.size() ? "\n1 1:x\n" : "\n");
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void runsOnSeveralCoresAgreeWithTheirSeeds() {
    String[] command = {
      "online", data.toString(), "--runs=4", "--gamma=3", "--json", "-q", "--delta=0.5"
    };
    String first = run(command).out().replaceAll("(?m)^.*\"seconds\".*$", "");
    for (int i = 0; i < 5; i++) {
      assertThat(run(command).out().replaceAll("(?m)^.*\"seconds\".*$", "")).isEqualTo(first);
    }
  }

  @Test
  void aBugShowsItsPlaceOnRequestOnly() {
    assertThat(Failure.of(new IllegalStateException("broken"))).isNull();
    assertThat(Failure.of(new IOException("disk full")).code()).isEqualTo(74);
    assertThat(Shell.run().out()).contains("Commands:", "online");
  }
}
