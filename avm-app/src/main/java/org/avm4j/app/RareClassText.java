package org.avm4j.app;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.avm4j.Prediction;
import org.avm4j.data.Schema;
import org.avm4j.eval.RareClass;
import org.avm4j.pipeline.CostThreshold;
import org.avm4j.pipeline.Costs;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.ThresholdChoice;

/** Formats how well the rarer of two classes is found, and the cost of mistakes. */
final class RareClassText {
  private static final double TOP = 0.1;
  private static final double[] RECALLS = {0.25, 0.5, 0.75, 0.9};

  private final PreparedModel model;
  private final RareClass rare;
  private final Costs costs;

  /**
   * Figures of a model.
   *
   * @param asked the costs of mistakes; null for those that the model was trained with, if any
   */
  RareClassText(PreparedModel model, Costs asked) {
    this.model = model;
    boolean isPair = model.classes().length == 2 && !model.task().isUnsupervised();
    rare = isPair ? new RareClass(model.classes(), model.threshold()) : null;
    costs = asked == null ? model.threshold().map(CostThreshold::costs).orElse(null) : asked;
  }

  /** Adds an answer; ignored unless the model has two classes. */
  void add(double label, Prediction answer) {
    if (rare != null && answer.scores().length == 1) {
      rare.add(label, answer.scores()[0]);
    }
  }

  /** Whether there are rows of both classes. */
  boolean isDefined() {
    return rare != null && rare.isDefined();
  }

  /** Values for JSON; costs only if they are known. */
  Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("rareClass", labelText());
    values.put("rareShare", (double) rare.rare() / rare.rows());
    values.put("averagePrecision", rare.averagePrecision());
    values.put(
        "recallAndPrecision",
        rare.curve().stream().map(at -> List.of(at.recall(), at.precision())).toList());
    values.put("liftOfTopTenth", rare.lift(TOP));
    if (costs != null) {
      double best = rare.threshold(costs).score();
      values.put("threshold", best);
      values.put("cost", rare.cost(costs, best));
      values.put("crossedCost", rare.crossedCost(costs));
      values.put("costAtZero", rare.cost(costs, 0));
      values.put("constantCost", constantCost());
      model.threshold().ifPresent(kept -> addKept(kept, values));
    }
    return values;
  }

  /** The cost of the cheaper of the two constant answers. */
  private double constantCost() {
    return Math.min(
        rare.cost(costs, Double.NEGATIVE_INFINITY), rare.cost(costs, Double.POSITIVE_INFINITY));
  }

  private void addKept(CostThreshold kept, Map<String, Object> values) {
    values.put("modelThreshold", kept.score());
    values.put("modelThresholdRows", kept.rows());
    values.put("costAtModelThreshold", rare.cost(costs, kept.score()));
  }

  private String labelText() {
    return model.preparation().schema().labelText(rare.label());
  }

  /** Adds the figures to a report. */
  void addRows(Map<String, String> rows) {
    rows.put(
        "average precision",
        Text.format(
            "%.4f for class %s, which is %.2f %% of the rows and %.2g times as frequent among the"
                + " tenth with the highest scores",
            rare.averagePrecision(),
            labelText(),
            100.0 * rare.rare() / rare.rows(),
            rare.lift(TOP)));
    rows.put("precision at recall", precisions());
    if (costs != null) {
      rows.put("cost", cost());
      rows.put("threshold", threshold());
    }
  }

  /** The highest precision at a recall of at least each of {@link #RECALLS}. */
  private String precisions() {
    List<RareClass.Point> curve = rare.curve();
    return Arrays.stream(RECALLS)
        .mapToObj(
            wanted ->
                Text.format(
                    "%.0f %% at %.0f %%",
                    100
                        * curve.stream()
                            .filter(at -> at.recall() >= wanted)
                            .mapToDouble(RareClass.Point::precision)
                            .max()
                            .orElse(0),
                    100 * wanted))
        .collect(Collectors.joining(", "));
  }

  /** The cost of the model's answers. */
  private String cost() {
    Optional<CostThreshold> kept = model.threshold();
    String atZero = Text.number(rare.cost(costs, 0));
    return kept.map(
            known ->
                Text.format(
                    "%s with the model's threshold %.6g, which was chosen on %,d rows in"
                        + " training; a threshold of 0 costs %s",
                    Text.number(rare.cost(costs, known.score())),
                    known.score(),
                    known.rows(),
                    atZero))
        .orElse(atZero + " by the sign of the score; the model has no threshold");
  }

  /** A sentence on the best threshold for these rows. */
  private String threshold() {
    double best = rare.threshold(costs).score();
    return Text.format(
        "%.6g is cheapest, at a cost of %s. This is optimistic, because the threshold was chosen"
            + " on the same rows. Choosing it on one half and applying it to the other costs %s."
            + " Use it with predict --threshold %.6g",
        best, Text.number(rare.cost(costs, best)), Text.number(rare.crossedCost(costs)), best);
  }

  /** Adds the precision-recall curve to a page, if there are rows of both classes. */
  void draw(HtmlReport page) {
    if (!isDefined()) {
      return;
    }
    page.section("How well class " + labelText() + " is found");
    page.drawing(EvaluationCharts.precision(rare.curve(), (double) rare.rare() / rare.rows()));
    page.note(
        "Precision against recall of class "
            + labelText()
            + " as the threshold falls. The dotted line is the share of the class in all rows,"
            + " the precision of random guesses.");
  }

  /** The threshold chosen in training, for JSON. */
  static Map<String, Object> values(ThresholdChoice chosen, Schema schema) {
    Map<String, Object> values = values(chosen.threshold(), schema.labelText(chosen.rareClass()));
    values.put("cost", chosen.cost());
    values.put("crossedCost", chosen.crossedCost());
    values.put("costAtZero", chosen.costAtZero());
    return values;
  }

  /** The threshold saved in a model, for JSON. */
  static Map<String, Object> values(CostThreshold kept, String rareClass) {
    return Json.members(
        "score", kept.score(),
        "rareClass", rareClass,
        "costOfMissed", kept.costs().missed(),
        "costOfAlarm", kept.costs().alarm(),
        "rows", kept.rows());
  }

  /** The threshold chosen in training, as text. */
  static String text(ThresholdChoice chosen, Schema schema) {
    return Stream.of(
            Text.format(
                    "%s is answered %s score %.6g %s, saved in the model",
                    schema.labelText(chosen.rareClass()),
                    chosen.threshold().isUpperRare() ? "from" : "below",
                    chosen.threshold().score(),
                    chosen.threshold().isUpperRare() ? "on" : "")
                .replace(" ,", ","),
            Text.format("chosen on %,d held-out rows", chosen.threshold().rows()),
            Text.format(
                "mistakes cost %s on them, %s if it is chosen on one half and applied to the"
                    + " other, and %s at 0",
                Text.number(chosen.cost()),
                Text.number(chosen.crossedCost()),
                Text.number(chosen.costAtZero())))
        .collect(Collectors.joining("; "));
  }
}
