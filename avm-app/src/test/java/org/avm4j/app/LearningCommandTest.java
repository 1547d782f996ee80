package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code online} and {@code train} say of the learner. */
class LearningCommandTest {
  @TempDir Path folder;
  private Path data;

  @BeforeEach
  void generate() {
    data = file("data.libsvm");
    run("data", "generate", "checkerboard", "--rows", "1000", "-o", data.toString());
  }

  private static Shell.Result run(String... args) {
    Shell.Result result = Shell.run(args);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  /** Automatic mode wraps the machine that forgets; the curve must see through it. */
  @ParameterizedTest
  @ValueSource(strings = {"", "--gamma=4"})
  void theCurveSeesWhatIsForgottenAndFound(String option) {
    Path changing = file("abrupt.libsvm");
    run("data", "generate", "abrupt", "--rows=54000", "-o", changing.toString());
    String[] window = {"online", data.toString(), "--forget=200", "--json", "-q", option};
    List<String> memories = values("memory", run(given(window)).out());
    assertThat(memories).hasSizeGreaterThan(20).contains("8.0", "200.0").endsWith("200.0");
    String[] auto = {
      "online", changing.toString(), "--forget=auto", "--max-size=30", "--json", "-q", option
    };
    String said = run(given(auto)).out();
    String curve = said.substring(said.indexOf("\"curve\""));
    String found = values("drifts", said).get(0);
    assertThat(found).isNotEqualTo("0");
    assertThat(values("drifts", curve)).startsWith("0").endsWith(found);
    List<String> kept = values("memory", curve);
    assertThat(Double.parseDouble(kept.get(kept.size() - 1))).isLessThan(54_000);
  }

  private static String[] given(String... words) {
    return Arrays.stream(words).filter(word -> !word.isEmpty()).toArray(String[]::new);
  }

  /** All values of a name in JSON text. */
  private static List<String> values(String name, String json) {
    List<String> all = new ArrayList<>();
    Matcher found = Pattern.compile("\"" + name + "\" : ([-0-9.E]+)").matcher(json);
    while (found.find()) {
      all.add(found.group(1));
    }
    return all;
  }

  @Test
  void anOptionOfAnotherLearnerIsRefused() {
    Shell.Result refused = Shell.run("online", data.toString(), "--learner=fogd", "--delta=3");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).isEqualTo("avm: --delta is not an option of fogd\n");
    assertThat(Shell.run("online", data.toString(), "-c=3", "--lambda=2", "-q").err())
        .isEqualTo("avm: -c and --lambda set the same parameter, give one of them\n");
    assertThat(
            Shell.run(
                    "train",
                    data.toString(),
                    "-m",
                    file("m").toString(),
                    "--learner=ogd",
                    "--batch")
                .err())
        .isEqualTo("avm: --learner must be avm here, not ogd\n");
  }
}
