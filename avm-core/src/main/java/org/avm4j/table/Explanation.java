package org.avm4j.table;

import java.util.List;
import java.util.Map;
import org.avm4j.Prediction;

/**
 * Why an answer is what it is. An amount is by how much the score of the answer would fall if one
 * column had its usual value and all others stayed: above 0 the column speaks for the answer, or
 * raises the number that is predicted.
 *
 * <p>The score of the answer is the number itself in regression, the score of an anomaly detector,
 * and in classification the score of the class that was answered; of two classes with one score it
 * is that score, with its sign changed for the lower class. The amounts need not add up: two
 * columns that say the same each matter little as long as the other is there.
 *
 * @param answer the whole answer
 * @param score the score of the answer
 * @param usualScore the same of a row with the usual value in every column
 * @param effects the columns that changed the answer, the largest absolute amount first
 * @param points the core points nearest to the row, the nearest first
 */
public record Explanation(
    Prediction answer, double score, double usualScore, List<Effect> effects, List<Point> points) {
  /** Makes the lists immutable. */
  public Explanation {
    effects = List.copyOf(effects);
    points = List.copyOf(points);
  }

  /**
   * The effect of one column.
   *
   * @param column its name
   * @param value its value in the row, as it is in the data
   * @param usual its usual value
   * @param amount what the score of the answer loses if the column has its usual value
   */
  public record Effect(String column, String value, String usual, double amount) {}

  /**
   * A core point near the row.
   *
   * @param distance how far it is, as the model measures it: after scaling
   * @param weight its coefficient in the score of the answer; of an anomaly detector the rows that
   *     fell into its cell
   * @param values its value in each column, in the units of the data
   */
  public record Point(double distance, double weight, Map<String, String> values) {}
}
