package org.avm4j.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.avm4j.Task;
import org.avm4j.pipeline.LabelSurvey;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Public data sets have the rows, features and labels that they are known to have. */
class RealDataTest {
  @Test
  void a9aIsComplete() throws IOException {
    assertThat(labels("a9a", 32_561, 123)).containsExactly(-1.0, 1.0);
  }

  @Test
  void pokerIsComplete() throws IOException {
    assertThat(labels("poker", 25_010, 10))
        .containsExactly(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);
  }

  @Test
  void thyroidIsComplete() throws IOException {
    assertThat(labels("ad_thyroid", 3_772, 6)).containsExactly(-1.0, 1.0);
  }

  @Test
  void slicesAreComplete() throws IOException {
    assertThat(labels("slice_sub", 682, 384)).allMatch(label -> label >= 0 && label <= 100);
  }

  @ParameterizedTest
  @CsvSource({
    "insects_gradual, MULTICLASS",
    "letter.scale, MULTICLASS",
    "poker, MULTICLASS",
    "elec, BINARY",
    "magic, BINARY",
    "metrotraffic, REGRESSION",
    "etth1, REGRESSION",
    "cal_housing, REGRESSION",
    "house16H, REGRESSION",
    "casp, REGRESSION",
    "year_sub10k, REGRESSION",
    "airlines_asa_reg, REGRESSION",
  })
  void theTaskIsGuessedFromTheLabels(String name, Task.Kind kind) throws IOException {
    LabelSurvey survey = new LabelSurvey();
    try (LibsvmReader reader = LibsvmReader.open(file(name + ".libsvm.gz"))) {
      while (reader.next()) {
        survey.add(reader.label());
      }
    }
    assertThat(survey.task(false).kind()).as(survey.reason(false)).isEqualTo(kind);
  }

  private static Set<Double> labels(String name, int rows, int features) throws IOException {
    Set<Double> labels = new TreeSet<>();
    int count = 0;
    int dimension = 0;
    try (LibsvmReader reader = LibsvmReader.open(file(name + ".libsvm.gz"))) {
      for (; reader.next(); count++) {
        labels.add(reader.label());
        dimension = Math.max(dimension, reader.features().dimension());
      }
    }
    assertThat(count).isEqualTo(rows);
    assertThat(dimension).isEqualTo(features);
    return labels;
  }

  private static Path file(String name) {
    String folder = System.getenv("AVM_DATA");
    Assumptions.assumeTrue(folder != null, "AVM_DATA does not name a folder with public data sets");
    Path file = Path.of(folder, name);
    Assumptions.assumeTrue(Files.exists(file), file + " is not there");
    return file;
  }
}
