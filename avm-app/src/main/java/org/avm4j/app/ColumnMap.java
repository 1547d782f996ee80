package org.avm4j.app;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.avm4j.explain.Importance;
import org.avm4j.explain.Importance.Rise;
import org.avm4j.explain.ImportanceHistory.Moment;

/** A heat map of column importance: a row for each column, a cell for each part of the stream. */
final class ColumnMap {
  private static final int MOST_COLUMNS = 15;
  private static final int LEFT = 170;
  private static final int WIDTH = 690;
  private static final int WIDEST_CELL = 70;
  private static final int NARROWEST_CELL = 46;
  private static final int HEIGHT = 28;
  private static final int TOP = 46;
  private static final int LONGEST_NAME = 25;
  private static final double DARKEST = 0.6;

  private final List<Moment> moments;

  /** By column, the rise of the error at each moment; null where it was not measured. */
  private final Map<String, Rise[]> columns = new LinkedHashMap<>();

  private ColumnMap(List<Moment> all) {
    String figure = all.get(all.size() - 1).importance().figure();
    moments = all.stream().filter(each -> each.importance().figure().equals(figure)).toList();
    for (int i = 0; i < moments.size(); i++) {
      for (Rise rise : moments.get(i).importance().columns()) {
        columns.computeIfAbsent(rise.column(), name -> new Rise[moments.size()])[i] = rise;
      }
    }
  }

  /** Adds the map to a page; nothing if the stream has only one part. */
  static void draw(List<Moment> moments, HtmlReport page) {
    if (moments.size() < 2) {
      return;
    }
    ColumnMap map = new ColumnMap(moments);
    List<String> shown = map.shown();
    page.section("Which columns mattered when");
    if (shown.isEmpty()) {
      page.note("No column had a significant effect in any part of the stream.");
      return;
    }
    page.drawing(map.svg(shown));
    Importance last = moments.get(moments.size() - 1).importance();
    page.note(
        Text.format(
            "Increase of the %s when the values of a column were permuted among the %,d rows"
                + " before each row number, measured with the model from before these rows. A dot"
                + " means no significant increase.%s",
            last.figure().equals("rmse") ? "RMSE" : "mistake rate, in percent,",
            last.rows(),
            map.columns.size() > shown.size()
                ? " Columns with the smallest effect, or none, are not shown."
                : ""));
  }

  /** The columns that mattered at some time, by descending sum of rises. */
  private List<String> shown() {
    return columns.entrySet().stream()
        .filter(column -> sumOfCertain(column.getValue()) > 0)
        .sorted(
            Comparator.comparingDouble(
                (Map.Entry<String, Rise[]> column) -> -sumOfCertain(column.getValue())))
        .limit(MOST_COLUMNS)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static double sumOfCertain(Rise[] rises) {
    double sum = 0;
    for (Rise rise : rises) {
      sum += certain(rise).map(Rise::rise).orElse(0.0);
    }
    return sum;
  }

  private static Optional<Rise> certain(Rise rise) {
    return Optional.ofNullable(rise).filter(Rise::matters);
  }

  private String svg(List<String> shown) {
    int cell = Math.max(NARROWEST_CELL, Math.min(WIDEST_CELL, WIDTH / moments.size()));
    Svg svg =
        new Svg(
            LEFT + moments.size() * cell + 4,
            TOP + shown.size() * HEIGHT + 4,
            "Importance of each column along the stream");
    svg.words(LEFT, 14, "up to row", "");
    for (int i = 0; i < moments.size(); i++) {
      svg.words(LEFT + (i + 0.5) * cell, 36, row(moments.get(i).row()), "middle");
    }
    double most =
        shown.stream()
            .flatMap(name -> Arrays.stream(columns.get(name)))
            .mapToDouble(rise -> certain(rise).map(Rise::rise).orElse(0.0))
            .max()
            .orElse(1);
    for (int c = 0; c < shown.size(); c++) {
      double y = TOP + c * HEIGHT;
      svg.words(LEFT - 8, y + 18, Text.shortened(shown.get(c), LONGEST_NAME), "end");
      for (int i = 0; i < moments.size(); i++) {
        Optional<Rise> rise = certain(columns.get(shown.get(c))[i]);
        double shade = DARKEST * rise.map(Rise::rise).orElse(0.0) / most;
        svg.rect(LEFT + i * cell, y, cell, HEIGHT, "heat", shade);
        svg.words(LEFT + (i + 0.5) * cell, y + 18, rise.map(ColumnMap::text).orElse("·"), "middle");
      }
    }
    return svg.end();
  }

  private static String row(long row) {
    return row < 1_000_000 ? Text.format("%,d", row) : Text.format("%.3gM", row / 1e6);
  }

  private static String text(Rise rise) {
    double value = rise.rise();
    return Text.format(value >= 10 && value < 1e5 ? "%.0f" : "%.2g", value);
  }
}
