package org.avm4j.lab.paper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.avm4j.Status;
import org.avm4j.Status.Drift;
import org.avm4j.Status.Standing;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.eval.Inspection;
import org.avm4j.eval.Metrics;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.tree.AvmTree;

/**
 * Pictures of one run: its error along the stream, with the drifts that were found; the search of
 * automatic mode for settings; the tree of machines, if it grew over two features; and the clusters
 * that were found.
 */
public final class RunFigure {
  /** Minimum number of rows; losses on fewer rows vary too much. */
  private static final int FEWEST_ROWS = 32;

  private final Metrics metrics;
  private final List<Inspection> curve;
  private final Status status;
  private final Optional<AvmTree> tree;
  private final Optional<ClusterLearner> clusters;
  private final IntFunction<String> names;

  /** Pictures of a completed run, with its learning curve and its final learner. */
  public RunFigure(Metrics metrics, List<Inspection> curve, Pipeline learner) {
    this.metrics = metrics;
    this.curve = curve;
    status = learner.status();
    tree = learner.inspect(AvmTree.class);
    clusters = learner.inspect(ClusterLearner.class);
    names = learner.preparation().schema()::featureName;
  }

  /** Whether this Java can draw text; a machine without fonts cannot. */
  public static boolean canDraw() {
    return Chart.canDraw();
  }

  /**
   * Writes {@code NAME.png}; for automatic mode also {@code NAME-search.png}, for a tree over two
   * features {@code NAME-tree.png}, and for clusters {@code NAME-clusters.png}; each with a CSV.
   */
  public void write(Path png) throws IOException {
    error().write(png);
    List<Standing> standings =
        status.automatic().map(Status.Automatic::standings).orElse(List.of()).stream()
            .filter(standing -> standing.instances() >= FEWEST_ROWS)
            .toList();
    if (!standings.isEmpty()) {
      search(standings).write(beside(png, "search"));
    }
    if (tree.isPresent()) {
      TreeFigure.writeIfFlat(tree.get(), beside(png, "tree"));
    }
    if (clusters.isPresent()) {
      ClusterFigure.write(clusters.get(), names, beside(png, "clusters"));
    }
  }

  /** All files that may be written for a picture of this name. */
  public static List<Path> files(Path png) {
    return Stream.concat(
            Stream.of(png),
            Stream.of("search", "tree", "clusters", "band").map(what -> beside(png, what)))
        .flatMap(picture -> Stream.of(picture, Chart.numbers(picture)))
        .toList();
  }

  static Path beside(Path png, String what) {
    String name = png.getFileName().toString().replaceFirst("\\.png$", "-" + what + ".png");
    return png.resolveSibling(name);
  }

  private Chart error() {
    long from = metrics.instances() / 100;
    List<Inspection> later = curve.stream().filter(p -> p.instances() >= from).toList();
    List<Drift> drifts = status.lastDrifts();
    boolean isArea = metrics.name().equals("auc");
    String what = isArea ? "Area under the ROC curve" : "Error";
    String title = what + " along the stream" + (drifts.isEmpty() ? "" : ", drifts in grey");
    Chart chart = new Chart(title, "instances", metric(), 900, 420).wholeX();
    double[] recent = values(later, Inspection::recent);
    double top = isArea ? 1 : Chart.highest(recent);
    for (Drift drift : drifts) {
      chart.outline("drift " + drift.instance(), LineStyle.GREY, both(drift.instance()), ends(top));
    }
    chart.line("since the last point", LineStyle.PALE, instances(later), recent);
    chart.line("so far", LineStyle.BARE, instances(later), values(later, Inspection::metric));
    return chart.mostY(top);
  }

  private String metric() {
    String name = metrics.name();
    return switch (name) {
      case "mistakeRate" -> "mistake rate, %";
      case "auc" -> "area, 1 is best";
      default -> name;
    };
  }

  private static double[] both(double x) {
    return new double[] {x, x};
  }

  private static double[] ends(double top) {
    return new double[] {0, top};
  }

  private static double[] instances(List<Inspection> points) {
    return values(points, Inspection::instances);
  }

  private static double[] values(List<Inspection> points, ToDoubleFunction<Inspection> value) {
    return points.stream().mapToDouble(value).toArray();
  }

  /** The lowest loss of each scaling and kernel in each search, and the loss of the chosen one. */
  private static Chart search(List<Standing> standings) {
    Chart chart =
        new Chart("The search for settings", "instances", "mean loss", 900, 420)
            .logarithmicX()
            .wholeX();
    Map<String, SortedMap<Long, Double>> least = new LinkedHashMap<>();
    for (Standing standing : standings) {
      least
          .computeIfAbsent(name(standing), name -> new TreeMap<>())
          .merge(standing.instances(), standing.loss(), Math::min);
    }
    int number = 0;
    for (Map.Entry<String, SortedMap<Long, Double>> one : least.entrySet()) {
      chart.line(
          one.getKey(),
          LineStyle.numbered(number++),
          one.getValue().keySet().stream().mapToDouble(Long::doubleValue).toArray(),
          one.getValue().values().stream().mapToDouble(Double::doubleValue).toArray());
    }
    List<Standing> best = standings.stream().filter(Standing::isBest).toList();
    chart.line(
        "chosen",
        LineStyle.BARE,
        best.stream().mapToDouble(Standing::instances).toArray(),
        best.stream().mapToDouble(Standing::loss).toArray());
    return chart;
  }

  private static String name(Standing standing) {
    return standing.scaling() + ", " + standing.kernel().word();
  }
}
