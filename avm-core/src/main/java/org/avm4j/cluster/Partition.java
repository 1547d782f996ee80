package org.avm4j.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Partitions cells into clusters. Resolution and number of clusters are not given: those with the
 * clearest separation are chosen.
 *
 * <p>At each resolution k the prominences of the peaks, in descending order, are cut at their
 * largest ratio. Prominences are limited to the range from 0.6/√k to 9/√k. If two of the three
 * resolutions find several clusters, the one of them with the largest ratio wins.
 *
 * <p>The infinite prominence of a single cluster counts as the largest prominence that chance is
 * expected to leave among the other peaks. The noise of a density of k instances is about 1/√k, but
 * the prominences that follow depend on the shape. In the plane a path leads around a gap. Along a
 * line or a curve there is no way around, so there are more peaks, and each is cut off by the
 * deepest gap beside it. Therefore the peaks themselves tell: m prominences of chance with the mean
 * μ are about exponential, and the largest of them is expected at μ (1 + 1/2 + … + 1/m).
 *
 * <p>Rows that repeat a few points have no density. Each point with enough instances is a cluster.
 *
 * <p>In each cluster the cells of unusually low density are noise: those below Tukey's fence, two
 * interquartile ranges under the lower quartile of the log density.
 */
final class Partition {
  /** The answer for a cell of no cluster. */
  static final int NONE = -1;

  /** Resolutions: numbers of instances in the neighbourhood over which a density is measured. */
  private static final double[] RESOLUTIONS = {8, 12, 18};

  /** Prominences, times √k, above which nothing can be noise. */
  private static final double SURE = 9;

  /** Least prominence, times √k, of a single cluster; that of noise is up to 3.5 in the plane. */
  private static final double SINGLE = 5;

  /** Prominence, times √k, below which differences mean nothing. */
  private static final double FLOOR = 0.6;

  /** Smallest prominence, times √k, of one of several clusters. */
  private static final double LEAST = 2;

  /** Interquartile ranges from the lower quartile to the fence. */
  private static final double FENCE = 2;

  private final int[] peaks;
  private final double[] reaches;

  private Partition(int[] peaks, double[] reaches) {
    this.peaks = peaks;
    this.reaches = reaches;
  }

  /** A cut through the prominences at one resolution. */
  private record Cut(DensityLevels levels, double unit, int clusters, double ratio, double at) {
    boolean isSeveral() {
      return clusters > 1;
    }
  }

  static Partition of(Cells cells) {
    return isFewPoints(cells) ? points(cells) : shapes(cells);
  }

  /**
   * Whether there are no more places than a neighbourhood has instances, each repeated that often
   * on average.
   */
  private static boolean isFewPoints(Cells cells) {
    double fewest = RESOLUTIONS[0];
    return cells.size() <= fewest
        && cells.total() >= fewest * cells.size()
        && IntStream.range(0, cells.size())
            .allMatch(j -> cells.spread(j) <= ClusterLearner.SAME * ClusterLearner.SAME);
  }

  private static Partition points(Cells cells) {
    double least = DensityLevels.LEAST_PART * RESOLUTIONS[0];
    int[] peaks =
        IntStream.range(0, cells.size()).map(j -> cells.weight(j) < least ? NONE : j).toArray();
    double[] reaches = new double[peaks.length];
    Arrays.fill(reaches, cells.radius() * cells.radius());
    return new Partition(peaks, reaches);
  }

  private static Partition shapes(Cells cells) {
    CellGraph graph = new CellGraph(cells);
    List<DensityLevels> levels = DensityLevels.of(cells, graph, RESOLUTIONS);
    List<Cut> cuts = new ArrayList<>();
    for (int i = 0; i < RESOLUTIONS.length; i++) {
      cuts.add(largestGap(levels.get(i), 1 / Math.sqrt(RESOLUTIONS[i])));
    }
    return fenced(cells, best(cuts));
  }

  /**
   * The clearest of the cuts that agree with the majority on whether there are several clusters.
   */
  private static Cut best(List<Cut> cuts) {
    long several = cuts.stream().filter(Cut::isSeveral).count();
    boolean isSeveral = 2 * several > cuts.size();
    return cuts.stream()
        .filter(cut -> cut.isSeveral() == isSeveral)
        .max(Comparator.comparingDouble(Cut::ratio))
        .orElseThrow();
  }

  private static Cut largestGap(DensityLevels levels, double unit) {
    double[] prominences = levels.prominences();
    double chance = largestByChance(prominences, SURE * unit);
    double single = Math.max(SINGLE * unit, Math.min(SURE * unit, chance));
    Cut best = new Cut(levels, unit, 1, 0, Double.POSITIVE_INFINITY);
    for (int i = 0; i < prominences.length; i++) {
      if (i > 0 && prominences[i] < LEAST * unit) {
        break;
      }
      double high = Math.min(prominences[i], i == 0 ? single : SURE * unit);
      double next = i + 1 < prominences.length ? prominences[i + 1] : 0;
      double low = Math.max(next, FLOOR * unit);
      if (high / low > best.ratio) {
        best = new Cut(levels, unit, i + 1, high / low, Math.sqrt(high * low));
      }
    }
    return best;
  }

  /** The largest prominence to expect if all peaks are noise but for those that cannot be. */
  private static double largestByChance(double[] prominences, double sure) {
    double sum = 0;
    double harmonic = 0;
    int count = 0;
    for (double prominence : prominences) {
      if (prominence < sure) {
        sum += prominence;
        harmonic += 1.0 / ++count;
      }
    }
    return count == 0 ? 0 : sum / count * harmonic;
  }

  private static Partition fenced(Cells cells, Cut cut) {
    DensityLevels levels = cut.levels;
    int[] peaks = levels.cut(cut.at);
    double[] reaches = new double[peaks.length];
    int[] order =
        IntStream.range(0, peaks.length)
            .boxed()
            .sorted(
                Comparator.<Integer>comparingInt(j -> peaks[j])
                    .thenComparingDouble(j -> -levels.density(j)))
            .mapToInt(j -> j)
            .toArray();
    for (int start = 0; start < order.length; ) {
      int end = start;
      while (end < order.length && peaks[order[end]] == peaks[order[start]]) {
        end++;
      }
      fence(cells, cut, Arrays.copyOfRange(order, start, end), reaches, peaks);
      start = end;
    }
    return new Partition(peaks, reaches);
  }

  /** Marks members of low density as noise; members are given in descending order of density. */
  private static void fence(Cells cells, Cut cut, int[] members, double[] reaches, int[] peaks) {
    DensityLevels levels = cut.levels;
    double upper = levels.density(members[quantile(cells, members, 0.25)]);
    double lower = levels.density(members[quantile(cells, members, 0.75)]);
    double fence = lower - FENCE * Math.max(upper - lower, cut.unit);
    for (int j : members) {
      if (levels.density(j) < fence) {
        peaks[j] = NONE;
      }
      double inside = levels.squareTo(fence, j);
      reaches[j] = Math.max(cells.radius() * cells.radius(), inside);
    }
  }

  private static int quantile(Cells cells, int[] members, double part) {
    double all = 0;
    for (int j : members) {
      all += cells.weight(j);
    }
    double sum = 0;
    int at = -1;
    while (at + 1 < members.length && sum < part * all) {
      sum += cells.weight(members[++at]);
    }
    return at;
  }

  /** The peak of the cluster of cell j, which identifies it; {@link #NONE} if the cell is noise. */
  int peak(int j) {
    return peaks[j];
  }

  /** The squared distance from cell j up to which the density is above the fence. */
  double reach(int j) {
    return reaches[j];
  }
}
