package org.avm4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.avm4j.Features;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What docs/embedding.md gives to Gradle and jbang is found in a local repository, compiles and
 * runs.
 */
class SnippetsTest {
  private static final Pattern BLOCK = Pattern.compile("```(\\w+)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern COORDINATES = Pattern.compile("org\\.avm4j:([\\w-]+):([\\w.-]+)");

  @TempDir Path repository;
  @TempDir Path folder;

  private static String block(String language, String part) throws IOException {
    return BLOCK
        .matcher(Files.readString(Path.of("..", "docs", "embedding.md")))
        .results()
        .filter(found -> found.group(1).equals(language) && found.group(2).contains(part))
        .findFirst()
        .orElseThrow()
        .group(2);
  }

  /** Puts the core into the repository, laid out as Maven does. */
  private void install() throws Exception {
    String version = System.getProperty("project.version");
    Path jar =
        repository.resolve("org/avm4j/avm-core/" + version + "/avm-core-" + version + ".jar");
    Files.createDirectories(jar.getParent());
    Path found =
        Path.of(Features.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isRegularFile(found)) {
      Files.copy(found, jar);
    } else {
      pack(found, jar);
    }
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> all = Files.walk(classes)) {
      for (Path path : all.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(path).toString().replace('\\', '/')));
        Files.copy(path, out);
      }
    }
  }

  /** The jar that a snippet asks for. */
  private Path resolve(String snippet) {
    Matcher found = COORDINATES.matcher(snippet);
    assertThat(found.find()).as(snippet).isTrue();
    String name = found.group(1);
    String version = found.group(2);
    Path jar =
        repository.resolve(
            "org/avm4j/" + name + "/" + version + "/" + name + "-" + version + ".jar");
    assertThat(jar).exists();
    return jar;
  }

  @Test
  void gradleFindsTheCoordinates() throws Exception {
    install();
    resolve(block("groovy", "dependencies"));
  }

  @Test
  void theFileForJbangCompilesAndRuns() throws Exception {
    install();
    String code = block("java", "//DEPS");
    Path jar = resolve(code);
    Path source = folder.resolve("Spirals.java");
    Files.writeString(source, code);
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", jar.toString(), "-d", folder.toString(), "" + source);
    assertThat(failed).isZero();
    assertThat(run(jar)).containsPattern("^\\d{1,2} mistakes in 500 instances");
  }

  /** One after the other they are a program that sees only what the module exports to everybody. */
  @Test
  void theOtherBlocksCompileOnTheModulePath() throws Exception {
    String blocks =
        BLOCK
            .matcher(Files.readString(Path.of("..", "docs", "embedding.md")))
            .results()
            .filter(found -> found.group(1).equals("java") && !found.group(2).contains("//DEPS"))
            .map(found -> found.group(2))
            .collect(Collectors.joining("\n"));
    assertThat(blocks).contains("new AutoAvm()", "new Avm(options)", "TabularLearner.automatic()");
    Files.writeString(
        folder.resolve("module-info.java"), "module page { requires org.avm4j.core; }");
    Files.createDirectory(folder.resolve("page"));
    Files.writeString(
        folder.resolve("page/Page.java"),
        String.join(
            "\n",
            "package page;",
            "import java.nio.file.Path;",
            "import java.util.*;",
            "import org.avm4j.*;",
            "import org.avm4j.auto.*;",
            "import org.avm4j.table.*;",
            "class Page {",
            "  static void run(double[][] rows, double[] labels) throws Exception {",
            blocks,
            "  }",
            "}"));
    install();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    ToolProvider.getSystemJavaCompiler()
        .run(
            null,
            null,
            errors,
            "-proc:none",
            "--module-path",
            resolve(block("groovy", "dependencies")).toString(),
            "-d",
            folder.toString(),
            folder.resolve("module-info.java").toString(),
            folder.resolve("page/Page.java").toString());
    assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  private String run(Path jar) throws Exception {
    Path out = folder.resolve("out");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            jar + File.pathSeparator + folder,
            "Spirals");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).isTrue();
    return Files.readString(out);
  }
}
