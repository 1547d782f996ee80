package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code train} keeps to its time. */
class TrainCommandTest {
  @TempDir Path folder;
  private Path data;

  /** Ten columns, of which one matters, and not by a slope. */
  @BeforeEach
  void generate() throws IOException {
    data = folder.resolve("table.csv");
    Random random = new Random(3);
    StringBuilder text = new StringBuilder("a,b,c,d,e,f,g,h,i,j,y\n");
    for (int t = 0; t < 1100; t++) {
      double[] x = random.doubles(10).toArray();
      for (double value : x) {
        text.append((float) value).append(',');
      }
      text.append((float) (9 * (x[2] - 0.5) * (x[2] - 0.5))).append('\n');
    }
    Files.writeString(data, text);
  }

  private Shell.Result train(String... more) {
    String[] words = new String[more.length + 4];
    words[0] = "train";
    words[1] = data.toString();
    words[2] = "-m";
    words[3] = model().toString();
    System.arraycopy(more, 0, words, 4, more.length);
    return Shell.run(words);
  }

  private Path model() {
    return folder.resolve("model.avm");
  }

  @Test
  void whenTheTimeIsOverTheModelIsSavedAsItIs() {
    Shell.Result trained = train("--time=0.001s");
    assertThat(trained.code()).as(trained.err()).isZero();
    assertThat(trained.out()).containsPattern("instances +1\n");
    assertThat(model()).exists();
  }

  @Test
  void aTimeThatIsNoneIsRefused() {
    assertThat(train("--time=5").code()).isEqualTo(2);
    assertThat(train("--time=0s").err()).contains("must be a number above 0 with s, m or h");
    assertThat(train("--batch", "--time=5s").err()).contains("--time is for learning row by row");
  }
}
