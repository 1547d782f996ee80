package org.avm4j.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.table.Scaling;

/**
 * Rows in a fixed order, scaled, and the options to learn them with. Names are those of public data
 * sets, which are read from the folder AVM_DATA and shuffled, or with "-like" after them for
 * generated rows.
 *
 * @param options the paper's step, with the γ, δ and size that the data is known for
 */
public record Workload(String name, Instance[] rows, AvmOptions options) {
  /** Rows of a generated workload. */
  static final int GENERATED = 20_000;

  /** The workload of a name, cut to at most this number of rows. */
  public static Workload of(String name, int most) {
    Instance[] rows =
        name.endsWith(Likeness.LIKE) ? Likeness.named(name).rows(most) : read(name, most);
    return new Workload(name, rows, options(name.replace("-like", "")).build());
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
        .kernel(Kernel.gaussian(gamma))
        .coverage(Coverage.sphere(delta))
        .regularization(1e-5)
        .maxSize(maxSize, Limit.APPROXIMATE);
  }

  private static Instance[] read(String data, int most) {
    String folder = System.getenv("AVM_DATA");
    try {
      Streams streams = new Streams(folder == null ? null : Path.of(folder));
      return scaled(streams.load(data, Streams.SHUFFLE + 1, most).list(), data.equals("covtype"));
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
