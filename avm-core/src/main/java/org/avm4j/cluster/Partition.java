package org.avm4j.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which cells form a cluster. Nothing is given but the cells: resolution and number of clusters are
 * those that stand out most.
 *
 * <p>At each resolution k the prominences of the peaks, in descending order, are cut at their
 * largest ratio. Above 9/√k none counts for more, and below 0.6/√k none for less. Where two of the
 * three resolutions see several clusters, the one of them with the largest ratio wins.
 *
 * <p>One cluster, whose prominence is infinite, counts as the largest prominence that chance leaves
 * among the other peaks. The noise of a density of k instances is about 1/√k, but what it makes of
 * prominences depends on the shape. In the plane a path leads around a gap. Along a line or a curve
 * there is no way around, so that peaks are more and each is cut off by the deepest gap beside it.
 * That is why the peaks themselves are asked: m prominences of chance with the mean μ are about
 * exponential, and the largest of them is expected at μ (1 + 1/2 + … + 1/m).
 *
 * <p>Rows that repeat a few points have no density. Each point with enough instances is a cluster.
 *
 * <p>In each cluster the cells of unusually low density are noise: those below Tukey's fence, two
 * interquartile ranges under the lower quartile of the log density.
 */
final class Partition {
  /** The answer for a cell of no cluster. */
  static final int NONE = -1;

  /** Resolutions: the number of instances in the neighbourhood that a density is taken over. */
  private static final double[] RESOLUTIONS = {8, 12, 18};

  /** Number of cells in such a neighbourhood for each instance, where cells hold many. */
  private static final double CELLS = 1.0 / 3;

  /** Prominences, times √k, above which nothing can be noise. */
  private static final double SURE = 9;

  /** The least that one cluster counts as: noise has up to 3.5 in the plane with few peaks. */
  private static final double SINGLE = 5;

  /** Below this, prominences do not tell noise from noise. */
  private static final double FLOOR = 0.6;

  /** A lesser prominence is never one of several clusters. */
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

  /** Whether there are fewer places than a neighbourhood has instances, each repeated as often. */
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
    double total = cells.total();
    double typical = 0;
    for (int j = 0; j < cells.size(); j++) {
      typical += cells.weight(j) * (cells.weight(j) / total);
    }
    List<Cut> cuts = new ArrayList<>();
    for (double k : RESOLUTIONS) {
      double mass = Math.min(Math.max(k, k * CELLS * typical), total / 2);
      cuts.add(largestGap(new DensityLevels(cells, graph, mass), 1 / Math.sqrt(k)));
    }
    return fenced(cells, best(cuts));
  }

  /** Of the cuts that agree with most on whether there are several clusters, the clearest. */
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

  /** Members come in descending order of density. */
  private static void fence(Cells cells, Cut cut, int[] members, double[] reaches, int[] peaks) {
    DensityLevels levels = cut.levels;
    double upper = levels.density(members[quantile(cells, members, 0.25)]);
    double lower = levels.density(members[quantile(cells, members, 0.75)]);
    double fence = lower - FENCE * Math.max(upper - lower, cut.unit);
    double beyond = levels.squareAt(fence);
    for (int j : members) {
      if (levels.density(j) < fence) {
        peaks[j] = NONE;
      }
      double inside = beyond - levels.squareAt(levels.density(j));
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

  /** The cell that stands for the cluster of cell j; {@link #NONE} if it is noise. */
  int peak(int j) {
    return peaks[j];
  }

  /** The squared distance from cell j up to which the density is above the fence. */
  double reach(int j) {
    return reaches[j];
  }
}
