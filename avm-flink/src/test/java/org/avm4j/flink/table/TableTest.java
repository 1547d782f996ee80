package org.avm4j.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.functions.UserDefinedFunction;
import org.apache.flink.table.functions.UserDefinedFunctionHelper;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.flink.LearnOptions;
import org.avm4j.flink.LearnerRecipe;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQL and the Table API give what the library alone gives. */
@SuppressWarnings("try")
class TableTest {
  private static final LearnerRecipe SMALL =
      LearnerRecipe.of(
          LearnerSpec.of(Map.of("task", "binary", "gamma", 1, "delta", 0.01, "max-size", 20)));
  private static final int N = 120;

  @TempDir Path folder;

  private static final TypeInformation<?> KEY = Types.STRING;
  private static final TypeInformation<?> ID = Types.INT;
  private static final TypeInformation<?> TEXT = Types.STRING;

  private StreamExecutionEnvironment env;
  private StreamTableEnvironment tables;

  @BeforeEach
  void start() {
    env = StreamExecutionEnvironment.createLocalEnvironment(1);
    tables = StreamTableEnvironment.create(env);
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < N; i++) {
      rows.add(
          "('%s', %d, %s, '%s', '%s')"
              .formatted("s" + i % 2, i, i % 10 / 10.0, colour(i), label(i)));
    }
    tables.executeSql(
        "CREATE TEMPORARY VIEW visits AS SELECT * FROM (VALUES "
            + String.join(", ", rows)
            + ") AS t(shop, number, age, colour, sold)");
  }

  /** Flink keeps the name of such a function in a compiled plan. */
  @Test
  void functionsCanStandInACompiledPlan() {
    for (UserDefinedFunction each : List.of(new AvmLabel(), new AvmScores(), new AvmFar())) {
      assertThat(UserDefinedFunctionHelper.isClassNameSerializable(each)).isTrue();
    }
  }

  private static String colour(int i) {
    return i % 3 == 0 ? "red" : "blue";
  }

  private static String label(int i) {
    return i % 10 > 4 ? "yes" : "no";
  }

  private static Map<String, Object> features(int i) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("age", i % 10 / 10.0);
    columns.put("colour", colour(i));
    return columns;
  }

  private static List<Row> all(Table table) throws Exception {
    List<Row> rows = new ArrayList<>();
    try (CloseableIterator<Row> found = table.execute().collect()) {
      found.forEachRemaining(rows::add);
    }
    return rows;
  }

  private PreparedModel saved() throws Exception {
    Pipeline learner = SMALL.create();
    for (int i = 0; i < N; i++) {
      learner.learn(features(i), label(i), 1);
    }
    learner.save(folder.resolve("m.avm"));
    return PreparedModel.load(folder.resolve("m.avm"));
  }

  @Test
  void aSavedModelScoresInSql() throws Exception {
    PreparedModel model = saved();
    tables.executeSql("CREATE TEMPORARY FUNCTION avm_label AS '" + AvmLabel.class.getName() + "'");
    tables.executeSql(
        "CREATE TEMPORARY FUNCTION avm_scores AS '" + AvmScores.class.getName() + "'");
    String model0 = "'" + folder.resolve("m.avm").toUri() + "', 'age', age, 'colour', colour";
    List<Row> found =
        all(
            tables.sqlQuery(
                "SELECT number, avm_label("
                    + model0
                    + "), avm_scores("
                    + model0
                    + ") FROM visits"));
    assertThat(found).hasSize(N);
    for (Row row : found) {
      Prediction alone = model.answer(features((Integer) row.getField(0)));
      assertThat(row.getField(1)).isEqualTo(model.labelText(alone));
      assertThat(((Object[]) row.getField(2))[0]).isEqualTo(alone.scores()[0]);
    }
  }

  @Test
  void sqlTellsFarRows() throws Exception {
    saved();
    tables.executeSql("CREATE TEMPORARY FUNCTION avm_far AS '" + AvmFar.class.getName() + "'");
    String model = "'" + folder.resolve("m.avm").toUri() + "', 'colour', colour, 'age', age";
    String far = model.replace(", age", ", 1000 + age");
    String query = "SELECT avm_far(" + model + "), avm_far(" + far + ") FROM visits";
    assertThat(all(tables.sqlQuery(query)))
        .hasSize(N)
        .allMatch(row -> row.getField(0).equals(false) && row.getField(1).equals(true));
  }

  /** The labels of the view come in blocks of five, so that the latest one counts in its stream. */
  @Test
  void aFileOfAutomaticModeAnswersWithoutTheLatestLabel() throws Exception {
    Pipeline learner = LearnerRecipe.automatic().create();
    for (int i = 0; i < 3000; i++) {
      learner.learn(features(i), label(i), 1);
    }
    Path file = folder.resolve("automatic.avm");
    learner.save(file);
    PreparedModel mixture = PreparedModel.load(file);
    PreparedModel asked = new SavedModels().of(file.toUri().toString());
    int different = 0;
    for (int i = 0; i < 10; i++) {
      double score = asked.answer(features(i)).scores()[0];
      assertThat(score).isEqualTo(mixture.detached().answer(features(i)).scores()[0]);
      different += score == mixture.answer(features(i)).scores()[0] ? 0 : 1;
    }
    assertThat(different).isPositive();
  }

  @Test
  void aTableLearnsByKey() throws Exception {
    TableColumns columns = TableColumns.ofLabel("sold").withKey("shop").withId("number");
    Table visits = tables.from("visits");
    List<Row> found = all(AvmTables.learn(tables, visits, columns, LearnOptions.of(SMALL)));
    assertThat(found).hasSize(N);
    Map<String, Pipeline> learners = new HashMap<>();
    Map<String, Row> byId = new HashMap<>();
    found.forEach(row -> byId.put((String) row.getField("id"), row));
    for (int i = 0; i < N; i++) {
      Pipeline learner = learners.computeIfAbsent("s" + i % 2, key -> SMALL.create());
      Row row = byId.get("" + i);
      assertThat(row.getField("version")).isEqualTo("" + i / 2);
      RowEncoder rows = new RowEncoder(learner.preparation().schema(), Missing.MEAN);
      double y = rows.label(label(i));
      Features x = rows.encode(features(i));
      if (i >= 2) {
        assertThat(((Object[]) row.getField("scores"))[0]).isEqualTo(learner.answer(x).scores()[0]);
      }
      learner.learn(x, y, 1);
    }
    assertThat(byId.get("119").getField("label")).isEqualTo("yes");
  }

  @Test
  void answersOfATableSayHowSureTheyAre() throws Exception {
    Map<String, Object> words =
        Map.of("task", "binary", "gamma", 1, "delta", 0.01, "max-size", 20, "interval", 90);
    LearnerRecipe sure = LearnerRecipe.of(LearnerSpec.of(words));
    TableColumns columns = TableColumns.ofLabel("sold").withId("number");
    Table visits = tables.sqlQuery("SELECT number, age, colour, sold FROM visits");
    List<Row> found = all(AvmTables.learn(tables, visits, columns, LearnOptions.of(sure)));
    Pipeline learner = sure.create();
    for (int i = 0; i < N; i++) {
      Row row = found.get(i);
      assertThat(row.getField("id")).isEqualTo("" + i);
      assertThat(row.getField("low")).isNull();
      RowEncoder rows = new RowEncoder(learner.preparation().schema(), Missing.MEAN);
      double y = rows.label(label(i));
      Features x = rows.encode(features(i));
      if (i >= 2) {
        Object[] expected =
            Arrays.stream(learner.answer(x).labels(0.9)).mapToObj(rows::labelText).toArray();
        assertThat((Object[]) row.getField("labels")).containsExactly(expected);
      }
      learner.learn(x, y, 1);
    }
  }

  @Tag("slow")
  @Test
  void rowsThatAreRefusedAreATable() throws Exception {
    Table some =
        tables.sqlQuery(
            "SELECT number, age, colour, CASE WHEN number = 77 THEN 'maybe' ELSE sold END AS sold,"
                + " CASE WHEN number = 78 THEN 1e300 ELSE 0e0 END AS amount FROM visits");
    TableColumns columns = TableColumns.ofLabel("sold").withId("number");
    LearnedTables learned = AvmTables.learnAll(tables, some, columns, LearnOptions.of(SMALL));
    assertThat(all(learned.answers())).hasSize(N - 2);
    List<Row> refused = all(learned.refused());
    assertThat(refused)
        .extracting(row -> row.getField("kind"))
        .containsExactlyInAnyOrder("label", "value");
    assertThat(refused.get(0).getField("reason").toString()).contains("maybe");
    assertThat(all(learned.rowsWithoutLabel())).isEmpty();
  }

  /** The labels of the first 100 rows come in a table of their own, with one of no row. */
  @Test
  void labelsMayFollowInATableOfTheirOwnAndExpire() throws Exception {
    List<Row> rows = new ArrayList<>();
    List<Row> labels = new ArrayList<>();
    for (int i = 0; i < N; i++) {
      rows.add(Row.of("s" + i % 2, i, i % 10 / 10.0, colour(i)));
      if (i < 100) {
        labels.add(Row.of("s" + i % 2, i, label(i)));
      }
    }
    labels.add(Row.of("s0", 1000, "yes"));
    labels.add(Row.of("s0", 2, null));
    Table asked =
        timed(rows, Types.ROW_NAMED(names("shop number age colour"), KEY, ID, Types.DOUBLE, TEXT));
    Table late = timed(labels, Types.ROW_NAMED(names("shop number sold"), KEY, ID, TEXT));
    TableColumns columns =
        TableColumns.ofLabel("sold").withKey("shop").withId("number").withTime("rowtime");
    LearnOptions options =
        LearnOptions.of(SMALL)
            .withLabelTimeout(Duration.ofHours(1))
            .withLabelTime(TimeDomain.EVENT_TIME);
    LearnedTables learned = AvmTables.learnAll(tables, asked, late, columns, options);
    assertThat(all(learned.answers())).hasSize(N);
    assertThat(all(learned.refused()))
        .singleElement()
        .extracting(row -> row.getField("reason"))
        .isEqualTo("a late label must have a label and the id of a row");
    assertThat(all(learned.rowsWithoutLabel()))
        .extracting(row -> row.getField("id"))
        .hasSize(20)
        .contains("100", "119");
    assertThat(all(learned.labelsWithoutRow())).containsExactly(Row.of("s0", "1000", "yes"));
  }

  private static String[] names(String words) {
    return words.split(" ");
  }

  /** A table of rows a second apart, with a watermark. */
  private Table timed(List<Row> rows, TypeInformation<Row> type) {
    WatermarkStrategy<Row> seconds =
        WatermarkStrategy.<Row>forMonotonousTimestamps()
            .withTimestampAssigner((row, before) -> 1000L * (Integer) row.getField(1));
    Schema schema =
        Schema.newBuilder()
            .columnByMetadata("rowtime", "TIMESTAMP_LTZ(3)")
            .watermark("rowtime", "SOURCE_WATERMARK()")
            .build();
    return tables.fromDataStream(
        env.fromData(rows, type).assignTimestampsAndWatermarks(seconds), schema);
  }

  /** The hour of a timestamp decides the label, which a model of dates can learn. */
  @Test
  void datesAndTimesAreIsoTexts() throws Exception {
    Pipeline learner = SMALL.create();
    org.avm4j.data.Schema schema = learner.preparation().schema();
    schema.declare("seen", ColumnKind.DATE, List.of());
    schema.declare("day", ColumnKind.DATE, List.of());
    schema.declare("clock", ColumnKind.DATE, List.of());
    schema.declare("moment", ColumnKind.DATE, List.of());
    LocalDateTime start = LocalDateTime.of(2020, 1, 1, 0, 30);
    for (int i = 0; i < N; i++) {
      LocalDateTime seen = start.plusHours(7L * i);
      learner.learn(times(seen), seen.getHour() < 12 ? "early" : "late", 1);
    }
    learner.save(folder.resolve("times.avm"));
    tables.executeSql("CREATE TEMPORARY FUNCTION avm_label AS '" + AvmLabel.class.getName() + "'");
    tables.getConfig().setLocalTimeZone(ZoneOffset.UTC);
    Table found =
        tables.sqlQuery(
            "SELECT avm_label('"
                + folder.resolve("times.avm").toUri()
                + "', 'seen', TIMESTAMP '2020-01-02 03:30:00', 'day', DATE '2020-01-02', 'clock',"
                + " TIME '03:30:00', 'moment', CAST(TIMESTAMP '2020-01-02 03:30:00' AS"
                + " TIMESTAMP_LTZ(3)))");
    assertThat(all(found)).singleElement().extracting(row -> row.getField(0)).isEqualTo("early");
    PreparedModel model = learner.snapshot();
    LocalDateTime asked = LocalDateTime.of(2020, 1, 2, 3, 30);
    org.avm4j.data.Row row =
        SavedModels.row(
            new Object[] {
              "seen", asked,
              "day", asked.toLocalDate(),
              "clock", asked.toLocalTime(),
              "moment", asked.toInstant(ZoneOffset.UTC)
            });
    assertThat(model.answer(row).scores()).isEqualTo(model.answer(times(asked)).scores());
    assertThat(TableValues.of(asked.atZone(ZoneId.of("Europe/Berlin"))))
        .isEqualTo("2020-01-02T03:30+01:00");
    assertThat(TableValues.of(asked.atOffset(ZoneOffset.UTC))).isEqualTo("2020-01-02T03:30Z");
    assertThat(TableValues.of(7)).isEqualTo(7);
  }

  private static Map<String, Object> times(LocalDateTime time) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("seen", time.toString());
    row.put("day", time.toLocalDate().toString());
    row.put("clock", time.toLocalTime().toString());
    row.put("moment", time + "Z");
    return row;
  }

  @Test
  void aTableWithATimestampIsLearned() throws Exception {
    Table timed =
        tables.sqlQuery(
            "SELECT number, sold, age, TIMESTAMPADD(DAY, MOD(number, 7), DATE '2020-01-01') AS seen"
                + " FROM visits");
    TableColumns columns = TableColumns.ofLabel("sold").withId("number");
    LearnedTables learned = AvmTables.learnAll(tables, timed, columns, LearnOptions.of(SMALL));
    assertThat(all(learned.answers())).hasSize(N);
    assertThat(all(learned.refused())).isEmpty();
  }

  @Test
  void namesAndValuesTakeTurns() {
    assertThatThrownBy(() -> SavedModels.row(new Object[] {"age"}))
        .hasMessageContaining("alternate");
    assertThatThrownBy(() -> SavedModels.row(new Object[] {1, 2})).hasMessageContaining("a text");
    assertThatThrownBy(() -> new SavedModels().of("file:///nowhere.avm"))
        .hasMessageStartingWith("file:///nowhere.avm: ");
  }
}
