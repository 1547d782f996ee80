package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page and the manifest name the versions of Flink that the module is built with. */
class FlinkVersionsTest {
  private static final Path PAGE = Path.of("..", "docs", "flink.md");

  private static List<MatchResult> find(String pattern, Path file) throws IOException {
    return Pattern.compile(pattern, Pattern.DOTALL)
        .matcher(Files.readString(file))
        .results()
        .toList();
  }

  private static String property(String name) throws IOException {
    return find("<" + name + ">([^<]*)</", Path.of("pom.xml")).get(0).group(1);
  }

  @Test
  void thePageHasEveryVersionWithItsProfileAndConnector() throws IOException {
    String usual = property("flink.kafka.version");
    Map<String, String> built = new TreeMap<>();
    built.put(property("flink.version"), "none, " + usual);
    String profile =
        "<id>(flink-[0-9.]+)</id>\\s*<properties>\\s*<flink.version>([^<]*)</flink.version>"
            + "(?:\\s*<flink.kafka.version>([^<]*)</flink.kafka.version>)?";
    for (MatchResult each : find(profile, Path.of("pom.xml"))) {
      String kafka = each.group(3) == null ? usual : each.group(3);
      built.put(each.group(2), "`-P" + each.group(1) + "`, " + kafka);
    }
    assertThat(built).hasSize(3);
    Map<String, String> told = new TreeMap<>();
    for (MatchResult line : find("\\| ([0-9.]+) \\| ([^|]*) \\| ([^|]*) \\|", PAGE)) {
      told.put(line.group(1), line.group(2) + ", " + line.group(3));
    }
    assertThat(told).isEqualTo(built);
  }

  @Test
  void theImageAndTheManifestHaveTheUsualVersion() throws IOException {
    String version = property("flink.version");
    assertThat(PAGE).content().contains("FROM flink:" + version + "-java17");
    String word = "v" + version.replaceFirst("\\.[0-9]+$", "").replace('.', '_');
    assertThat(Path.of("src/cluster/kubernetes.yaml")).content().contains("flinkVersion: " + word);
  }
}
