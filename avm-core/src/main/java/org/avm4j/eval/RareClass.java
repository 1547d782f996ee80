package org.avm4j.eval;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.avm4j.internal.Rules;
import org.avm4j.pipeline.CostThreshold;
import org.avm4j.pipeline.Costs;

/**
 * How well the rarer of two classes is found: average precision, lift, the curve of precision over
 * recall, and the threshold of scores at which mistakes cost least. All scores are kept.
 */
public final class RareClass {
  private static final int MOST_POINTS = 50;

  private final double[] classes;
  private final Boolean isUpperKnown;
  private double[] scores = new double[1024];
  private final BitSet uppers = new BitSet();
  private int count;

  /**
   * Figures of a pair of classes.
   *
   * @param classes the lower and the upper class
   * @param known says which class is the rarer one; if empty, the rows decide
   */
  public RareClass(double[] classes, Optional<CostThreshold> known) {
    Rules.require(classes.length == 2, "there must be two classes", classes.length);
    this.classes = classes.clone();
    isUpperKnown = known.map(CostThreshold::isUpperRare).orElse(null);
  }

  /** Adds the score of a row, which is high for the upper class. */
  public void add(double label, double score) {
    if (count == scores.length) {
      scores = Arrays.copyOf(scores, 2 * count);
    }
    scores[count] = score;
    uppers.set(count, label == classes[1]);
    count++;
  }

  /** Whether there are rows of both classes. */
  public boolean isDefined() {
    return uppers.cardinality() > 0 && uppers.cardinality() < count;
  }

  /** Number of rows. */
  public int rows() {
    return count;
  }

  /** Number of rows of the rarer class. */
  public int rare() {
    return isUpperRare() ? uppers.cardinality() : count - uppers.cardinality();
  }

  /** The label of the rarer class; of equally frequent ones, the upper one. */
  public double label() {
    return classes[isUpperRare() ? 1 : 0];
  }

  /** Whether the upper class is the rarer one. */
  public boolean isUpperRare() {
    return isUpperKnown == null ? 2L * uppers.cardinality() <= count : isUpperKnown;
  }

  private boolean isRare(int row) {
    return uppers.get(row) == isUpperRare();
  }

  /** Some rows, sorted by how much they look like the rarer class, the most first. */
  private int[] sorted(IntStream some) {
    double sign = isUpperRare() ? -1 : 1;
    return some.boxed()
        .sorted((i, j) -> Double.compare(sign * scores[i], sign * scores[j]))
        .mapToInt(i -> i)
        .toArray();
  }

  private int[] sorted() {
    return sorted(IntStream.range(0, count));
  }

  /**
   * A point of the curve.
   *
   * @param recall the fraction of the rarer class that is found
   * @param precision the fraction of the rows assigned to the rarer class that belong to it
   */
  public record Point(double recall, double precision) {}

  /** Precision at ascending recall, at most {@value #MOST_POINTS} points. */
  public List<Point> curve() {
    List<Point> curve = new ArrayList<>();
    int last = 0;
    for (Point point : points()) {
      int step = (int) Math.floor(point.recall * MOST_POINTS);
      if (step > last) {
        curve.add(point);
        last = step;
      }
    }
    return curve;
  }

  /** The mean of precision over the rows of the rarer class, the area under the curve. */
  public double averagePrecision() {
    double area = 0;
    double recall = 0;
    for (Point point : points()) {
      area += point.precision * (point.recall - recall);
      recall = point.recall;
    }
    return area;
  }

  /** A point for each score that occurs. */
  private List<Point> points() {
    int[] order = sorted();
    List<Point> points = new ArrayList<>();
    int found = 0;
    for (int i = 0; i < count; i++) {
      found += isRare(order[i]) ? 1 : 0;
      if (!isTied(order, i)) {
        points.add(new Point((double) found / rare(), (double) found / (i + 1)));
      }
    }
    return points;
  }

  private boolean isTied(int[] order, int i) {
    return i + 1 < order.length && scores[order[i + 1]] == scores[order[i]];
  }

  /**
   * The share of the rarer class in the rows that look most like it, over its share in all rows.
   *
   * @param part the fraction of all rows to look at, such as 0.1
   */
  public double lift(double part) {
    int top = Math.max(1, (int) (part * count));
    long found = Arrays.stream(sorted()).limit(top).filter(this::isRare).count();
    return (double) found / top / ((double) rare() / count);
  }

  /** The threshold at which mistakes cost least on these rows. */
  public CostThreshold threshold(Costs costs) {
    return threshold(costs, sorted());
  }

  private CostThreshold threshold(Costs costs, int[] order) {
    double cost = 0;
    double least = 0;
    int best = 0;
    for (int i = 0; i < order.length; i++) {
      cost += isRare(order[i]) ? -costs.missed() : costs.alarm();
      if (!isTied(order, i) && cost < least) {
        least = cost;
        best = i + 1;
      }
    }
    return new CostThreshold(between(order, best), isUpperRare(), costs, order.length);
  }

  /** A score between the rows before a place and those from there on. */
  private double between(int[] order, int place) {
    double before = scores[order[Math.max(0, place - 1)]];
    double after = scores[order[Math.min(order.length - 1, place)]];
    double step = Math.max(1e-9, Math.abs(before) * 1e-6);
    boolean isAll = place == order.length;
    boolean isNone = place == 0;
    double outside = isUpperRare() == isAll ? -step : step;
    return isAll || isNone ? before + outside : before + (after - before) / 2;
  }

  /** The cost of all mistakes if the upper class is answered from this score on. */
  public double cost(Costs costs, double threshold) {
    double cost = 0;
    for (int row = 0; row < count; row++) {
      cost += isMistake(row, threshold) ? cost(costs, row) : 0;
    }
    return cost;
  }

  private boolean isMistake(int row, double threshold) {
    return scores[row] >= threshold != uppers.get(row);
  }

  private double cost(Costs costs, int row) {
    return isRare(row) ? costs.missed() : costs.alarm();
  }

  /**
   * Which rows are answered wrongly in a two-fold cross-validation of the threshold: rows with an
   * odd index choose the threshold for those with an even one, and vice versa.
   */
  public boolean[] crossedMistakes(Costs costs) {
    boolean[] mistakes = new boolean[count];
    for (int half = 0; half < 2; half++) {
      int own = half;
      int[] others = sorted(IntStream.range(0, count).filter(row -> row % 2 != own));
      double threshold = others.length == 0 ? 0 : threshold(costs, others).score();
      for (int row = half; row < count; row += 2) {
        mistakes[row] = isMistake(row, threshold);
      }
    }
    return mistakes;
  }

  /** The cost of the {@linkplain #crossedMistakes cross-validated mistakes}. */
  public double crossedCost(Costs costs) {
    boolean[] mistakes = crossedMistakes(costs);
    return IntStream.range(0, count)
        .filter(row -> mistakes[row])
        .mapToDouble(row -> cost(costs, row))
        .sum();
  }
}
