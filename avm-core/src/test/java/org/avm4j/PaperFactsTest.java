package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Figures of the paper on the paper's data, the mean of ten shuffles. The folder with the data is
 * named by the environment variable AVM_DATA; without it these tests are skipped.
 */
@Tag("slow")
class PaperFactsTest {
  private static final int RUNS = 10;

  /** The mean number of cells and mistakes, in percent of the instances. */
  private record Result(double cells, double mistakeRate) {}

  /** Table 4: 5.61 ± 0.17 %; another independent run has 5.68 % and 440 cells. */
  @Test
  void codRnaHasThePapersMistakeRate() throws IOException {
    List<Instance> data = load(x -> 2 * x - 1, "cod-rna", "cod-rna.t");
    Result result =
        run(
            data,
            AvmOptions.binary()
                .kernel(Kernel.gaussian(0.0625))
                .coverage(Coverage.sphere(1))
                .regularization(5.0 / 59535)
                .build());
    assertThat(result.mistakeRate).isCloseTo(5.61, within(0.17));
    assertThat(result.cells).isCloseTo(440, within(0.05 * 440));
  }

  /** 142 in the paper, 143 independently. */
  @Test
  void a9aHasThePapersModelSize() throws IOException {
    List<Instance> data = load(x -> x, "a9a", "a9a.t");
    assertThat(run(data, cells(7)).cells).isCloseTo(142, within(0.05 * 142));
  }

  /** 131 in the paper, 134 independently. */
  @Test
  void w8aHasThePapersModelSize() throws IOException {
    List<Instance> data = load(x -> x, "w8a", "w8a.t");
    assertThat(run(data, cells(13)).cells).isCloseTo(131, within(0.05 * 131));
  }

  /** 59 in the paper, 56 independently. */
  @Test
  void covtypeHasThePapersModelSize() throws IOException {
    List<Instance> data = scaledToUnit(load(x -> x, "covtype"));
    AvmOptions options =
        AvmOptions.multiclass().coverage(Coverage.sphere(3)).regularization(1e-5).build();
    assertThat(run(data, options).cells).isCloseTo(59, within(0.1 * 59));
  }

  private static AvmOptions cells(double delta) {
    return AvmOptions.binary()
        .kernel(Kernel.gaussian(0.01))
        .coverage(Coverage.sphere(delta))
        .build();
  }

  private static Result run(List<Instance> data, AvmOptions options) {
    double cells = 0;
    double mistakes = 0;
    for (int run = 1; run <= RUNS; run++) {
      Collections.shuffle(data, new Random(run));
      Avm avm = new Avm(options);
      for (Instance instance : data) {
        mistakes += avm.predict(instance.features()) == instance.label() ? 0 : 1;
        avm.learn(instance.features(), instance.label());
      }
      cells += avm.cells();
    }
    Result result = new Result(cells / RUNS, 100 * mistakes / RUNS / data.size());
    System.out.printf("%s: %s%n", options.coverage(), result);
    return result;
  }

  private static List<Instance> load(DoubleUnaryOperator scale, String... names)
      throws IOException {
    String folder = System.getenv("AVM_DATA");
    assumeTrue(folder != null, "AVM_DATA does not name a folder with the data");
    List<Instance> data = new ArrayList<>();
    for (String name : names) {
      Path file = Path.of(folder, name + ".libsvm.gz");
      assumeTrue(Files.exists(file), file + " is absent");
      try (LibsvmReader reader = LibsvmReader.open(file)) {
        while (reader.next()) {
          data.add(new Instance(scaled(reader.features(), scale), reader.label()));
        }
      }
    }
    return data;
  }

  /** Zeros that the file leaves out are scaled too, where 0 does not stay 0. */
  private static Features scaled(Features x, DoubleUnaryOperator scale) {
    if (scale.applyAsDouble(0) == 0) {
      return x.copy();
    }
    double[] row = new double[8];
    for (int i = 0; i < row.length; i++) {
      row[i] = scale.applyAsDouble(x.get(i));
    }
    return Features.dense(row);
  }

  private static List<Instance> scaledToUnit(List<Instance> data) {
    int d = data.stream().mapToInt(i -> i.features().dimension()).max().orElse(0);
    double[] min = new double[d];
    double[] max = new double[d];
    for (Instance instance : data) {
      for (int i = 0; i < instance.features().count(); i++) {
        int f = instance.features().index(i);
        min[f] = Math.min(min[f], instance.features().value(i));
        max[f] = Math.max(max[f], instance.features().value(i));
      }
    }
    List<Instance> scaled = new ArrayList<>();
    for (Instance instance : data) {
      double[] row = new double[d];
      for (int i = 0; i < d; i++) {
        row[i] = max[i] > min[i] ? (instance.features().get(i) - min[i]) / (max[i] - min[i]) : 0;
      }
      scaled.add(new Instance(Features.dense(row), instance.label()));
    }
    return scaled;
  }
}
