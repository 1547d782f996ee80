package org.avm4j.explain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Neighbour;
import org.avm4j.Prediction;
import org.avm4j.Task;
import org.avm4j.data.Schema;
import org.avm4j.table.Explanation;

/**
 * Explains the answers of any model: each column in turn is set to its usual value, and the model
 * answers again. Immutable and thread-safe.
 *
 * <pre>{@code
 * PreparedModel model = PreparedModel.load(Path.of("houses.avm"));
 * Explanation why = model.explainer().explain(x, 5, 3);
 * why.effects().forEach(effect -> System.out.println(effect.column() + " " + effect.amount()));
 * }</pre>
 *
 * <p>Explaining a row costs one more answer for each column that differs from its usual value.
 */
public final class Explainer {
  private static final Comparator<Explanation.Effect> LARGEST_FIRST =
      Comparator.<Explanation.Effect>comparingDouble(effect -> Math.abs(effect.amount()))
          .reversed();

  private final Model model;
  private final ColumnView view;
  private final Schema schema;
  private final Features usual;

  /**
   * Explains answers to rows whose features have these names.
   *
   * @param usual the row that has the usual value in every column
   */
  public Explainer(Model model, Schema schema, Features usual) {
    this.model = model;
    this.schema = schema.snapshot();
    this.usual = usual.copy();
    view = new ColumnView(this.schema);
  }

  /**
   * Why the model answers x as it does.
   *
   * @param columns the most columns to report
   * @param points the most core points to report
   */
  public Explanation explain(Features x, int columns, int points) {
    Prediction answer = model.answer(x);
    Score score = new Score(answer);
    List<Explanation.Effect> effects = effects(x, score);
    return new Explanation(
        answer,
        score.of(x),
        score.of(usual),
        effects.subList(0, Math.min(columns, effects.size())),
        points < 1 ? List.of() : points(x, points, score));
  }

  private List<Explanation.Effect> effects(Features x, Score score) {
    TreeSet<Integer> present = view.columns(x);
    present.addAll(view.columns(usual));
    double before = score.of(x);
    List<Explanation.Effect> effects = new ArrayList<>();
    for (int column : present) {
      Features other = view.mixed(x, usual, column);
      if (!sameEntries(x, other)) {
        effects.add(effect(x, column, before - score.of(other)));
      }
    }
    effects.sort(LARGEST_FIRST);
    return effects;
  }

  private static boolean sameEntries(Features x, Features other) {
    boolean same = x.count() == other.count();
    for (int e = 0; same && e < x.count(); e++) {
      same = x.index(e) == other.index(e) && x.value(e) == other.value(e);
    }
    return same;
  }

  private Explanation.Effect effect(Features x, int column, double amount) {
    return new Explanation.Effect(
        view.name(column), view.text(x, column), view.text(usual, column), amount);
  }

  private List<Explanation.Point> points(Features x, int most, Score score) {
    List<Explanation.Point> points = new ArrayList<>();
    for (Neighbour near : model.nearest(x, most)) {
      double weight = score.of(near.point().coefficients());
      points.add(new Explanation.Point(near.distance(), weight, values(near.point().x())));
    }
    return points;
  }

  /** All named columns; of features without a name those that are not 0. */
  private Map<String, String> values(Features x) {
    Map<String, String> values = new LinkedHashMap<>();
    TreeSet<Integer> shown = view.columns(x);
    for (int column = 0; column < schema.columns().size(); column++) {
      shown.add(column);
    }
    shown.forEach(column -> values.put(view.name(column), view.text(x, column)));
    return values;
  }

  /** The number that decides an answer. */
  private final class Score {
    private final int place;
    private final double sign;

    Score(Prediction answer) {
      Task.Kind kind = model.task().kind();
      int found = Arrays.binarySearch(answer.classes(), answer.label());
      place = kind == Task.Kind.MULTICLASS ? Math.max(0, found) : 0;
      sign = kind == Task.Kind.BINARY && found == 0 ? -1 : 1;
    }

    double of(Features x) {
      double[] scores = model.score(x);
      return scores.length == 0 ? 0 : sign * scores[place];
    }

    double of(List<Double> coefficients) {
      return coefficients.isEmpty()
          ? 0
          : sign * coefficients.get(Math.min(place, coefficients.size() - 1));
    }
  }
}
