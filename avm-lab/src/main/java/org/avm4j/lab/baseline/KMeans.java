package org.avm4j.lab.baseline;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;

/**
 * Lloyd's k-means, starting from instances drawn without replacement; a centre without instances
 * stays unchanged.
 */
final class KMeans {
  private static final int ROUNDS = 10;

  private KMeans() {}

  static CoreSet of(List<Instance> data, BatchOptions options) {
    List<Features> rows = data.stream().map(Instance::features).toList();
    int k = Math.min(options.landmarks(), rows.size());
    CoreSet centres = gather(draw(rows, k, options.seed()), options.kernel());
    for (int round = 0; round < ROUNDS; round++) {
      centres = gather(means(rows, centres, options.kernel()), options.kernel());
    }
    return centres;
  }

  private static Features[] draw(List<Features> rows, int k, long seed) {
    SplitMix random = new SplitMix(seed);
    Features[] all = rows.toArray(Features[]::new);
    for (int i = 0; i < k; i++) {
      int j = i + random.nextInt(all.length - i);
      Features drawn = all[j];
      all[j] = all[i];
      all[i] = drawn;
    }
    return Arrays.copyOf(all, k);
  }

  private static CoreSet gather(Features[] vectors, Kernel kernel) {
    CoreSet centres = new CoreSet();
    KernelRow row = new KernelRow(centres, kernel);
    for (Features vector : vectors) {
      row.measure(vector);
      centres.add(row, false);
    }
    return centres;
  }

  private static Features[] means(List<Features> rows, CoreSet centres, Kernel kernel) {
    int dimension = rows.stream().mapToInt(Features::dimension).max().orElse(0);
    double[][] sums = new double[centres.size()][dimension];
    int[] counts = new int[centres.size()];
    KernelRow row = new KernelRow(centres, kernel);
    for (Features x : rows) {
      row.measure(x);
      int nearest = row.nearest();
      counts[nearest]++;
      for (int i = 0; i < x.count(); i++) {
        sums[nearest][x.index(i)] += x.value(i);
      }
    }
    Features[] means = new Features[centres.size()];
    Arrays.setAll(means, j -> counts[j] == 0 ? centres.vector(j) : mean(sums[j], counts[j]));
    return means;
  }

  private static Features mean(double[] sum, int count) {
    return Features.dense(Arrays.stream(sum).map(v -> v / count).toArray());
  }
}
