package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every type and member that others can see has a Javadoc comment, and every comment is well
 * formed. Extend this in a module to check its source.
 *
 * <p>The compiler's own doclint looks. A comment begins with a sentence that stands alone; tags for
 * every parameter, result and exception are not asked for (docs/decisions/013-javadoc.md).
 */
public abstract class DocumentationContract {
  private static final Path SOURCE = Path.of("src/main/java");

  /** What doclint asks for and our style does not. */
  private static final Pattern UNWANTED = Pattern.compile("no @(param|return|throws)\\b.*");

  /**
   * What the lines around it say: the constructor of a record, whose parameters are described above
   * it, and the constant of an enum that is made with arguments.
   */
  private static final Pattern EXPLAINED =
      Pattern.compile("\\s*(public \\w+ \\{|[A-Z][A-Z0-9_]*\\(.*)");

  /** Left over where the lines of a comment were joined. */
  private static final Pattern STRAY = Pattern.compile("(?m)\\w\\.? \\* @|^ *\\* \\* ");

  /** A phrase that stands for a number which the reader has to guess. */
  private static final Pattern VAGUE =
      Pattern.compile("\\b(so|as|that)(\\s+\\*)?\\s+many\\b", Pattern.CASE_INSENSITIVE);

  @TempDir Path classes;

  @Test
  void everyPublicTypeAndMemberIsDocumented() throws IOException {
    assertThat(complaints()).isEmpty();
  }

  @Test
  void noStarOfACommentStandsInItsText() throws IOException {
    for (Path file : sources()) {
      assertThat(STRAY.matcher(Files.readString(file)).results().count()).as("%s", file).isZero();
    }
  }

  @Test
  void countsAreNamed() throws IOException {
    for (Path file : sources()) {
      assertThat(VAGUE.matcher(Files.readString(file)).results().count()).as("%s", file).isZero();
    }
  }

  private List<String> complaints() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(found, Locale.ENGLISH, StandardCharsets.UTF_8)) {
      List<String> options =
          List.of(
              "-Xdoclint:all/protected",
              "-Xmaxwarns",
              "100000",
              "-proc:none",
              "-XDshould-stop.ifNoError=ATTR", // comments are checked before classes are made
              "-cp",
              System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
              "-d",
              classes.toString());
      compiler
          .getTask(
              new StringWriter(),
              files,
              found,
              options,
              null,
              files.getJavaFileObjectsFromPaths(sources()))
          .call();
    }
    return found.getDiagnostics().stream()
        .filter(complaint -> !UNWANTED.matcher(text(complaint)).matches())
        .filter(complaint -> !isExplained(complaint))
        .map(complaint -> place(complaint) + text(complaint))
        .toList();
  }

  /** Without the descriptor of the module: the class path is enough to read comments. */
  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCE)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("module-info.java"))
          .toList();
    }
  }

  private static String text(Diagnostic<?> complaint) {
    return complaint.getMessage(Locale.ENGLISH);
  }

  private static String place(Diagnostic<? extends JavaFileObject> complaint) {
    return complaint.getSource() == null
        ? ""
        : complaint.getSource().getName() + ":" + complaint.getLineNumber() + ": ";
  }

  private static boolean isExplained(Diagnostic<? extends JavaFileObject> complaint) {
    try {
      return complaint.getSource() != null
          && text(complaint).equals("no comment")
          && EXPLAINED.matcher(line(complaint)).matches();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String line(Diagnostic<? extends JavaFileObject> complaint) throws IOException {
    String source = complaint.getSource().getCharContent(true).toString();
    return source.lines().skip(complaint.getLineNumber() - 1).findFirst().orElse("");
  }
}
