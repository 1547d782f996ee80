package org.avm4j.serve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.eval.ClassificationMetrics;
import org.avm4j.eval.Metrics;
import org.avm4j.pipeline.Pipeline;

/**
 * Measures the error of the answers, and that of two baselines: the majority class (or the mean) so
 * far, and no change, which repeats the last label. It depends only on the rows, so that it is the
 * same after a restart.
 */
final class Scoreboard {
  private static final int WINDOW = 1000;
  private static final int POINTS = 512;
  private static final int CLASSES = 50;
  private static final int YARDSTICKS = 3;

  private Task.Kind kind;
  private Metrics metrics;
  private final Map<Double, Long> counts = new TreeMap<>();
  private final Map<Double, Map<Double, Long>> confusion = new TreeMap<>();
  private double mean;
  private double last = Double.NaN;
  private final double[] totals = new double[YARDSTICKS];
  private final double[] window = new double[YARDSTICKS * WINDOW];
  private List<Point> curve = new ArrayList<>();
  private long stride = 10;

  /**
   * A point of the learning curve. Errors are mistakes in percent, or root mean square errors.
   *
   * @param instances the number of measured answers
   * @param error the error of all answers
   * @param recent the error of the last 1,000 answers
   * @param majority the error of the majority class, or of the mean, on the last 1,000
   * @param noChange the error of repeating the label before, on the last 1,000
   * @param size the number of vectors in the model
   * @param drifts the number of drifts found so far
   */
  record Point(
      long instances,
      double error,
      double recent,
      double majority,
      double noChange,
      int size,
      long drifts) {
    Map<String, Object> json() {
      return JsonValues.members(
          "instances", instances,
          "error", error,
          "recent", recent,
          "majority", majority,
          "noChange", noChange,
          "size", size,
          "drifts", drifts);
    }
  }

  long instances() {
    return metrics == null ? 0 : metrics.instances();
  }

  /** Adds an answer that was given before its label was known. */
  void add(Pipeline pipeline, double label, double answer, double[] scores) {
    if (Double.isNaN(label)) {
      return;
    }
    begin(pipeline);
    double[] losses = {
      loss(label, answer), loss(label, majorityOrMean()), loss(label, last),
    };
    metrics.add(label, answer, scores);
    record(losses);
    count(label, answer);
    if (instances() % stride == 0) {
      inspect(pipeline);
    }
  }

  /** Restarts if automatic mode changes the task, but goes on if there is a third class. */
  private void begin(Pipeline pipeline) {
    Task.Kind now = pipeline.task().kind();
    if (kind == Task.Kind.BINARY
        && now == Task.Kind.MULTICLASS
        && metrics instanceof ClassificationMetrics twoClasses) {
      kind = now;
      metrics = twoClasses.ofMoreClasses();
    } else if (metrics == null || kind != now) {
      kind = now;
      boolean areNamed = !pipeline.preparation().schema().labels().isEmpty();
      metrics = Metrics.of(pipeline, areNamed);
      counts.clear();
      confusion.clear();
      curve.clear();
      Arrays.fill(totals, 0);
      mean = 0;
      stride = 10;
    }
  }

  private boolean isRegression() {
    return kind == Task.Kind.REGRESSION;
  }

  private double loss(double label, double answer) {
    if (isRegression()) {
      double error = Double.isNaN(answer) ? label : answer - label;
      return error * error;
    }
    return label == answer ? 0 : 1;
  }

  private double majorityOrMean() {
    if (isRegression()) {
      return mean;
    }
    double best = Double.NaN;
    long most = 0;
    for (Map.Entry<Double, Long> entry : counts.entrySet()) {
      if (entry.getValue() > most) {
        most = entry.getValue();
        best = entry.getKey();
      }
    }
    return best;
  }

  private void record(double[] losses) {
    int at = (int) ((instances() - 1) % WINDOW) * YARDSTICKS;
    for (int i = 0; i < YARDSTICKS; i++) {
      totals[i] += losses[i];
      window[at + i] = losses[i];
    }
  }

  private void count(double label, double answer) {
    last = label;
    if (isRegression()) {
      mean += (label - mean) / instances();
    } else if (counts.containsKey(label) || counts.size() < CLASSES) {
      counts.merge(label, 1L, Long::sum);
      confusion.computeIfAbsent(label, none -> new TreeMap<>()).merge(answer, 1L, Long::sum);
    }
  }

  private void inspect(Pipeline pipeline) {
    if (curve.size() == POINTS) {
      List<Point> thinned = new ArrayList<>();
      for (int i = 1; i < POINTS; i += 2) {
        thinned.add(curve.get(i));
      }
      curve = thinned;
      stride *= 2;
    }
    if (instances() % stride == 0) {
      curve.add(point(pipeline.size(), pipeline.status().drifts()));
    }
  }

  private Point point(int size, long drifts) {
    return new Point(
        instances(), figure(totals[0], instances()), recent(0), recent(1), recent(2), size, drifts);
  }

  private double recent(int yardstick) {
    int n = (int) Math.min(WINDOW, instances());
    double sum = 0;
    for (int i = 0; i < n; i++) {
      sum += window[i * YARDSTICKS + yardstick];
    }
    return figure(sum, n);
  }

  private double figure(double sum, long n) {
    if (n == 0) {
      return Double.NaN;
    }
    return isRegression() ? Math.sqrt(sum / n) : 100 * sum / n;
  }

  /** All figures: those of {@code avm online --json} under the same names, and the baselines. */
  Map<String, Object> figures(DoubleFunction<String> names) {
    Map<String, Object> figures = new LinkedHashMap<>();
    if (metrics == null) {
      return figures;
    }
    figures.put("metric", metrics.name());
    figures.putAll(metrics.all(names));
    figures.put("recent", recent(0));
    figures.put("majority", figure(totals[1], instances()));
    figures.put("noChange", figure(totals[2], instances()));
    figures.put("recentMajority", recent(1));
    figures.put("recentNoChange", recent(2));
    return figures;
  }

  /** Those of the figures that are single values. */
  static Map<String, Object> singleValues(Map<String, Object> figures) {
    Map<String, Object> single = new LinkedHashMap<>(figures);
    single.values().removeIf(Map.class::isInstance);
    return single;
  }

  /** The number of instances of each class. */
  Map<String, Long> mix(DoubleFunction<String> names) {
    Map<String, Long> mix = new LinkedHashMap<>();
    counts.forEach((label, count) -> mix.put(names.apply(label), count));
    return mix;
  }

  /** The confusion matrix by class names: the true label first, then the answer. */
  Map<String, Map<String, Long>> confusion(DoubleFunction<String> names) {
    Map<String, Map<String, Long>> all = new LinkedHashMap<>();
    confusion.forEach(
        (label, answers) -> {
          Map<String, Long> row = new LinkedHashMap<>();
          answers.forEach(
              (answer, count) ->
                  row.put(Double.isNaN(answer) ? "none" : names.apply(answer), count));
          all.put(names.apply(label), row);
        });
    return all;
  }

  List<Point> curve() {
    return List.copyOf(curve);
  }

  void encode(Encoder out) {
    out.bool(metrics != null);
    if (metrics == null) {
      return;
    }
    out.int32(tag(kind));
    metrics.encode(out);
    out.float64(mean);
    out.float64(last);
    out.doubles(totals, YARDSTICKS);
    out.doubles(window, window.length);
    encodeCounts(counts, out);
    out.int32(confusion.size());
    confusion.forEach(
        (label, answers) -> {
          out.float64(label);
          encodeCounts(answers, out);
        });
    out.int64(stride);
    out.int32(curve.size());
    for (Point point : curve) {
      out.int64(point.instances);
      out.float64(point.error);
      out.float64(point.recent);
      out.float64(point.majority);
      out.float64(point.noChange);
      out.int32(point.size);
      out.int64(point.drifts);
    }
  }

  /** The number that stands for a task in the store. */
  private static int tag(Task.Kind kind) {
    return switch (kind) {
      case BINARY -> 0;
      case MULTICLASS -> 1;
      case REGRESSION -> 2;
      case ANOMALY -> 3;
      case CLUSTER -> 4;
    };
  }

  private static Task.Kind kind(int tag) throws ModelFileException {
    for (Task.Kind kind : Task.Kind.values()) {
      if (tag(kind) == tag) {
        return kind;
      }
    }
    throw new ModelFileException("damaged content: unknown task number " + tag);
  }

  private static void encodeCounts(Map<Double, Long> counts, Encoder out) {
    out.int32(counts.size());
    counts.forEach(
        (label, count) -> {
          out.float64(label);
          out.int64(count);
        });
  }

  static Scoreboard decode(Decoder in) throws ModelFileException {
    Scoreboard board = new Scoreboard();
    if (!in.bool()) {
      return board;
    }
    board.kind = kind(in.int32());
    board.metrics = Metrics.decode(in);
    board.mean = in.float64();
    board.last = in.float64();
    System.arraycopy(in.doubles(YARDSTICKS, 0), 0, board.totals, 0, YARDSTICKS);
    System.arraycopy(in.doubles(board.window.length, 0), 0, board.window, 0, board.window.length);
    decodeCounts(board.counts, in);
    for (int n = in.int32("the classes", CLASSES); n > 0; n--) {
      double label = in.float64();
      Map<Double, Long> answers = new TreeMap<>();
      decodeCounts(answers, in);
      board.confusion.put(label, answers);
    }
    board.stride = in.count("the stride");
    for (int n = in.int32("the points", POINTS); n > 0; n--) {
      board.curve.add(
          new Point(
              in.int64(),
              in.float64(),
              in.float64(),
              in.float64(),
              in.float64(),
              in.int32(),
              in.int64()));
    }
    return board;
  }

  private static void decodeCounts(Map<Double, Long> counts, Decoder in) throws ModelFileException {
    for (int n = in.int32("the counts", 1 << 16); n > 0; n--) {
      counts.put(in.float64(), in.int64());
    }
  }
}
