package org.avm4j.flink.table;

import java.util.Arrays;
import java.util.Objects;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.avm4j.data.Decimal;
import org.avm4j.flink.AvmAnswer;
import org.avm4j.flink.AvmRow;
import org.avm4j.flink.AvmStreams;
import org.avm4j.flink.DeadLetter;
import org.avm4j.flink.LateLabel;
import org.avm4j.flink.LearnOptions;

/**
 * Answers and learns the rows of a table, with a learner for each key.
 *
 * <pre>{@code
 * Table rows = tables.sqlQuery("SELECT shop, age, colour, sold FROM visits");
 * TableColumns columns = TableColumns.ofLabel("sold").withKey("shop");
 * Table answers = AvmTables.learn(tables, rows, columns, LearnOptions.of(LearnerRecipe.automatic()));
 * }</pre>
 */
public final class AvmTables {
  private static final TypeInformation<Row> ANSWERS =
      Types.ROW_NAMED(
          new String[] {
            "key", "id", "label", "scores", "low", "high", "labels", "truth", "version", "far"
          },
          Types.STRING,
          Types.STRING,
          Types.STRING,
          Types.OBJECT_ARRAY(Types.DOUBLE),
          Types.DOUBLE,
          Types.DOUBLE,
          Types.OBJECT_ARRAY(Types.STRING),
          Types.STRING,
          Types.STRING,
          Types.BOOLEAN);

  private AvmTables() {}

  /**
   * Answers each row of an append-only table, then learns it. All columns except the special ones
   * are features. Refused rows have no answer; {@link #learnAll} reports them with the reason.
   *
   * @return {@code key}, {@code id}, {@code label}, {@code scores}, {@code low} and {@code high} of
   *     the interval, the set of {@code labels}, {@code truth} and {@code version} of each answer,
   *     and whether the row is {@code far}; labels are texts, and intervals and sets are NULL if
   *     the learner has no such level
   */
  public static Table learn(
      StreamTableEnvironment tables, Table rows, TableColumns columns, LearnOptions options) {
    return learnAll(tables, rows, columns, options).answers();
  }

  /** The same, with a table of the rows that were refused. */
  public static LearnedTables learnAll(
      StreamTableEnvironment tables, Table rows, TableColumns columns, LearnOptions options) {
    SingleOutputStreamOperator<AvmRow> read =
        read(tables, rows, TableRows.rows(columns), AvmRow.class, "rows");
    DataStream<DeadLetter> unread = read.getSideOutput(AvmStreams.DEAD_LETTERS);
    return all(tables, AvmStreams.learn(read, options), unread);
  }

  /**
   * The same with labels in a separate table, whose columns of key, id and label have the same
   * names. A row waits for its label as long as {@link LearnOptions#withLabelTimeout} says.
   */
  public static LearnedTables learnAll(
      StreamTableEnvironment tables,
      Table rows,
      Table labels,
      TableColumns columns,
      LearnOptions options) {
    Objects.requireNonNull(columns.id(), "rows whose labels follow must have a column of ids");
    SingleOutputStreamOperator<AvmRow> read =
        read(tables, rows, TableRows.rows(columns), AvmRow.class, "rows");
    SingleOutputStreamOperator<LateLabel> late =
        read(tables, labels, TableRows.labels(columns), LateLabel.class, "labels");
    DataStream<DeadLetter> unread =
        read.getSideOutput(AvmStreams.DEAD_LETTERS)
            .union(late.getSideOutput(AvmStreams.DEAD_LETTERS));
    return all(tables, AvmStreams.learn(read, late, options), unread);
  }

  private static <T> SingleOutputStreamOperator<T> read(
      StreamTableEnvironment tables, Table table, TableRows<T> rows, Class<T> type, String name) {
    DataStream<Row> stream = tables.toDataStream(table);
    return stream
        .process(rows)
        .returns(TypeInformation.of(type))
        .setParallelism(stream.getParallelism()) // another number would mix up the rows
        .name(name);
  }

  private static LearnedTables all(
      StreamTableEnvironment tables,
      SingleOutputStreamOperator<AvmAnswer> answers,
      DataStream<DeadLetter> unread) {
    DataStream<DeadLetter> refused = unread.union(answers.getSideOutput(AvmStreams.DEAD_LETTERS));
    return new LearnedTables(
        table(tables, answers, AvmTables::answer, ANSWERS, "answers"),
        table(
            tables,
            refused,
            letter -> Row.of(letter.row(), letter.kind(), letter.reason()),
            texts("row", "kind", "reason"),
            "refused"),
        table(
            tables,
            answers.getSideOutput(AvmStreams.ROWS_WITHOUT_LABEL),
            row -> Row.of(row.key(), row.id()),
            texts("key", "id"),
            "rows without label"),
        table(
            tables,
            answers.getSideOutput(AvmStreams.LABELS_WITHOUT_ROW),
            label -> Row.of(label.key(), label.id(), text(label.label())),
            texts("key", "id", "label"),
            "labels without row"));
  }

  private static TypeInformation<Row> texts(String... names) {
    TypeInformation<?>[] types = new TypeInformation<?>[names.length];
    Arrays.fill(types, Types.STRING);
    return Types.ROW_NAMED(names, types);
  }

  private static <T> Table table(
      StreamTableEnvironment tables,
      DataStream<T> stream,
      MapFunction<T, Row> row,
      TypeInformation<Row> type,
      String name) {
    return tables.fromDataStream(stream.map(row).returns(type).name(name));
  }

  private static Row answer(AvmAnswer answer) {
    Double[] scores = new Double[answer.scores().length];
    for (int c = 0; c < scores.length; c++) {
      scores[c] = answer.scores()[c];
    }
    return Row.of(
        answer.key(),
        answer.id(),
        text(answer.label()),
        scores,
        answer.interval() == null ? null : answer.interval().low(),
        answer.interval() == null ? null : answer.interval().high(),
        answer.labels() == null
            ? null
            : answer.labels().stream().map(AvmTables::text).toArray(String[]::new),
        text(answer.truth()),
        answer.version(),
        answer.isFar());
  }

  private static String text(Object label) {
    return label instanceof Double number
        ? Decimal.text(number)
        : label == null ? null : label.toString();
  }
}
