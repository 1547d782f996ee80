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
    assertThat(text).startsWith("the inputs changed").contains("size moved").doesNotContain("age");
    assertThat(text).containsPattern("median 1\\.5\\d*, then median (2\\.0|1\\.9)");
    assertThat(run("compare", old, table("d.csv", 1, 3, "Rome"))).startsWith("nothing changed");
  }

  @Test
  void aCategoryThatTookThePlaceOfOthersIsNamed() throws IOException {
    Path both = folder.resolve("both.csv");
    List<String> lines = new ArrayList<>(Files.readAllLines(Path.of(table("a.csv", 1, 3, "Rome"))));
    lines.addAll(Files.readAllLines(Path.of(table("b.csv", 1, 3, "Paris"))).subList(1, 1500));
    Files.write(both, lines);
    String text = run("compare", both.toString(), table("c.csv", 1, 3, "Paris"));
    assertThat(text).startsWith("the inputs changed").contains("city moved", "Paris");
  }

  @Test
  void theColumnWhoseEffectChangedIsNamedByTheErrorsOfAModel() throws IOException {
    String old = table("a.csv", 1, 3, "Rome");
    String model = folder.resolve("m.avm").toString();
    run("train", old, "-m", model, "-q", "--gamma=0.5", "--max-size=30");
    String json = run("compare", old, table("b.csv", 1, -3, "Rome"), "-m", model, "--json");
    assertThat(json)
        .contains(
            "the relation to the labels changed, the inputs did not",
            "\"column\" : \"age\"",
            "rmseAfter")
        .doesNotContain("\"column\" : \"size\"");
    assertThat(run("compare", old, table("b.csv", 1, -3, "Rome"), "-m", model))
        .contains("the effect of age changed", "rmse of the model");
  }

  /** Classes that follow from nothing: each row has one of these labels, or none. */
  private String classes(String name, String... labels) throws IOException {
    Random random = new Random(name.hashCode());
    List<String> lines = new ArrayList<>(List.of("size,age,class"));
    for (int i = 0; i < 1500; i++) {
      String label = labels[random.nextInt(labels.length)];
      lines.add(random.nextDouble() + "," + random.nextDouble() + "," + label);
    }
    return Files.write(folder.resolve(name), lines).toString();
  }

  @Test
  void labelsThatVanishedAreTold() throws IOException {
    String old = classes("a.csv", "yes", "no");
    String text = run("compare", old, classes("b.csv", "?"));
    assertThat(text)
        .startsWith("the inputs did not change; no row of the new file has a label")
        .contains("rows with a label: 100.0 %, then 0.0 %")
        .doesNotContain("NaN");
    String json = run("compare", old, classes("b.csv", "?"), "--json");
    assertThat(json).doesNotContain("null", "NaN").contains("\"labelledPercent\"");
    assertThat(run("compare", classes("b.csv", "?"), old))
        .startsWith("the inputs did not change; no row of the old file has a label");
    assertThat(run("compare", classes("b.csv", "?"), classes("c.csv", "?")))
        .startsWith("the inputs did not change; there are no labels to compare");
  }

  @Test
  void aFewLabelsAreNotCompared() throws IOException {
    List<String> rare = Files.readAllLines(Path.of(classes("rare.csv", "?")));
    rare.set(7, "0.5,0.5,yes");
    Files.write(folder.resolve("rare.csv"), rare);
    assertThat(run("compare", classes("a.csv", "yes", "no"), folder.resolve("rare.csv").toString()))
        .contains("too few rows of the new file have a label: 1");
  }

  @Test
  void effectsAreNotLookedForInShortFiles() throws IOException {
    List<String> lines = Files.readAllLines(Path.of(table("a.csv", 1, 3, "Rome")));
    Path old = Files.write(folder.resolve("old.csv"), lines.subList(0, 61));
    Path now = Files.write(folder.resolve("now.csv"), lines.subList(0, 100));
    assertThat(run("compare", old.toString(), now.toString()))
        .startsWith(
            "the inputs did not change; changed effects were not looked for, which needs 100 rows"
                + " with a label in each file, found 60");
    Path enough = Files.write(folder.resolve("enough.csv"), lines.subList(0, 101));
    assertThat(run("compare", enough.toString(), enough.toString())).startsWith("nothing changed");
  }

  @Test
  void rowsWithoutALabelAreComparedByTheirInputsAlone() throws IOException {
    String some = classes("a.csv", "yes", "no", "?");
    String text = run("compare", some, classes("b.csv", "yes", "no", "?", "?"));
    assertThat(text)
        .startsWith("nothing changed")
        .contains("rows with a label: 6", "label yes: ")
        .doesNotContain("NaN");
    assertThat(run("compare", some, classes("c.csv", "yes", "yes", "yes", "no", "?")))
        .startsWith("the labels changed, the inputs did not");
  }

  @Test
  void labelsOfAnotherKindAreTold() throws IOException {
    String texts = classes("a.csv", "yes", "no");
    String numbers = classes("b.csv", "1", "0");
    assertThat(run("compare", texts, numbers))
        .startsWith("the inputs did not change; the old labels are text, the new ones are numbers")
        .contains("label yes vanished", "label 1 appeared");
    assertThat(run("compare", numbers, texts))
        .startsWith(
            "the inputs did not change; the old labels are all numbers, the new ones include text")
        .contains("label 1 vanished", "label yes appeared");
    assertThat(run("compare", texts, classes("c.csv", "oui", "non")))
        .startsWith("the inputs did not change; the files have no label in common")
        .contains("label no vanished", "label oui appeared: 0.0 %, then ");
  }

  @Test
  void labelsThatAreSpreadInAnotherWayAreAChange() throws IOException {
    String old = classes("a.csv", "yes", "no");
    assertThat(run("compare", old, classes("b.csv", "no", "yes"))).startsWith("nothing changed");
    assertThat(run("compare", old, classes("c.csv", "yes", "yes", "yes", "no")))
        .startsWith("the labels changed, the inputs did not");
    assertThat(run("compare", old, classes("d.csv", "yes")))
        .startsWith("the labels changed, the inputs did not")
        .contains("label no vanished");
  }

  @Test
  void twoFilesAreNeeded() throws IOException {
    Shell.Result one = Shell.run("compare", table("a.csv", 1, 3, "Rome"));
    assertThat(one.code()).isEqualTo(2);
    assertThat(one.err()).contains("compare needs exactly two files, the old and the new");
  }

  @Test
  void labelsThatTheModelKnowsAreTextsThoughTheNewFileHasOthers() throws IOException {
    String model = folder.resolve("abc.avm").toString();
    run(
        "train",
        labels("abc.csv", "a", "b", "c"),
        "-m",
        model,
        "-q",
        "--gamma=0.5",
        "--max-size=9");
    String text = run("compare", labels("a.csv", "a"), labels("b.csv", "b"), "-m", model);
    assertThat(text).contains("the files have no label in common").doesNotContain("are numbers");
  }

  /** Rows whose labels are these in turn. */
  private String labels(String name, String... labels) throws IOException {
    Random random = new Random(1);
    List<String> lines = new ArrayList<>(List.of("x,y,label"));
    for (int i = 0; i < 300; i++) {
      lines.add(random.nextDouble() + "," + random.nextDouble() + "," + labels[i % labels.length]);
    }
    return Files.write(folder.resolve(name), lines).toString();
  }
}
