package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The three commands of the README that lead from a CSV to a scored file. */
class FirstStepsTest {
  @TempDir Path folder;

  private void table(String name, int rows, long seed) throws IOException {
    SplitMix random = new SplitMix(seed);
    StringBuilder text = new StringBuilder("age,city,income,class\n");
    for (int i = 0; i < rows; i++) {
      int age = 18 + random.nextInt(60);
      String city = List.of("Paris", "Rome", "Oslo").get(random.nextInt(3));
      boolean isYes = age > 48 != city.equals("Oslo");
      text.append(
          age + "," + city + "," + random.nextInt(50_000) + "," + (isYes ? "yes" : "no") + "\n");
    }
    Files.writeString(folder.resolve(name), text);
  }

  private List<String> commands() throws IOException {
    String readme = Files.readString(Path.of("..", "README.md"));
    String part = readme.substring(readme.indexOf("## From a CSV to a scored file"));
    return Arrays.stream(part.split("```")[1].split("\n")).filter(line -> !line.isBlank()).toList();
  }

  private Shell.Result run(String line) {
    String[] words =
        Arrays.stream(line.split(" "))
            .skip(1)
            .map(word -> word.matches(".*\\.[a-z]+") ? folder.resolve(word).toString() : word)
            .toArray(String[]::new);
    return Shell.run(words);
  }

  @Test
  void threeCommandsLeadToAScoredFileAndEveryLineIsExplained() throws IOException {
    table("table.csv", 600, 1);
    table("test.csv", 200, 2);
    table("new.csv", 50, 3);
    String page = Files.readString(Path.of("..", "docs", "reports.md")).toLowerCase(Locale.ROOT);
    assertThat(commands()).hasSize(3);
    List<String> sizes = new ArrayList<>();
    for (String command : commands()) {
      Shell.Result result = run(command);
      assertThat(result.code()).as(command + result.err()).isZero();
      result.out().lines().filter(line -> line.startsWith("size ")).forEach(sizes::add);
      if (!command.contains("predict")) {
        result
            .out()
            .lines()
            .takeWhile(line -> !line.isBlank())
            .forEach(line -> explained(line, page));
      }
    }
    assertThat(sizes.stream().map(line -> line.substring(5).strip()).distinct())
        .as("train and evaluate tell the same of one model")
        .singleElement()
        .asString()
        .contains("core points of 5 learners", "leaves of boosted trees");
    assertThat(sizes).hasSize(2);
    assertThat(folder.resolve("answers.txt")).content().matches("((yes|no)\n){50}");
    assertThat(folder.resolve("report.html")).content().contains("Which columns matter");
  }

  private static void explained(String line, String page) {
    String name = line.split("  |:")[0].toLowerCase(Locale.ROOT);
    assertThat(page).as(line).contains(name);
  }
}
