package org.avm4j.app;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Note;
import org.avm4j.data.Schema;
import org.avm4j.io.ColumnSummary;
import org.avm4j.run.DataSource;
import org.avm4j.run.LeftOut;
import org.avm4j.run.PreparedData;
import org.avm4j.spec.Survey;
import org.avm4j.theory.PairwiseDistances;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code avm data describe}: shows what is in a file, and how it will be read. */
@Command(
    name = "describe",
    description = {
      "Show how each column is read, with counts, ranges, labels and distances.",
      "The data is read exactly as avm train reads it. Malformed lines are counted and skipped."
    },
    footer = {
      "",
      "Examples:",
      "  avm data describe table.csv --label class",
      "  avm data describe train.libsvm"
    })
final class DescribeCommand implements Callable<Integer> {
  private static final int MOST_LABELS = 50;
  private static final int WIDEST = 30;

  /** Maximum number of columns that are all shown; of a wider table the first ones are. */
  private static final int MOST_COLUMNS = 200;

  private static final int SHOWN_COLUMNS = 100;

  /** Maximum number of lines on how the other columns are read. */
  private static final int MOST_KINDS = 10;

  /** Share of the rows from which a text is told as the most common one. */
  private static final double FEWEST_MOSTLY = 0.03;

  @Mixin InputOptions input;

  @Option(names = "--json", description = "Print everything as one JSON object.")
  boolean json;

  private final Map<Double, Long> labels = new TreeMap<>();

  @Override
  public Integer call() throws IOException {
    DataSource given = input.source();
    if (given.isStream()) {
      describeStream(given);
    } else {
      describe(given, text -> text);
    }
    return 0;
  }

  /** Copies a stream and describes the copy, because a description reads its source twice. */
  private void describeStream(DataSource given) throws IOException {
    StreamCopies copies = StreamCopies.of(given.names());
    try {
      DataSource files = new DataSource(copies.files(), given.options(), given.skipsBadLines());
      describe(files, copies::named);
    } catch (IOException | Failure failed) {
      Failure failure = Failure.of(failed);
      throw new Failure(failure.code(), copies.named(failure.getMessage()));
    } finally {
      copies.delete();
    }
  }

  /**
   * Describes files.
   *
   * @param named replaces the names of copies in messages by those that the user knows
   */
  private void describe(DataSource given, UnaryOperator<String> named) throws IOException {
    PreparedData data = PreparedData.survey(new DataSource(given.names(), given.options(), true));
    try (InstanceReader rows = data.open()) {
      while (rows.next()) {
        if (labels.size() <= 2 * MOST_LABELS && !Double.isNaN(rows.label())) {
          labels.merge(rows.label(), 1L, Long::sum);
        }
      }
    }
    Map<String, Object> values = values(data.survey(), data.schema());
    if (json) {
      values.put("columns", data.columns().stream().map(DescribeCommand::values).toList());
      values.put("notes", notes(data, named));
      System.out.print(Json.of(values));
    } else {
      System.out.print(table(data.columns()) + table(values));
      InputOptions.tell(notes(data, named));
    }
    LeftOut left = data.leftOut();
    InputOptions.tell(
        new LeftOut(
            left.badLines(),
            left.firstBadLine().map(named),
            left.missingValues(),
            left.unlabelled()));
  }

  private static List<String> notes(PreparedData data, UnaryOperator<String> named) {
    List<String> notes = new ArrayList<>(data.notes().stream().map(Note::toString).toList());
    data.timeOrder().text().ifPresent(notes::add);
    return notes.stream().map(named).distinct().toList();
  }

  private Map<String, Object> values(Survey survey, Schema schema) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("rows", survey.rows());
    values.put("features", survey.dimension());
    values.put("nonZeroPercent", 100.0 * survey.entries() / survey.rows() / survey.dimension());
    values.put("largestValue", survey.largest());
    if (!labels.isEmpty()) {
      values.put("task", survey.task(!schema.labels().isEmpty()).word());
      values.put("labels", labels(survey, schema));
    }
    PairwiseDistances distances = survey.distances();
    values.put("meanDistance", distances.mean());
    values.put("distanceDeviation", distances.deviation());
    values.put("leastDelta", distances.least());
    values.put("largestDelta", distances.largest());
    return values;
  }

  /** The number of rows of each label; for very many labels, their range or number. */
  private Object labels(Survey survey, Schema schema) {
    if (labels.size() > MOST_LABELS) {
      return schema.labels().isEmpty()
          ? "from " + survey.lowestLabel() + " to " + survey.highestLabel()
          : Text.format("%,d different", schema.labels().size());
    }
    Map<String, Object> counts = new LinkedHashMap<>();
    labels.forEach((label, count) -> counts.put(schema.labelText(label), count));
    return counts;
  }

  private static String table(Map<String, Object> values) {
    Map<String, String> rows = new LinkedHashMap<>();
    values.forEach(
        (name, value) ->
            rows.put(
                FigureText.words(name),
                value instanceof Number number
                    ? Text.number(number.doubleValue())
                    : value.toString()));
    return Text.table(rows);
  }

  private static Map<String, Object> values(ColumnSummary column) {
    return Json.members(
        "name", column.name(),
        "role", column.role().name().toLowerCase(Locale.ROOT),
        "kind", column.kind().name().toLowerCase(Locale.ROOT),
        "missing", column.missing(),
        "different", column.different(),
        "range", range(column),
        "readAs", readAs(column));
  }

  private static String table(List<ColumnSummary> columns) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("column", "missing", "different", "values", "read as"));
    List<ColumnSummary> shown = new ArrayList<>(columns);
    List<ColumnSummary> rest = new ArrayList<>();
    if (columns.size() > MOST_COLUMNS) {
      rest.addAll(columns.subList(SHOWN_COLUMNS, columns.size()));
      rest.removeIf(column -> column.role() == ColumnSummary.Role.LABEL);
      shown.removeAll(rest);
    }
    for (ColumnSummary column : shown) {
      lines.add(
          List.of(
              cut(column.name()),
              Text.whole(column.missing()),
              Text.whole(column.different()) + (column.isExact() ? "" : "+"),
              range(column),
              readAs(column)));
    }
    return columns.isEmpty() ? "" : Text.columns(lines) + rest(rest) + System.lineSeparator();
  }

  /** A line that counts the columns that are not shown by how they are read. */
  private static String rest(List<ColumnSummary> columns) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    columns.forEach(column -> counts.merge(readAs(column), 1, Integer::sum));
    return columns.isEmpty()
        ? ""
        : Text.format("and %,d more columns; --json shows all:%n", columns.size())
            + counts.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(MOST_KINDS)
                .map(each -> Text.format("  %,d as %s%n", each.getValue(), each.getKey()))
                .collect(Collectors.joining());
  }

  private static String range(ColumnSummary column) {
    if (column.least().isEmpty()) {
      return "none";
    }
    if (column.isConstant()) {
      String value = cut(column.least());
      return "constant " + (column.kind().isNumeric() ? value : "'" + value + "'");
    }
    boolean isDate = column.kind().isDate() && !column.least().equals(column.most());
    boolean isRange = column.kind().isNumeric() || isDate;
    boolean isLeftOut = !column.reason().isEmpty() && !column.least().equals(column.most());
    return isRange || isLeftOut
        ? cut(column.least()) + " to " + cut(column.most())
        : (column.share() >= FEWEST_MOSTLY ? "mostly '" : "such as '") + cut(column.least()) + "'";
  }

  /** A text on one line that is not too wide. */
  private static String cut(String text) {
    String line = text.replaceAll("\\R|\\t", " ");
    return line.length() <= WIDEST ? line : line.substring(0, WIDEST - 3) + "...";
  }

  private static String readAs(ColumnSummary column) {
    if (column.role() == ColumnSummary.Role.LABEL) {
      return "the label";
    }
    return switch (column.kind()) {
      case NUMBER -> "a number";
      case DECIMAL_COMMA -> "a number with a decimal comma";
      case GROUPED -> "a number with grouped digits, a currency or a percent sign";
      case UNITS -> "a number with units";
      case CATEGORIES ->
          column.different() == 1 ? "1 category" : column.different() + " categories";
      case CAPPED -> "the most common texts, and one category for the rest";
      case DATE, DATE_MONTH_FIRST -> "a date";
      case WORDS -> "words";
      case IGNORED -> "left out: " + column.reason();
    };
  }
}
