package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With two cores rows are read ahead; what comes out is what one core gives. */
class OverlapTest {
  @TempDir Path folder;
  private final StringBuilder csv = new StringBuilder("age,colour,size,label\n");

  @BeforeEach
  void makeMessyData() {
    SplitMix random = new SplitMix(3);
    for (int i = 0; i < 4000; i++) {
      String age = i % 13 == 0 ? "" : "" + random.nextInt(90);
      String colour = random.nextInt(3) == 0 ? "red" : i > 3000 ? "late" : "blue";
      String label = i % 501 == 500 ? "" : random.nextInt(2) == 0 ? "yes" : "no";
      csv.append(age).append(',').append(colour).append(',').append(random.getAsDouble());
      csv.append(i % 777 == 776 ? ",too,many," : ",").append(label).append('\n');
    }
  }

  @Test
  void filesWithHolesAndBadLines() throws Exception {
    Path file = Files.writeString(folder.resolve("data.csv"), csv);
    String[] words = {"online", file.toString(), "--skip-bad-lines", "--scale", "standard"};
    String one = run(1, null, words);
    assertThat(run(2, null, words)).isEqualTo(one).contains("bad lines");
    assertThat(folder.resolve("model2")).hasSameBinaryContentAs(folder.resolve("model1"));
    assertThat(folder.resolve("scores2")).hasSameBinaryContentAs(folder.resolve("scores1"));
  }

  @Test
  void aBadLineStopsBothAtTheSameLine() throws Exception {
    Path file = Files.writeString(folder.resolve("data.csv"), csv);
    String[] words = {"online", file.toString(), "--scale", "unit"};
    String one = run(1, null, words);
    assertThat(run(2, null, words))
        .isEqualTo(one)
        .contains("data.csv:778: expected 4 fields, found 6");
  }

  @Test
  @Tag("slow")
  void standardInput() throws Exception {
    String libsvm = csv.toString().replaceAll("(?m)^.*,(0\\.[0-9E-]+),.*$", "1 1:$1");
    String rows = libsvm.substring(libsvm.indexOf('\n') + 1).replaceFirst("(?m)^1 ", "2 ");
    for (String text : List.of(rows, csv.toString())) {
      Path file = Files.writeString(folder.resolve("piped"), text);
      String[] words = {"online", "-", "--skip-bad-lines", "--scale=unit", "--warm-up=100"};
      assertThat(run(2, file, words)).isEqualTo(run(1, file, words)).contains("mistake rate");
      assertThat(folder.resolve("model2")).hasSameBinaryContentAs(folder.resolve("model1"));
      assertThat(folder.resolve("scores2")).hasSameBinaryContentAs(folder.resolve("scores1"));
    }
  }

  /** What the command says on so many cores, but for the time. */
  private String run(int cores, Path in, String... words) throws Exception {
    List<String> all = Shell.process(words);
    all.add(1, "-XX:ActiveProcessorCount=" + cores);
    all.addAll(List.of("--gamma=1", "--delta=0.2", "--lambda=1e-4", "--quiet"));
    all.addAll(List.of("-m", folder.resolve("model" + cores).toString()));
    all.addAll(List.of("--scores", folder.resolve("scores" + cores).toString()));
    ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.redirectInput(
        in == null ? ProcessBuilder.Redirect.PIPE : ProcessBuilder.Redirect.from(in.toFile()));
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said.replaceAll("(?m)^(time|model|again) .*$", "");
  }
}
