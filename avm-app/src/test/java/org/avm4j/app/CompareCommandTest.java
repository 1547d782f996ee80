package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  @TempDir Path folder;

  /** Prices that follow from the size, and from the age by this effect; sizes begin at this. */
  private String table(String name, double least, double effect, String city) throws IOException {
    Random random = new Random(name.hashCode());
    List<String> lines = new ArrayList<>(List.of("size,age,city,price"));
    for (int i = 0; i < 1500; i++) {
      double size = least + random.nextDouble();
      double age = random.nextDouble();
      String where = random.nextInt(3) > 0 ? city : "Oslo";
      double price = 10 * size + effect * age + random.nextGaussian();
      lines.add(size + "," + age + "," + where + "," + price);
    }
    return Files.write(folder.resolve(name), lines).toString();
  }

  private static String run(String... words) {
    Shell.Result result = Shell.run(words);
    assertThat(result.code()).as(result.err()).isZero();
    return result.out();
  }

  @Test
  void theColumnThatMovedIsNamed() throws IOException {
    String old = table("a.csv", 1, 3, "Rome");
    String text = run("compare", old, table("b.csv", 1.5, 3, "Rome"));
    assertThat(text).startsWith("inputs changed").contains("size moved").doesNotContain("age");
    assertThat(text).containsPattern("median 1\\.5\\d*, then median (2\\.0|1\\.9)");
    assertThat(run("compare", old, table("c.csv", 1, 3, "Rome"))).startsWith("nothing changed");
  }

  @Test
  void aCategoryThatTookThePlaceOfOthersIsNamed() throws IOException {
    Path both = folder.resolve("both.csv");
    List<String> lines = new ArrayList<>(Files.readAllLines(Path.of(table("a.csv", 1, 3, "Rome"))));
    lines.addAll(Files.readAllLines(Path.of(table("b.csv", 1, 3, "Paris"))).subList(1, 1500));
    Files.write(both, lines);
    String text = run("compare", both.toString(), table("c.csv", 1, 3, "Paris"));
    assertThat(text).startsWith("inputs changed").contains("city moved", "Paris");
  }

  @Test
  void theColumnWhoseEffectChangedIsNamedByTheErrorsOfAModel() throws IOException {
    String old = table("a.csv", 1, 3, "Rome");
    String model = folder.resolve("m.avm").toString();
    run("train", old, "-m", model, "-q", "--gamma=0.5", "--max-size=30");
    String json = run("compare", old, table("b.csv", 1, -3, "Rome"), "-m", model, "--json");
    assertThat(json)
        .contains("the rule changed, inputs did not", "\"column\" : \"age\"", "rmseAfter")
        .doesNotContain("\"column\" : \"size\"");
    assertThat(run("compare", old, table("b.csv", 1, -3, "Rome"), "-m", model))
        .contains("the effect of age changed", "rmse of the model");
  }

  @Test
  void twoFilesAreNeeded() throws IOException {
    Shell.Result one = Shell.run("compare", table("a.csv", 1, 3, "Rome"));
    assertThat(one.code()).isEqualTo(2);
    assertThat(one.err()).contains("compare needs two files, the old and the new");
  }
}
