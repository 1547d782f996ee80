package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The bits of {@link SameBitsTest} in other modes of execution, each in a JVM of its own. */
@Tag("slow")
class SameBitsElsewhereTest {
  /** Runs that use each task, loss, kernel, update and kind of memory, within a few seconds. */
  private static final String[] EACH_CHOICE = {
    "anomaly-40",
    "binary-hinge-gaussian-sgd-decaying",
    "binary-logistic-matern52-sgd",
    "binary-smooth-hinge-laplacian-newton",
    "multiclass-hinge-gaussian-newton-merge-horizon",
    "multiclass-hinge-gaussian-sgd-declared-suffix",
    "multiclass-logistic-gaussian-sgd-calibrated",
    "regression-epsilon-insensitive-matern32-sgd",
    "regression-l1-rational-quadratic-newton",
    "regression-l2-gaussian-newton-forgetting",
    "regression-l2-gaussian-newton-linear-merge",
    "regression-l2-gaussian-sgd-projected",
    "tree-binary",
  };

  /** Even fewer, because a fused multiply-add without an instruction takes a microsecond. */
  private static final String[] TWO = {"anomaly-40", "binary-hinge-gaussian-sgd-merge-horizon"};

  /** By the second time the JIT compiler has seen all loops. */
  @Test
  void compiledCodeHasTheSameFingerprints() throws Exception {
    assertSame(List.of("-Dbits.repeat=2"), "");
  }

  @Test
  void theInterpreterHasTheSameFingerprints() throws Exception {
    assertSame(List.of("-Xint"), EACH_CHOICE);
  }

  @Test
  void moreCoresHaveTheSameFingerprints() throws Exception {
    List<String> eight = List.of("-Djava.util.concurrent.ForkJoinPool.common.parallelism=7");
    assertSame(eight, "batch", "automatic-multiclass");
  }

  @Test
  void processorsWithoutFusedMultiplyAddHaveTheSameFingerprints() throws Exception {
    assertSame(List.of("-XX:+IgnoreUnrecognizedVMOptions", "-XX:-UseFMA"), TWO);
  }

  private static void assertSame(List<String> flags, String... words) throws Exception {
    Map<String, String> expected = new TreeMap<>(BitsRuns.recorded());
    expected.keySet().removeIf(name -> Arrays.stream(words).noneMatch(name::contains));
    assertThat(expected).isNotEmpty();
    assertThat(inAnotherJvm(flags, words)).isEqualTo(expected);
  }

  private static Map<String, String> inAnotherJvm(List<String> flags, String... words)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-cp", home(Avm.class) + File.pathSeparator + home(BitsRuns.class)));
    command.add(BitsRuns.class.getName());
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      Map<String, String> found = BitsRuns.parse(lines.lines().toList());
      assertThat(process.waitFor()).isZero();
      return found;
    }
  }

  private static Path home(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
