package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the help says is true. */
@Tag("slow")
class HelpTest {

  @TempDir static Path folder;

  @TestFactory
  List<DynamicTest> everyExampleOfTheHelpWorks() throws IOException {
    prepare();
    List<DynamicTest> tests = new ArrayList<>();
    for (String example : examples(Main.commandLine())) {
      tests.add(DynamicTest.dynamicTest(example, () -> runs(example)));
    }
    assertThat(tests).hasSizeGreaterThan(20);
    return tests;
  }

  private static void prepare() throws IOException {
    Shell.install(folder);
    for (String name : List.of("train.libsvm", "test.libsvm", "data.libsvm")) {
      generate("checkerboard", name);
    }
    Files.copy(folder.resolve("train.libsvm"), folder.resolve("YOUR-FILE"));
    generate("mixture", "table.csv");
    Files.copy(folder.resolve("table.csv"), folder.resolve("train.csv"));
    Files.copy(folder.resolve("table.csv"), folder.resolve("test.csv"));
    Files.writeString(
        folder.resolve("table.csv"),
        Files.readString(folder.resolve("table.csv")).replaceFirst("label", "class"));
    Files.writeString(folder.resolve("new.csv"), "x1,x2,x3,x4,x5\n0.1,0.2,0,1,0\n0.3,-0.4,1,0,0\n");
    Files.writeString(folder.resolve("tokens.txt"), "admin " + "0".repeat(64) + "\n");
    String prices = "size,colour,price\n1,red,10.5\n2,blue,20\n3,red,31\n4,blue,39.5\n";
    try (GZIPOutputStream out =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("big.csv.gz")))) {
      out.write(prices.getBytes());
    }
    Files.writeString(
        folder.resolve("svm.model"),
        "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\n"
            + "nr_sv 1 1\nSV\n1 1:1 2:1 \n-1 1:-1 2:1 \n");
    Files.writeString(folder.resolve("svm.range"), "x\n-1 1\n1 -2 2\n2 -2 2\n");
    Shell.Result trained =
        Shell.run(
            "train",
            folder.resolve("train.libsvm").toString(),
            "-m",
            folder.resolve("model.avm").toString(),
            "-q");
    assertThat(trained.code()).as(trained.err()).isZero();
    Files.copy(folder.resolve("model.avm"), folder.resolve("rare.avm"));
  }

  private static void generate(String generator, String name) {
    Shell.Result result =
        Shell.run(
            "data", "generate", generator, "--rows", "200", "-o", folder.resolve(name).toString());
    assertThat(result.code()).as(result.err()).isZero();
  }

  private static List<String> examples(CommandLine command) {
    List<String> examples = new ArrayList<>();
    for (String line : command.getCommandSpec().usageMessage().footer()) {
      if (line.startsWith("  ")) {
        examples.add(line.strip());
      }
    }
    command.getSubcommands().values().forEach(sub -> examples.addAll(examples(sub)));
    return examples;
  }

  private static void runs(String example) throws Exception {
    String shorter =
        example
            .replaceAll("--instances [0-9]{5,}", "--instances 5000")
            .replaceAll("--rows [0-9]{5,}", "--rows 1000")
            .concat(isService(example) ? " --port 0" : "");
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", shorter);
    builder.directory(folder.toFile());
    builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    builder.environment().put("HOME", folder.toString());
    Process process =
        builder.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
    if (isService(example)) {
      endsWhenAsked(process);
      return;
    }
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).isTrue();
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("log"))).isZero();
  }

  private static boolean isService(String example) {
    return example.endsWith("--serve")
        || example.startsWith("avm serve --data") && !example.contains("--backup");
  }

  /** A service runs until it is asked to end. */
  private static void endsWhenAsked(Process process) throws Exception {
    Path log = folder.resolve("log");
    for (int i = 0; i < 600 && !Files.readString(log).contains("listening at"); i++) {
      Thread.sleep(100);
    }
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(Files.readString(log)).contains("listening at").contains("\"event\":\"stop\"");
  }

  @Test
  void theManualPageHasEveryCommand() {
    String page = Shell.run("man").out();
    assertThat(page).startsWith(".TH AVM 1").contains(".SH AVM ONLINE", ".SH AVM DATA CONVERT");
    assertThat(page.lines().filter(line -> line.startsWith("'"))).isEmpty();
  }

  @Test
  void theCompletionScriptKnowsTheOptions() {
    assertThat(Shell.run("completion").out()).contains("--checkpoint-every", "online", "matern52");
  }
}
