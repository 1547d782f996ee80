package org.avm4j.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.avm4j.Prediction;
import org.avm4j.table.Explanation;

/** Formats explanations of answers as text, CSV or JSON. */
final class ExplainText {
  /** The header of {@link #csv}. */
  static final String CSV_HEADER = "row,answer,part,rank,column,value,usual,amount,distance";

  private ExplainText() {}

  /** The columns that moved the answer, then the nearest core points; all lines are indented. */
  static String text(Explanation why) {
    int name = width(why.effects().stream().map(Explanation.Effect::column).toList());
    int value = width(why.effects().stream().map(Explanation.Effect::value).toList());
    String line = "  %+-11.4g %-" + name + "s  %-" + value + "s  usually %s";
    List<String> lines = new ArrayList<>();
    lines.add(
        Text.format(
            "  score %.5g; a row with typical values scores %.5g", why.score(), why.usualScore()));
    for (Explanation.Effect effect : why.effects()) {
      lines.add(
          Text.format(line, effect.amount(), effect.column(), effect.value(), effect.usual()));
    }
    why.points().forEach(point -> lines.add(text(point, why.effects())));
    return String.join("\n", lines);
  }

  private static int width(List<String> texts) {
    return Math.max(1, texts.stream().mapToInt(String::length).max().orElse(1));
  }

  private static String text(Explanation.Point point, List<Explanation.Effect> effects) {
    return Text.format(
        "  core point at distance %.3g, weight %+.3g: %s",
        point.distance(),
        point.weight(),
        shown(point, effects).entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", ")));
  }

  /** The values of the point in the columns that changed the answer. */
  private static Map<String, String> shown(
      Explanation.Point point, List<Explanation.Effect> effects) {
    Map<String, String> shown = new LinkedHashMap<>();
    effects.forEach(
        effect -> shown.put(effect.column(), point.values().getOrDefault(effect.column(), "0")));
    return shown;
  }

  /** A line for each column, and for each column of each core point. */
  static String csv(long row, String answer, Explanation why) {
    List<String> lines = new ArrayList<>();
    int rank = 0;
    for (Explanation.Effect effect : why.effects()) {
      lines.add(
          line(
              row,
              answer,
              "column",
              ++rank,
              effect.column(),
              effect.value(),
              effect.usual(),
              effect.amount(),
              ""));
    }
    rank = 0;
    for (Explanation.Point point : why.points()) {
      int place = ++rank;
      shown(point, why.effects())
          .forEach(
              (column, value) ->
                  lines.add(
                      line(row, answer, "point", place, column, value, "", "", point.distance())));
    }
    return String.join("\n", lines);
  }

  private static String line(Object... fields) {
    return Text.csv(List.of(fields));
  }

  /** One JSON object on one line. */
  static String json(long row, String answer, List<String> classes, Explanation why) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("row", row);
    values.put("answer", answer);
    values.put("score", why.score());
    values.put("usualScore", why.usualScore());
    if (why.answer().isCalibrated()) {
      values.put("probabilities", probabilities(classes, why.answer()));
    }
    values.put("columns", why.effects().stream().map(ExplainText::values).toList());
    values.put("corePoints", why.points().stream().map(ExplainText::values).toList());
    return Json.line(values);
  }

  private static Map<String, Object> probabilities(List<String> classes, Prediction answer) {
    Map<String, Object> values = new LinkedHashMap<>();
    double[] all = answer.probabilities();
    for (int c = 0; c < all.length; c++) {
      values.put(classes.get(c), all[c]);
    }
    return values;
  }

  private static Map<String, Object> values(Explanation.Effect effect) {
    return Json.members(
        "column", effect.column(),
        "value", effect.value(),
        "usual", effect.usual(),
        "amount", effect.amount());
  }

  private static Map<String, Object> values(Explanation.Point point) {
    return Json.members(
        "distance", point.distance(),
        "weight", point.weight(),
        "values", point.values());
  }
}
