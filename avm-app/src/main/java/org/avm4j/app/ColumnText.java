package org.avm4j.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.avm4j.explain.Importance;

/** Formats the importance of columns as text and as JSON values. */
final class ColumnText {
  private static final int MOST_SHOWN = 10;
  private static final int MOST_OF_REGION = 5;

  private ColumnText() {}

  /** The columns with the largest weights in distances. */
  static String weights(Map<String, Double> weights) {
    return weights.entrySet().stream()
        .limit(MOST_SHOWN)
        .map(entry -> Text.format("%s %.2f", entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** A line for each of the columns that matter most, and one for each region of a tree. */
  static String table(Importance importance) {
    List<Importance.Rise> shown = shown(importance.columns(), MOST_SHOWN);
    int width = shown.stream().mapToInt(rise -> rise.column().length()).max().orElse(0);
    StringBuilder text = new StringBuilder(heading(importance)).append(System.lineSeparator());
    for (Importance.Rise rise : shown) {
      text.append(String.format("  %-" + width + "s  %s%n", rise.column(), amount(rise)));
    }
    importance.regions().forEach(region -> text.append(line(region)));
    return text.toString();
  }

  /** The heading of the table, with the unit of the amounts. */
  static String heading(Importance importance) {
    return Text.format(
        "columns that matter: increase of the %s when a column's values are permuted, over %,d"
            + " rows%s",
        name(importance),
        importance.rows(),
        shown(importance.columns(), 1).isEmpty() ? ": none" : "");
  }

  /** The name of the error, with its value and unit. */
  private static String name(Importance importance) {
    boolean isRmse = importance.figure().equals("rmse");
    String error = number(importance.error());
    return isRmse ? "RMSE (" + error + ")" : "mistake rate (" + error + " %)";
  }

  private static List<Importance.Rise> shown(List<Importance.Rise> columns, int most) {
    return columns.stream().filter(Importance.Rise::matters).limit(most).toList();
  }

  private static String amount(Importance.Rise rise) {
    return Text.format("%+.4g ± %s", rise.rise(), number(2 * rise.standardError()));
  }

  private static String line(Importance.Part region) {
    List<String> rises = new ArrayList<>();
    shown(region.columns(), MOST_OF_REGION)
        .forEach(rise -> rises.add(Text.format("%s %+.3g", rise.column(), rise.rise())));
    return Text.format(
        "  where mostly %s (%,d rows, %s): %s%n",
        region.where(),
        region.rows(),
        number(region.error()),
        rises.isEmpty() ? "no column has a significant effect" : String.join(", ", rises));
  }

  private static String number(double value) {
    return Text.format("%.3g", value);
  }

  /** All measurements as a JSON object. */
  static Map<String, Object> values(Importance importance) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("figure", importance.figure());
    values.put("rows", importance.rows());
    values.put("error", importance.error());
    values.put("columns", rises(importance.columns()));
    if (!importance.regions().isEmpty()) {
      values.put("regions", importance.regions().stream().map(ColumnText::values).toList());
    }
    return values;
  }

  private static Map<String, Object> values(Importance.Part region) {
    return Json.members(
        "where", region.where(),
        "rows", region.rows(),
        "error", region.error(),
        "columns", rises(region.columns()));
  }

  private static List<Map<String, Object>> rises(List<Importance.Rise> columns) {
    return columns.stream().map(ColumnText::values).toList();
  }

  private static Map<String, Object> values(Importance.Rise rise) {
    return Json.members(
        "column", rise.column(),
        "rise", rise.rise(),
        "standardError", rise.standardError());
  }
}
