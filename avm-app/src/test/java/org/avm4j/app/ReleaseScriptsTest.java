package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is released is the same list in every script, and has what Maven Central asks for. */
class ReleaseScriptsTest {
  private static final Path ROOT = Path.of("..");

  private static final List<String> NEVER = List.of("avm-bench", "avm-examples", "avm-site");

  private static Set<String> find(String pattern, Path file) throws IOException {
    Set<String> found = new TreeSet<>();
    Pattern.compile(pattern)
        .matcher(Files.readString(ROOT.resolve(file)))
        .results()
        .forEach(result -> found.add(result.group(1)));
    return found;
  }

  private static Set<String> modules() throws IOException {
    return find("<module>([^<]*)</module>", Path.of("pom.xml"));
  }

  /** The modules that a script names in an array. */
  private static Set<String> named(String script, String array) throws IOException {
    String words =
        find("(?m)^" + array + "=\\(([^)]*)\\)", Path.of(".ci", script)).iterator().next();
    Set<String> modules = new TreeSet<>();
    Arrays.stream(words.split(" ")).forEach(word -> modules.add("avm-" + word));
    return modules;
  }

  @Test
  void everyModuleIsCheckedUnlessItIsNeverReleased() throws IOException {
    Set<String> released = new TreeSet<>(modules());
    NEVER.forEach(released::remove);
    assertThat(released).hasSize(modules().size() - NEVER.size());
    assertThat(named("release-check", "released")).isEqualTo(released);
    released.remove("avm-moa");
    assertThat(named("publish-dry-run", "modules")).isEqualTo(released);
    released.removeAll(Set.of("avm-app", "avm-io", "avm-lab")); // these export nothing to others
    assertThat(named("api-compare", "modules")).isEqualTo(released);
  }

  @Test
  void everyReleasedModuleHasANameAndADescription() throws IOException {
    for (String module : named("release-check", "released")) {
      Path pom = Path.of(module, "pom.xml");
      assertThat(find("<name>([^<]+)</name>", pom)).as(module).isNotEmpty();
      assertThat(find("<description>([^<]+)</description>", pom)).as(module).isNotEmpty();
    }
    for (String needed : List.of("url", "licenses", "developers", "scm")) {
      assertThat(find("(<" + needed + ">)", Path.of("pom.xml"))).as(needed).isNotEmpty();
    }
  }

  /** Without it every jar would hold the time of its build. */
  @Test
  void theTimeInAllJarsIsFixed() throws IOException {
    assertThat(
            find(
                "<project.build.outputTimestamp>([^<]+)</project.build.outputTimestamp>",
                Path.of("pom.xml")))
        .hasSize(1);
  }
}
