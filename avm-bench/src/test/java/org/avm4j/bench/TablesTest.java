package org.avm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** XGBoost and ours learn the same rows of a table, and both learn something. */
class TablesTest {
  @Test
  void bothAreMeasuredOnTheSameSplits(@TempDir Path folder) throws Exception {
    String[] words = {
      "--data",
      "friedman",
      "--rows",
      "600",
      "--splits",
      "2",
      "--rounds",
      "20",
      "--threads",
      "1",
      "--out",
      folder.toString()
    };
    Tables.main(words);
    List<String> lines = Files.readAllLines(folder.resolve("tables.csv"));
    assertThat(lines).hasSize(1 + 2 * 2);
    double spread = 5;
    for (String line : lines.subList(1, lines.size())) {
      assertThat(Double.parseDouble(line.split(",")[4])).isBetween(0.9, 0.8 * spread);
    }
  }

  @Test
  void xgboostAnswersInTheLabelsOfTheData() throws Exception {
    List<Instance> rows = GeneratedTable.named("friedman").rows().subList(0, 300);
    List<Instance> classes =
        rows.stream().map(row -> new Instance(row.features(), third(row.features()))).toList();
    TableTask task = TableTask.of(classes);
    double[] answers = new Boosting(10, 1).answers(task, classes, classes);
    assertThat(task.measure()).isEqualTo("%");
    assertThat(task.error(classes, answers)).isLessThan(5);
    List<Instance> two =
        classes.stream()
            .map(row -> new Instance(row.features(), row.label() == 2 ? 1 : -1))
            .toList();
    TableTask binary = TableTask.of(two);
    assertThat(binary.error(two, new Boosting(10, 1).answers(binary, two, two))).isLessThan(5);
  }

  private static int third(Features x) {
    return 1 + (int) (3 * x.get(3));
  }

  @Test
  void generatedTablesAreAsLargeAsTheySay() {
    assertThat(GeneratedTable.named("friedman-noise").rows())
        .hasSize(20_000)
        .allMatch(row -> row.features().dimension() == 50);
    assertThat(GeneratedTable.named("hourly").rows())
        .hasSize(17_379)
        .allMatch(row -> row.features().dimension() == 12 && row.label() >= 1);
    assertThat(GeneratedTable.named("wide").rows())
        .hasSize(15_000)
        .allMatch(row -> row.features().dimension() == 48);
    assertThat(GeneratedTable.named("directions").rows())
        .hasSize(20_000)
        .allMatch(row -> row.features().dimension() == 20);
  }

  @Test
  void aFileOfOnesOwnIsATable(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("own.libsvm");
    Files.writeString(file, "1 1:2 3:4\n2 2:1\n");
    assertThat(TableRows.of(file.toString(), 10)).hasSize(2);
    assertThat(TableRows.of(file.toString(), 1)).hasSize(1);
    assertThatThrownBy(() -> TableRows.of("nothing-of-that-name", 10))
        .hasMessageContaining("a table must be a LIBSVM file");
  }

  @Test
  void tablesAreWrittenAsMarkdown() {
    assertThat(new PeerTable("a", "b").add("x", 0.5).markdown())
        .isEqualTo("| a | b |\n|---|---|\n| x | 0.5000 |\n");
  }
}
