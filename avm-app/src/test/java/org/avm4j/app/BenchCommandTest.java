package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code avm bench} says what it measured; how fast this machine is, no test knows. */
class BenchCommandTest {
  @Test
  void aGeneratedStreamIsMeasured() {
    Shell.Result result = Shell.run("bench", "--rows", "500", "--rounds", "2", "--json");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("\"instances\" : 500", "\"learnNanos\"", "\"learnNanosLeast\"")
        .contains("\"learnNanosP99.9\"", "\"scoreNanosP50\"", "\"scoreManySpeedup\"")
        .contains("\"learnBytesAllocated\"", "\"bytesPerVector\"", "\"lastTenthOverSaturated\"")
        .doesNotContain("onlineOverLearning");
  }

  @Test
  void ofFilesReadingIsMeasuredToo(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("data.libsvm");
    Files.writeString(file, "1 1:0.5 2:1\n-1 1:0.25\n".repeat(100));
    String[] words = {"bench", file.toString(), "--scale", "unit", "--rounds", "1"};
    assertThat(Shell.run(words).out())
        .containsPattern("instances +200\n")
        .contains("read megabytes per second", "online over learning");
  }

  @Test
  void tooFewRowsAreRefused(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("data.libsvm"), "1 1:0.5\n-1 1:0.25\n");
    assertThat(Shell.run("bench", "--rows", "9").code()).isEqualTo(Failure.USAGE);
    Shell.Result result = Shell.run("bench", file.toString());
    assertThat(result.code()).isEqualTo(Failure.BAD_DATA);
    assertThat(result.err()).contains("at least 10 rows are needed for a measurement");
  }
}
