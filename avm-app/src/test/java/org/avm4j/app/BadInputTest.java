package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.avm4j.io.Compression;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that is damaged or odd: one sentence, the right exit code, and nothing lost. */
class BadInputTest {
  private static final String[] QUICK = {"--learner", "ogd", "--gamma", "4", "-q"};

  @TempDir Path folder;
  private byte[] rows;

  @BeforeEach
  void generate() throws IOException {
    Path data = folder.resolve("rows.libsvm");
    Shell.run("data", "generate", "checkerboard", "--rows", "3000", "-o", data.toString());
    rows = Files.readAllBytes(data);
  }

  private Path write(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }

  private Path text(String name, String... lines) throws IOException {
    return write(name, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static Shell.Result online(Path file, String... more) {
    String[] words = Arrays.copyOf(new String[] {"online", file.toString()}, 2 + more.length);
    System.arraycopy(more, 0, words, 2, more.length);
    return Shell.run(words);
  }

  private byte[] packed(String ending) throws IOException {
    Path file = folder.resolve("good" + ending);
    try (OutputStream out = Compression.ofName(ending).pack(Files.newOutputStream(file))) {
      out.write(rows);
    }
    return Files.readAllBytes(file);
  }

  @ParameterizedTest
  @ValueSource(strings = {".gz", ".bz2", ".xz"})
  void packedDataThatIsCutOrFollowedByGarbageIsBad(String ending) throws IOException {
    byte[] good = packed(ending);
    assertThat(online(folder.resolve("good" + ending), QUICK).code()).isZero();
    byte[] cut = Arrays.copyOf(good, good.length * 2 / 3);
    byte[] more = Arrays.copyOf(good, good.length + 9);
    Arrays.fill(more, good.length, more.length, (byte) 'x');
    for (byte[] bad : new byte[][] {cut, more}) {
      Shell.Result result = online(write("bad" + ending, bad), QUICK);
      assertThat(result.code()).isEqualTo(Failure.BAD_DATA);
      assertThat(result.err())
          .contains("bad" + ending + ": damaged or truncated")
          .doesNotContain("null");
    }
  }

  /** The end of the packed data falls on every place of the buffer of the unpacker. */
  @ParameterizedTest
  @ValueSource(ints = {1, 9, 100, 70_000})
  void severalMembersAreReadAndGarbageAfterThemIsNot(int garbage) throws IOException {
    byte[] good = packed(".gz");
    byte[] twice = Arrays.copyOf(good, 2 * good.length);
    System.arraycopy(good, 0, twice, good.length, good.length);
    assertThat(online(write("twice.gz", twice), QUICK).out()).contains("6,000");
    byte[] more = Arrays.copyOf(twice, twice.length + garbage);
    Arrays.fill(more, twice.length, more.length, (byte) '1');
    assertThat(online(write("more.gz", more), QUICK).code()).isEqualTo(Failure.BAD_DATA);
  }

  @Test
  void aValueThatIsTooLargeIsNamedByItsColumn() throws IOException {
    Path table = text("t.csv", "age,height,y", "1,2,a", "3,1e20,b", "2,2,a");
    assertThat(online(table, "-q").err())
        .contains("t.csv:3: column 'height' holds numbers within ±1e15, found '1e20'")
        .doesNotContain("feature 1 ");
    Path plain = text("t.libsvm", "1 1:2 2:1e20", "-1 1:3");
    assertThat(online(plain, "-q").err()).contains("t.libsvm:1: x2 must be within ±1e15");
  }

  @Test
  void rowsBeforeABadLineOfTheWarmUpAreLearnedAndSaved() {
    String good =
        new String(rows, StandardCharsets.UTF_8).lines().limit(50).reduce("", BadInputTest::join);
    Path model = folder.resolve("m.avm");
    Shell.Result result =
        Shell.run(
            new ByteArrayInputStream((good + "1 nonsense\n").getBytes(StandardCharsets.UTF_8)),
            "online",
            "-",
            "-m",
            model.toString(),
            "-q");
    assertThat(result.code()).isEqualTo(Failure.BAD_DATA);
    assertThat(result.err()).contains("standard input:51: expected index:value");
    assertThat(result.out()).contains("instances").contains("50");
    assertThat(model).exists();
  }

  private static String join(String all, String line) {
    return all + line + "\n";
  }

  @Test
  void stringsAndDatesOfArffAreRead() throws IOException {
    Path table =
        text(
            "t.arff",
            "@relation r",
            "@attribute a numeric",
            "@attribute s string",
            "@attribute d date 'yyyy-MM-dd'",
            "@attribute t date",
            "@attribute class {x,y}",
            "@data",
            "1,foo,'1970-01-02','1970-01-01T12:00:00',x",
            "2,bar,'1969-12-31',?,y");
    Path out = folder.resolve("t.libsvm");
    Shell.Result result = Shell.run("data", "convert", table.toString(), "-o", out.toString());
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(out).content().contains("1:1 2:1 3:0.5 4:1").contains("1:2 2:-1 3:0.5 5:1");
    Files.writeString(table, Files.readString(table).replace("1969-12-31", "31.12.1969"));
    assertThat(online(table, "-q").err())
        .contains("t.arff:9: expected a date of the form yyyy-MM-dd");
  }

  @ParameterizedTest
  @CsvSource({
    "'{0 1, 7 x}', 'from 0 to 1, found ''7'''",
    "'{1 x, 0 3}', 'must be ascending, found ''0'' after 1'",
    "'{1 x, 1 x}', 'must be ascending, found ''1'' after 1'"
  })
  void sparseArffSaysWhatIsWrong(String row, String sentence) throws IOException {
    Path table =
        text(
            "s.arff",
            "@relation r",
            "@attribute a numeric",
            "@attribute class {x,y}",
            "@data",
            row);
    assertThat(online(table, "-q").err()).contains("s.arff:5: ").contains(sentence);
  }

  @Test
  void errorsSpeakTheWordsOfTheCommandLine() throws IOException {
    Path data = folder.resolve("rows.libsvm");
    assertThat(online(data, "--task", "regression", "--loss", "hinge", "-q").err())
        .contains("hinge for regression");
    assertThat(online(data, "--learner", "svm", "-q").err()).contains("one of avm, ");
  }

  @Test
  void aMisspelledOptionIsNamedBeforeAMissingOne() {
    assertThat(Shell.run("train", "rows.libsvm", "--modle", "m.avm").err())
        .contains("avm: Unknown option: '--modle'", "Possible solutions: --model")
        .doesNotContain("Missing");
    assertThat(Shell.run("train", "rows.libsvm").err()).contains("Missing required option");
  }

  @Test
  void aPortThatIsNoneIsAWrongFlag() {
    Shell.Result result = Shell.run("serve", "--data", folder.toString(), "--port", "99999");
    assertThat(result.code()).isEqualTo(Failure.USAGE);
    assertThat(result.err())
        .isEqualToIgnoringNewLines("avm: --port must be from 0 to 65535: 99999");
  }

  @Test
  void aFolderWithoutANameIsNotTheFolderOfTheShell() {
    Shell.Result result = Shell.run("serve", "--data", "", "--port", "99999");
    assertThat(result.code()).isEqualTo(Failure.USAGE);
    assertThat(result.err()).contains("--data DIR is required");
  }

  @Test
  void aRunThatBeginsRemovesWhatAKilledOneLeft() throws IOException {
    Path left = text(".m.avm.999999999.tmp", "half a model");
    assertThat(
            online(
                    folder.resolve("rows.libsvm"),
                    "-m",
                    folder.resolve("m.avm").toString(),
                    "-q",
                    "--max-size",
                    "20")
                .code())
        .isZero();
    assertThat(left).doesNotExist();
    Path early = text(".c.999999999.tmp", "half a checkpoint");
    online(text("empty.libsvm", "1 1:1"), "--checkpoint", folder.resolve("c").toString(), "-q");
    assertThat(early).doesNotExist();
  }

  @Test
  void theListOfCommandsHasWholeSentences() {
    String help = Shell.run("--help").out();
    String commands = help.substring(help.indexOf("Commands:"), help.indexOf("Exit codes:"));
    String[] summaries =
        commands
            .replaceAll("\\s+", " ")
            .split(
                " (?=(online|train|predict|evaluate|inspect|tune|reproduce|soak|demo|man) [A-Z])");
    assertThat(summaries).hasSizeGreaterThan(8).allMatch(text -> text.strip().matches(".*[.:]"));
  }
}
