package org.avm4j.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.LibsvmReader;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.data.Scaling;

/**
 * Rows in a fixed order, scaled, and the options to learn them with. Names are those of public data
 * sets, which are read from the folder AVM_DATA and shuffled, or with "-like" after them for
 * generated rows.
 *
 * @param name the name
 * @param rows the rows
 * @param options the paper's step, with the γ, δ and size that the data is known for
 */
public record Workload(String name, Instance[] rows, AvmOptions options) {
  /** Rows of a generated workload. */
  static final int GENERATED = 20_000;

  /** The workload of a name with at most so many rows. */
  public static Workload of(String name, int most) {
    Instance[] rows = Likeness.isNamed(name) ? Likeness.named(name).rows(most) : read(name, most);
    return new Workload(name, rows, options(name.replace("-like", "")).build());
  }

  /** Rows for learners that bring options of their own. */
  static Workload of(String name, List<Instance> rows) {
    return new Workload(name, rows.toArray(Instance[]::new), AvmOptions.binary().build());
  }

  /** The number of features. */
  public int dimension() {
    return Arrays.stream(rows).mapToInt(row -> row.features().dimension()).max().orElse(0);
  }

  /** The labels that occur, in ascending order. */
  double[] classes() {
    return Arrays.stream(rows).mapToDouble(Instance::label).sorted().distinct().toArray();
  }

  /** The place of the label of each row among the labels. */
  int[] classOfRows() {
    double[] classes = classes();
    return Arrays.stream(rows).mapToInt(row -> Arrays.binarySearch(classes, row.label())).toArray();
  }

  private static AvmOptions.Builder options(String data) {
    return switch (data) {
      case "a9a" -> settings(AvmOptions.binary(), 0.01, 7, 0);
      case "ijcnn1" -> settings(AvmOptions.binary(), 1, 1, 500);
      case "covtype" -> settings(AvmOptions.multiclass(), 1, 3, 0);
      default -> throw new IllegalArgumentException("a workload must be a known one: " + data);
    };
  }

  private static AvmOptions.Builder settings(
      AvmOptions.Builder builder, double gamma, double delta, int maxSize) {
    return builder
        .kernel(new Kernel.Gaussian(gamma))
        .coverage(new Coverage.Sphere(delta))
        .regularization(1e-5)
        .maxSize(maxSize, Limit.APPROXIMATE);
  }

  private static Path file(String data) {
    String folder = System.getenv("AVM_DATA");
    Path file = folder == null ? null : Path.of(folder, data + ".libsvm.gz");
    return file != null && Files.exists(file) ? file : null;
  }

  private static Instance[] read(String data, int most) {
    Path file = file(data);
    if (file == null) {
      throw new IllegalArgumentException(
          "AVM_DATA must name a folder with " + data + ".libsvm.gz: " + System.getenv("AVM_DATA"));
    }
    try (InstanceReader reader = LibsvmReader.open(file)) {
      List<Instance> rows = new ArrayList<>();
      while (reader.next()) {
        rows.add(new Instance(reader.features().copy(), reader.label()));
      }
      Collections.shuffle(rows, new Random(1));
      return scaled(rows.subList(0, Math.min(most, rows.size())), data.equals("covtype"));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static Instance[] scaled(List<Instance> rows, boolean toUnit) {
    ScalerFit fit = new ScalerFit(toUnit ? Scaling.UNIT : Scaling.NONE);
    rows.forEach(row -> fit.observe(row.features()));
    Scaler scaler = fit.scaler();
    return rows.stream()
        .map(row -> new Instance(scaler.apply(row.features()).copy(), row.label()))
        .toArray(Instance[]::new);
  }
}
