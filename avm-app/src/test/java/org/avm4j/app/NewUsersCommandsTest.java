package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands and flags that surprised people who tried them. */
class NewUsersCommandsTest {
  @TempDir Path folder;
  private String table;
  private String model;

  @BeforeEach
  void write() throws IOException {
    List<String> lines = new ArrayList<>(List.of("id,when,size,colour,note,empty,class"));
    for (int i = 0; i < 60; i++) {
      lines.add(
          String.join(
              ",",
              "" + (i + 100),
              "2020-0" + (1 + i * 7 % 9) + "-1" + i % 10,
              i % 5 == 0 ? "" : "" + i * 13 % 60 / 10.0,
              List.of("red", "green", "blue").get(i % 3),
              "text" + i,
              "",
              i * 13 % 60 > 30 ? "yes" : "no"));
    }
    table = folder.resolve("table.csv").toString();
    Files.write(Path.of(table), lines);
    model = folder.resolve("m.avm").toString();
  }

  private Shell.Result train(String... more) {
    List<String> words = new ArrayList<>(List.of("train", table, "-m", model, "--gamma=1"));
    words.addAll(List.of(more));
    return Shell.run(words.toArray(String[]::new));
  }

  @Test
  void aTableIsDescribedColumnByColumn() {
    Shell.Result described = Shell.run("data", "describe", table);
    assertThat(described.code()).as(described.err()).isZero();
    assertThat(described.out())
        .containsPattern("column +missing +different +values +read as")
        .containsPattern("id +0 +60 +100 to 159 +left out: numbers the rows")
        .containsPattern("when +0 +[0-9]+ +2020-01-10 to 2020-09-1[0-9] +a date")
        .containsPattern("size +12 +[0-9]+ +0.[0-9] to 5.9 +a number")
        .containsPattern("colour +0 +3 +mostly 'red' +3 categories")
        .containsPattern("empty +60 +0 +none +left out: empty")
        .containsPattern("class +0 +2 +mostly '(yes|no)' +the label")
        .containsPattern("task +binary");
    assertThat(Shell.run("data", "describe", table, "--json").out())
        .contains("\"readAs\" : \"left out: numbers the rows\"", "\"notes\"");
    Shell.Result other = Shell.run("data", "describe", table, "--label=note");
    assertThat(other.code()).as(other.err()).isZero();
  }

  @Test
  void linesThatCannotBeReadAreCountedInADescription() throws IOException {
    Files.writeString(Path.of(table), Files.readString(Path.of(table)) + "1,2\n");
    Shell.Result described = Shell.run("data", "describe", table);
    assertThat(described.code()).isZero();
    assertThat(described.err()).contains("skipped 1 malformed line,", "table.csv:62:");
  }

  @Test
  void aZipOfOneTableIsRead() throws IOException {
    Path zip = folder.resolve("table.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry("table.csv"));
      out.write(Files.readAllBytes(Path.of(table)));
    }
    assertThat(Shell.run("train", zip.toString(), "-m", model, "--gamma=1").out())
        .containsPattern("instances +60");
  }

  @Test
  void aWorkbookIsATable() throws IOException {
    List<String> lines = Files.readAllLines(Path.of(table));
    Path book = folder.resolve("book.xlsx");
    WorkbookFile.write(book, lines);
    String fromText = folder.resolve("text.avm").toString();
    assertThat(Shell.run("train", table, "-m", fromText, "--gamma=1").code()).isZero();
    Shell.Result trained = Shell.run("train", book.toString(), "-m", model, "--gamma=1");
    assertThat(trained.code()).as(trained.err()).isZero();
    assertThat(Shell.run("predict", book.toString(), "-m", model, "--csv").out())
        .isEqualTo(Shell.run("predict", table, "-m", fromText, "--csv").out());
    WorkbookFile.write(book, List.of("a,b", "1,2"));
    assertThat(Shell.run("predict", book.toString(), "-m", model).err()).contains("book.xlsx:1: ");
  }

  @Test
  void aWorkbookOfSeveralSheetsSaysWhichIsRead() throws IOException {
    List<String> lines = Files.readAllLines(Path.of(table));
    Path book = folder.resolve("book.xlsx");
    WorkbookFile.write(book, Map.of("Notes", List.of("a,b", "1,2"), "Rows", lines));
    Shell.Result first = Shell.run("train", book.toString(), "-m", model, "--gamma=1");
    assertThat(first.err())
        .contains("book.xlsx: the sheet 'Notes' is read; use --sheet to read 'Rows'");
    Shell.Result other =
        Shell.run("train", book.toString(), "-m", model, "--gamma=1", "--sheet=Rows");
    assertThat(other.code()).as(other.err()).isZero();
    assertThat(other.err()).doesNotContain("the sheet 'Notes'");
    assertThat(other.out()).containsPattern("instances +" + (lines.size() - 1));
    Shell.Result none = Shell.run("train", book.toString(), "-m", model, "--sheet=Data");
    assertThat(none.code()).isEqualTo(65);
    assertThat(none.err()).contains("has no sheet 'Data', expected one of 'Notes', 'Rows'");
    Shell.Result text = Shell.run("train", table, "-m", model, "--sheet=Data");
    assertThat(text.code()).isEqualTo(65);
    assertThat(text.err()).contains("is not a workbook, so it has no sheet 'Data'");
  }

  @Test
  void aShortTimeIsTold() {
    Shell.Result short1 = train("--time=0.001s");
    assertThat(short1.code()).as("a script must notice").isEqualTo(75);
    assertThat(short1.err()).containsPattern("the time limit was reached after [0-9]+ of 60 rows");
    assertThat(train("--time=1h").err()).doesNotContain("the time limit was reached");
  }

  @Test
  void aSlowStreamIsToldThatItIsWaitedFor() throws Exception {
    try (PipedOutputStream slow = new PipedOutputStream();
        InputStream in = new PipedInputStream(slow)) {
      Thread writer =
          new Thread(
              () -> {
                try (slow) {
                  slow.write("a,b,class\n1,2,x\n".getBytes(StandardCharsets.UTF_8));
                  Thread.sleep(2500);
                  slow.write("2,1,y\n1,3,x\n3,1,y\n".getBytes(StandardCharsets.UTF_8));
                } catch (IOException | InterruptedException gone) {
                  throw new IllegalStateException(gone);
                }
              });
      writer.start();
      Shell.Result run = Shell.run(in, "online", "-", "--gamma=1", "--answers=-");
      writer.join();
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.err()).contains("waiting for the first 1,000 rows", "--warm-up N");
    }
  }

  /** Six rows, two seconds apart: the first ones are answered long before the last has come. */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"a,b,class\n;1,2,x\n;2,1,y\n", ";1 1:1 2:2\n;-1 1:2 2:1\n"})
  void aSlowStreamIsAnsweredAfterSomeSeconds(String lines) throws Exception {
    String[] parts = lines.split(";");
    Path answers = folder.resolve("answers.txt");
    List<Long> answered = new ArrayList<>();
    try (PipedOutputStream slow = new PipedOutputStream();
        InputStream in = new PipedInputStream(slow)) {
      Thread writer =
          new Thread(
              () -> {
                try (slow) {
                  slow.write(parts[0].getBytes(StandardCharsets.UTF_8));
                  for (int i = 0; i < 9; i++) {
                    slow.write(parts[1 + i % 2].getBytes(StandardCharsets.UTF_8));
                    slow.flush();
                    Thread.sleep(1200);
                    answered.add(Files.exists(answers) ? Files.size(answers) : 0);
                  }
                } catch (IOException | InterruptedException gone) {
                  throw new IllegalStateException(gone);
                }
              });
      writer.start();
      Shell.Result run = Shell.run(in, "online", "-", "--gamma=1", "--answers=" + answers);
      writer.join();
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.err())
          .containsPattern("rows arrive slowly: the first [4-8] with a label determine");
      assertThat(answered.get(7)).as("bytes of answers before the last row").isPositive();
      assertThat(Files.readAllLines(answers)).hasSize(9);
    }
  }

  @Test
  void aCheckpointIsNotWrittenOver() throws IOException {
    Path checkpoint = folder.resolve("c.avm");
    assertThat(train("--checkpoint", checkpoint.toString(), "--checkpoint-every=10").code())
        .isZero();
    byte[] before = Files.readAllBytes(checkpoint);
    Shell.Result refused = train("--checkpoint", checkpoint.toString());
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("c.avm: exists already; use --resume to continue from it");
    assertThat(Files.readAllBytes(checkpoint)).isEqualTo(before);
  }

  @Test
  void helpIsShortUnlessAllIsAskedFor() {
    String asked = Shell.run("help", "train").out();
    String all = Shell.run("train", "--help-all").out();
    assertThat(asked)
        .isEqualTo(Shell.run("train", "--help").out())
        .contains("--label=COLUMN", "'avm train --help-all' shows all", "avm train table.csv")
        .doesNotContain("--tree-ways", "Exit codes");
    assertThat(asked.lines().count()).isLessThan(90);
    assertThat(all).contains("--tree-ways", "--label=COLUMN", "Exit codes");
    assertThat(Shell.run("help", "data", "describe").out()).startsWith("Usage: avm data describe");
    assertThat(Shell.run("help").out()).startsWith("Usage: avm [OPTIONS] COMMAND");
    Shell.Result unknown = Shell.run("help", "trian");
    assertThat(unknown.code()).isEqualTo(Failure.USAGE);
    assertThat(unknown.err()).contains("'trian'", "train");
    assertThat(Shell.run("data", "--help").out())
        .contains("avm data describe table.csv")
        .doesNotContain("avm demo");
    assertThat(Shell.run("tune", "--help-all").out()).doesNotContain("--anomaly-rate");
  }

  @Test
  void whatBatchTrainingCannotDoIsRefused() {
    for (String flag : List.of("--html=x.html", "--answers=-", "--scores=-", "--checkpoint=c")) {
      Shell.Result refused = train("--batch", flag);
      assertThat(refused.code()).as(flag).isEqualTo(2);
      assertThat(refused.err()).contains(flag.substring(0, flag.indexOf('=')));
    }
    assertThat(train("--batch", "--freeze").code()).isZero();
  }

  @Test
  void aTextThatWasNeverLearnedIsTold() throws IOException {
    train();
    Path next = folder.resolve("next.csv");
    Files.writeString(
        next,
        "when,size,colour,note\n2020-01-01,1,red,a\n2020-01-01,1,pink,b\n2020-01-01,1,gold,c\n");
    Shell.Result answered = Shell.run("predict", next.toString(), "-m", model);
    assertThat(answered.code()).as(answered.err()).isZero();
    assertThat(answered.err())
        .contains("column 'colour' has texts that the model has not learned")
        .contains("the first on line 3: 'pink'")
        .doesNotContain("gold");
    assertThat(Shell.run("predict", table, "-m", model).err()).doesNotContain("not learned");
  }

  @Test
  void moreFeaturesThanTheModelKnowsAreTold() throws IOException {
    Path narrow = folder.resolve("narrow.libsvm");
    Path wide = folder.resolve("wide.libsvm");
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      rows.append(i % 2 == 0 ? "+1" : "-1").append(" 1:").append(i % 7).append(" 8:1\n");
    }
    Files.writeString(narrow, rows);
    Files.writeString(wide, "+1 1:1 123:1\n-1 1:2 57:1\n");
    assertThat(Shell.run("train", narrow.toString(), "-m", model, "--gamma=1").code()).isZero();
    assertThat(Shell.run("predict", wide.toString(), "-m", model).err())
        .contains("rows have up to 123 features, but the model was trained on 8");
    assertThat(Shell.run("predict", narrow.toString(), "-m", model).err())
        .doesNotContain("features, but the model");
  }

  @Test
  void aFolderIsNoModel() {
    Shell.Result refused = Shell.run("predict", table, "-m", folder.toString());
    assertThat(refused.code()).isEqualTo(66);
    assertThat(refused.err()).contains(folder + ": is a folder, expected a model");
  }

  @Test
  void aPipeIsDescribedLikeAFile() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(Path.of(table)));
    lines.add("1,2,3");
    Files.write(Path.of(table), lines);
    Shell.Result file = Shell.run("data", "describe", table);
    Shell.Result pipe =
        Shell.run(Files.newInputStream(Path.of(table)), "data", "describe", "-", "--label=class");
    assertThat(pipe.code()).as(pipe.err()).isZero();
    assertThat(pipe.out()).startsWith("column").isEqualTo(file.out());
    assertThat(pipe.err()).isEqualTo(file.err().replace(table, "standard input"));
    assertThat(Shell.run("data", "describe", "-").err())
        .contains("standard input: there are no rows");
  }

  @Test
  void tooLittleMemoryHasACodeOfItsOwn() throws Exception {
    Path wide = folder.resolve("wide.libsvm");
    StringBuilder row = new StringBuilder("1");
    for (int i = 1; i <= 400_000; i++) {
      row.append(' ').append(i).append(":0.5");
    }
    Files.writeString(wide, row + "\n-1 1:1\n" + row + "\n");
    List<String> words = new ArrayList<>(Shell.process("train", wide.toString(), "-m", model));
    words.add(1, "-Xmx24m");
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    String log = Files.readString(folder.resolve("log"));
    assertThat(process.exitValue()).as(log).isEqualTo(71);
    assertThat(log).contains("out of memory", "AVM_JAVA_OPTS=-Xmx8g");
    assertThat(Path.of(model)).doesNotExist();
  }

  @Test
  void whereNothingCanBeWrittenIsTold() {
    assumeThat(Path.of("/proc/self")).exists();
    train();
    for (String[] words :
        new String[][] {
          {"train", table, "-m", "/proc/x.avm", "--gamma=1"},
          {"train", table, "-m", model + ".new", "--html", "/proc/x.html"},
          {"online", table, "--plot", "/proc/x.png", "--gamma=1"},
          {"online", table, "--answers", "/proc/x.txt", "--gamma=1"},
          {"online", table, "--checkpoint", "/proc/x.ckpt", "--gamma=1"},
          {"evaluate", table, "-m", model, "--html", "/proc/x.html"},
          {"export", model, "--json", "/proc/x.json"},
          {"predict", table, "-m", model, "-o", "/proc/x.txt"},
        }) {
      Shell.Result refused = Shell.run(words);
      assertThat(refused.code()).as(refused.err()).isEqualTo(73);
      assertThat(refused.err()).containsPattern("/proc/x.*: (cannot be created|permission denied)");
    }
  }

  @Test
  void theReportNamesTheKernelsThatInspectNames() {
    String report = train("--average=2").out();
    assertThat(report).containsPattern("learners +the mean of 2").doesNotContain("support vectors");
    assertThat(report).doesNotContain("still running");
    Pattern told = Pattern.compile("--kernel=(\\w+)");
    Pattern inspected = Pattern.compile("(?m)^learner\\d kernel +(\\w+)");
    assertThat(names(inspected, Shell.run("inspect", model).out()))
        .hasSize(2)
        .containsOnly(names(told, report).get(0));
  }

  private static List<String> names(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }
}
