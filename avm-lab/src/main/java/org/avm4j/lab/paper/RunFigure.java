package org.avm4j.lab.paper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.Status.Drift;
import org.avm4j.Status.Lap;
import org.avm4j.eval.Inspection;
import org.avm4j.eval.Metrics;
import org.avm4j.tree.AvmTree;

/**
 * Pictures of one run: its error along the stream, with the drifts that were found; how the
 * machines of automatic mode raced; and the tree of machines, if it grew over two features.
 */
public final class RunFigure {
  private static final int FIRST_LAP = 32;

  private final Metrics metrics;
  private final List<Inspection> curve;
  private final Status status;
  private final Optional<AvmTree> tree;

  /** Of a run that has ended, with these figures along the way and this learner at its end. */
  public RunFigure(Metrics metrics, List<Inspection> curve, OnlineLearner learner) {
    this.metrics = metrics;
    this.curve = curve;
    status = learner.status();
    tree = learner.inspect(AvmTree.class);
  }

  /** Whether this Java can draw letters: a machine without any font cannot. */
  public static boolean canDraw() {
    return Chart.canDraw();
  }

  /**
   * Draws {@code NAME.png}, of automatic mode also {@code NAME-race.png}, and of a tree over two
   * features {@code NAME-tree.png}, each beside its CSV.
   */
  public void write(Path png) throws IOException {
    error().write(png);
    List<Lap> laps = status.automatic().map(Status.Automatic::laps).orElse(List.of());
    if (!laps.isEmpty()) {
      race(laps).write(beside(png, "race"));
    }
    if (tree.isPresent()) {
      TreeFigure.writeIfFlat(tree.get(), beside(png, "tree"));
    }
  }

  /** All files that may be written for a picture of this name. */
  public static List<Path> files(Path png) {
    return Stream.of(png, beside(png, "race"), beside(png, "tree"), beside(png, "band"))
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

  /** Those of full size in colours, scouts in grey, and above all the one that answers. */
  private static Chart race(List<Lap> laps) {
    List<Lap> shown = laps.stream().filter(lap -> lap.instances() >= FIRST_LAP).toList();
    Chart chart = new Chart("The race", "instances", "mean loss", 900, 420).logarithmicX().wholeX();
    int full = laps.stream().mapToInt(Lap::maxSize).max().orElse(0);
    int number = 0;
    for (Map.Entry<String, List<Lap>> one : byMachine(shown).entrySet()) {
      double[] x = one.getValue().stream().mapToDouble(Lap::instances).toArray();
      double[] y = one.getValue().stream().mapToDouble(Lap::loss).toArray();
      if (one.getValue().get(0).maxSize() < full) {
        chart.outline(one.getKey(), LineStyle.GREY, x, y);
      } else {
        chart.line(one.getKey(), LineStyle.numbered(number++), x, y);
      }
    }
    List<Lap> best = shown.stream().filter(Lap::answers).toList();
    chart.line(
        "answers",
        LineStyle.BARE,
        best.stream().mapToDouble(Lap::instances).toArray(),
        best.stream().mapToDouble(Lap::loss).toArray());
    return chart;
  }

  private static Map<String, List<Lap>> byMachine(List<Lap> laps) {
    return laps.stream()
        .collect(Collectors.groupingBy(RunFigure::name, LinkedHashMap::new, Collectors.toList()));
  }

  private static String name(Lap lap) {
    return String.format(
        Locale.ROOT,
        "%s, %s %s, prior %s, size %d",
        lap.scaling(),
        lap.kernel().word(),
        Settings.text(lap.width()),
        Settings.text(lap.prior()),
        lap.maxSize());
  }
}
