package org.avm4j.flink.table;

import java.util.LinkedHashMap;
import java.util.Map;
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
import org.avm4j.flink.LearnOptions;

/**
 * Tables that learn: a learner for each key of a table of rows, and a table of its answers.
 *
 * <pre>{@code
 * Table rows = tables.sqlQuery("SELECT shop, age, colour, sold FROM visits");
 * TableColumns columns = TableColumns.ofLabel("sold").withKey("shop");
 * Table answers = AvmTables.learn(tables, rows, columns, LearnOptions.of(LearnerRecipe.automatic()));
 * }</pre>
 */
public final class AvmTables {
  private static final String ONE_KEY = "all";

  private static final TypeInformation<Row> ANSWERS =
      Types.ROW_NAMED(
          new String[] {
            "key", "id", "label", "scores", "low", "high", "labels", "truth", "version"
          },
          Types.STRING,
          Types.STRING,
          Types.STRING,
          Types.OBJECT_ARRAY(Types.DOUBLE),
          Types.DOUBLE,
          Types.DOUBLE,
          Types.OBJECT_ARRAY(Types.STRING),
          Types.STRING,
          Types.STRING);

  private AvmTables() {}

  /**
   * Answers each row of a table that only grows, then learns it. All columns but the special ones
   * are features.
   *
   * @return {@code key}, {@code id}, {@code label}, {@code scores}, {@code low} and {@code high} of
   *     the interval, the set of {@code labels}, {@code truth} and {@code version} of each answer;
   *     labels are texts, and intervals and sets are NULL where they were not asked for
   */
  public static Table learn(
      StreamTableEnvironment tables, Table rows, TableColumns columns, LearnOptions options) {
    DataStream<Row> stream = tables.toDataStream(rows);
    SingleOutputStreamOperator<AvmRow> mapped =
        stream
            .map(row -> row(row, columns))
            .returns(TypeInformation.of(AvmRow.class))
            .setParallelism(stream.getParallelism()) // another would lose the order of rows
            .name("rows");
    DataStream<Row> answers =
        AvmStreams.learn(mapped, options).map(AvmTables::answer).returns(ANSWERS).name("answers");
    return tables.fromDataStream(answers);
  }

  private static AvmRow row(Row row, TableColumns columns) {
    Map<String, Object> features = new LinkedHashMap<>();
    for (String name : row.getFieldNames(true)) {
      features.put(name, row.getField(name));
    }
    Object key = columns.key() == null ? ONE_KEY : features.remove(columns.key());
    Object id = columns.id() == null ? null : features.remove(columns.id());
    Object label = features.remove(columns.label());
    return AvmRow.of(String.valueOf(key), features, label).withId(id);
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
        answer.version());
  }

  private static String text(Object label) {
    return label instanceof Double number
        ? Decimal.text(number)
        : label == null ? null : label.toString();
  }
}
