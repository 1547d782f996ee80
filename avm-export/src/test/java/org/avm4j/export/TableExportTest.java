package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Prediction;
import org.avm4j.Update;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.Boosting;
import org.avm4j.data.Column;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Instance;
import org.avm4j.data.Missing;
import org.avm4j.data.Scaler;
import org.avm4j.io.ReadOptions;
import org.avm4j.io.TableOptions;
import org.avm4j.models.MeanModel;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.DataSource;
import org.avm4j.run.PreparedData;
import org.avm4j.run.RowStream;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exports answer the rows of a raw table as the library does, whatever its columns hold. */
class TableExportTest {
  private static final double PRECISION = 1e-4;

  /** Models that several tests ask, by what they were learned from. */
  private static final Map<List<Object>, PreparedModel> LEARNED = new HashMap<>();

  @TempDir Path folder;

  private RawTable asked = new RawTable(300, false, 2);

  private Missing missing = Missing.MEAN;

  private DataSource source(Path csv) {
    TableOptions words =
        new TableOptions(
            List.of(), List.of(), List.of(), List.of("note"), null, null, false, false, false, 0);
    ReadOptions options = ReadOptions.DEFAULT.withTable(words).withMissing(missing);
    return new DataSource(List.of(csv.toString()), options, false);
  }

  private PreparedData data(boolean isNumber, LearnerSpec spec) throws Exception {
    Path csv = new RawTable(1500, isNumber, 1).csv(folder.resolve("train.csv"));
    return PreparedData.look(source(csv), spec, Integer.MAX_VALUE);
  }

  private PreparedModel learned(boolean isNumber) throws Exception {
    List<Object> key = List.of(isNumber, missing);
    if (!LEARNED.containsKey(key)) {
      LEARNED.put(key, learn(isNumber));
    }
    return LEARNED.get(key);
  }

  private PreparedModel learn(boolean isNumber) throws Exception {
    Map<String, Object> words = new HashMap<>(Map.of("max-size", 80, "interval", 90));
    if (!isNumber) {
      words.put("probability", true);
    }
    LearnerSpec spec = LearnerSpec.of(words);
    PreparedData data = data(isNumber, spec);
    Pipeline learner = Streams.learned(data.rules(spec).pipeline(), data.all());
    return learner.snapshot().detached();
  }

  /** Boosted trees beside a machine; trees compare features with thresholds. */
  private PreparedModel besideTrees() throws Exception {
    PreparedData data = data(false, LearnerSpec.automatic());
    List<Instance> rows = data.all();
    Avm machine = new Avm(AvmOptions.multiclass().update(Update.newton(0.1, 3)).build());
    Model one = Streams.learned(machine, rows.subList(0, 100)).snapshot();
    BoostOptions options = BoostOptions.DEFAULT.withRounds(30).withTrees(6, 0.3);
    Boosting boosting = new Boosting(one.task(), one.classes(), rows, List.of(), options);
    boolean hasMore = true;
    while (hasMore) {
      hasMore = boosting.round();
    }
    Model trees = boosting.model(boosting.rounds());
    Preparation named =
        new Preparation(data.schema().snapshot(), Scaler.none(), new Labels.Plain());
    return new PreparedModel(named, new MeanModel(List.of(one, trees), new double[] {0.1, 0.9}));
  }

  /** The answers of the library to a table, read as {@code avm predict} reads it. */
  private List<Prediction> answers(PreparedModel model, Path csv) throws Exception {
    List<Prediction> answers = new ArrayList<>();
    DataSource rows = DataSource.of(csv.toString());
    try (RowStream stream = rows.open(model.preparation().schema().frozen())) {
      while (stream.next()) {
        Features x = stream.features().copy();
        answers.add(model.answer(x));
      }
    }
    assertThat(answers).hasSize(asked.size());
    return answers;
  }

  private void assertGraph(PreparedModel model, List<Prediction> ours) throws Exception {
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      Map<String, Object> found = runtime.runColumns(asked.inputs());
      for (int r = 0; r < ours.size(); r++) {
        if (model.task().isRegression()) {
          double prediction = ((double[]) found.get("prediction"))[r];
          assertThat(prediction).isCloseTo(ours.get(r).label(), within(PRECISION));
        } else {
          String label = ((String[]) found.get("label"))[r];
          assertThat(label).isEqualTo(model.labelText(ours.get(r)));
          near(((double[][]) found.get("scores"))[r], ours.get(r).scores());
          if (ours.get(r).isCalibrated()) {
            near(((double[][]) found.get("probabilities"))[r], ours.get(r).probabilities());
          }
        }
      }
    }
  }

  private void assertReaders(PreparedModel model, List<Prediction> ours) throws Exception {
    Path json = folder.resolve("model.json");
    JsonExport.write(model, json);
    Path csv = asked.csv(folder.resolve("asked.csv"));
    Path rows = asked.json(folder.resolve("asked.json"));
    assertAnswers(model, ours, ReaderProgram.PYTHON.answer(json, csv, folder, true));
    assertAnswers(model, ours, ReaderProgram.PYTHON.answer(json, rows, folder, true));
    assertAnswers(model, ours, ReaderProgram.JAVASCRIPT.answer(json, rows, folder, true));
  }

  private void assertAnswers(PreparedModel model, List<Prediction> ours, String said)
      throws Exception {
    JsonNode found = new ObjectMapper().readTree(said);
    assertThat(found.size()).isEqualTo(ours.size());
    for (int r = 0; r < ours.size(); r++) {
      Prediction answer = ours.get(r);
      JsonNode one = found.get(r);
      if (model.task().isRegression()) {
        assertThat(one.get("label").asDouble()).isCloseTo(answer.label(), within(PRECISION));
        double low = answer.interval(0.9).low();
        assertThat(one.get("low").asDouble()).isCloseTo(low, within(10 * PRECISION));
      } else {
        assertThat(one.get("label").asText()).isEqualTo(model.labelText(answer));
        for (int c = 0; c < answer.scores().length; c++) {
          near(
              new double[] {one.get("scores").get(c).asDouble()},
              new double[] {answer.scores()[c]});
        }
        if (answer.isCalibrated()) {
          assertProbabilities(model, answer, one);
        }
      }
    }
  }

  private static void assertProbabilities(PreparedModel model, Prediction answer, JsonNode found) {
    for (int c = 0; c < answer.classes().length; c++) {
      String label = model.preparation().schema().labelText(answer.classes()[c]);
      double probability = found.get("probabilities").get(label).asDouble();
      assertThat(probability).isCloseTo(answer.probabilities()[c], within(PRECISION));
    }
    assertThat(found.get("labels").size()).isBetween(0, answer.classes().length);
  }

  private static void near(double[] found, double[] expected) {
    assertThat(found).hasSameSizeAs(expected);
    for (int c = 0; c < found.length; c++) {
      assertThat(found[c]).isCloseTo(expected[c], within(PRECISION));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyKindOfColumnIsEncodedAsTheLibraryDoes(boolean isNumber) throws Exception {
    PreparedModel model = learned(isNumber);
    Set<ColumnKind> kinds =
        model.preparation().schema().columns().stream()
            .map(Column::kind)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(ColumnKind.class)));
    assertThat(kinds).isEqualTo(EnumSet.complementOf(EnumSet.of(ColumnKind.IGNORED)));
    List<Prediction> ours = answers(model, asked.csv(folder.resolve("a.csv")));
    assertGraph(model, ours);
    assertReaders(model, ours);
  }

  @Test
  @Tag("slow")
  void missingValuesAreZeroIfTheyWereInTraining() throws Exception {
    missing = Missing.ZERO;
    PreparedModel model = learned(true);
    assertThat(model.preparation().schema().origin().fillsZero()).isTrue();
    List<Prediction> ours = answers(model, asked.csv(folder.resolve("a.csv")));
    assertGraph(model, ours);
    assertReaders(model, ours);
  }

  @Test
  @Tag("slow")
  void boostedTreesSeeTheSameColumns() throws Exception {
    PreparedModel model = besideTrees();
    List<Prediction> ours = answers(model, asked.csv(folder.resolve("a.csv")));
    assertThat(ours.stream().map(model::labelText).distinct().count()).isEqualTo(3);
    assertGraph(model, ours);
    assertReaders(model, ours);
  }

  /** Numbers with signs around them, compact dates, and texts that are neither number nor date. */
  @Test
  @Tag("slow")
  void readersTakeTheTextsThatTheLibraryTakes() throws Exception {
    asked =
        new RawTable(30, true, 4)
            .with("age", "-", "old", "16 EUR", "4e1", "1e999", "inf", "+41.5")
            .with("cost", "16 EUR", "(12.5)", "-", "CHF 9 876.5", "\u2212 7", "( $1,234 )", "12 %")
            .with("price", "16 EUR", "(12,5)", "\u2014", "\u20ac 1.234,5", "1'234,5", "1,2,3")
            .with(
                "area", "16 m2", "16m²", "1.234,5 m²", "-", "(2,5 m²)", "7", "x", "1 200 M²", "m²")
            .with("took", "2 h", "31:05:00", "1 day, 2:00:00", "45 MIN.", "PT1H2M3.5S", "7", "1m²")
            .with("seen", "20201231", "unknown", "20201231180500", "20201231T180500", "1609459261")
            .with(
                "born",
                "20000229",
                "31/02/2020",
                "TBD",
                "00000000",
                "18991231",
                "5/6/1970",
                "31122019")
            .with("paid", "12312019", "20012012", "99999999")
            .with("clock", "25:61", "none", "7:05", "soon")
            .with("city", "-", "unknown", "c1");
    for (boolean isNumber : new boolean[] {true, false}) {
      PreparedModel model = learned(isNumber);
      assertReaders(model, answers(model, asked.csv(folder.resolve("a.csv"))));
    }
  }

  @ParameterizedTest
  @EnumSource
  void namesAreRefusedInASentenceIfTheModelHasNone(ReaderProgram program) throws Exception {
    Path json = folder.resolve("model.json");
    Avm avm = new Avm(AvmOptions.multiclass().build());
    JsonExport.write(Streams.learned(avm, Streams.spirals(50, 3, 1)).snapshot(), json);
    Path rows = Files.writeString(folder.resolve("rows.json"), "[{\"age\": 1}]");
    assertThat(program.answer(json, rows, folder, false)).startsWith("the model knows no column");
  }

  @Test
  void csvThatDoesNotFitIsRefusedInASentence() throws Exception {
    Path json = folder.resolve("model.json");
    JsonExport.write(learned(true), json);
    for (String last : List.of("40,c1,2", "40")) {
      Path csv = Files.writeString(folder.resolve("rows.csv"), "age,city\n40,c1\n" + last + "\n");
      assertThat(ReaderProgram.PYTHON.answer(json, csv, folder, false))
          .startsWith("row 2 of")
          .containsPattern("has [13] fields, the header 2");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s,%n40,c1%n", "%s%n40,c1,%n", "%s,%n40,c1,%n", "%s,,%n40,c1,,,%n"})
  void aDelimiterAtTheEndOfALineIsNoColumn(String form) throws Exception {
    Path json = folder.resolve("model.json");
    JsonExport.write(learned(true), json);
    Path plain = Files.writeString(folder.resolve("plain.csv"), "age,city\n40,c1\n");
    Path csv = Files.writeString(folder.resolve("rows.csv"), form.formatted("age,city"));
    assertThat(ReaderProgram.PYTHON.answer(json, csv, folder, true))
        .isEqualTo(ReaderProgram.PYTHON.answer(json, plain, folder, true));
  }

  /** Two columns are called a, one is called a_2, and the fourth has no name. */
  @Test
  void columnsThatShareANameOrHaveNoneAreTheSameInAllReaders() throws Exception {
    StringBuilder text = new StringBuilder("a, \"a\",a_2,,x4,label\n");
    for (int i = 0; i < 300; i++) {
      text.append("%d,%d,%d, \"%d\",%d,".formatted(i % 7, i % 5, i % 3, i % 11, i % 2));
      text.append("%d.%d\n".formatted(i % 7, 100 + 10 * (i % 5) + i % 11));
    }
    Path csv = Files.writeString(folder.resolve("twice.csv"), text);
    LearnerSpec spec = LearnerSpec.of(Map.of("max-size", 50, "interval", 90));
    PreparedData data = PreparedData.look(DataSource.of(csv.toString()), spec, 1000);
    Pipeline learner = Streams.learned(data.rules(spec).pipeline(), data.all());
    PreparedModel model = learner.snapshot().detached();
    Path json = folder.resolve("model.json");
    JsonExport.write(model, json);
    String said = ReaderProgram.PYTHON.answer(json, csv, folder, true);
    assertAnswers(
        model, data.all().stream().map(row -> model.answer(row.features())).toList(), said);
  }

  @ParameterizedTest
  @EnumSource
  void readersRefuseWhatTheyCannotReadInASentence(ReaderProgram program) throws Exception {
    Path json = folder.resolve("model.json");
    JsonExport.write(learned(true), json);
    Map<String, String> wrong =
        Map.of(
            "{\"seen\": \"Dec 31, 2020\"}", "column 'seen': score",
            "{\"born\": \"2020Q4\"}", "takes dates as 2020-12-31",
            "{\"age\": \"1e16\"}", "takes numbers within 1e15",
            "{\"age\": 1e16}", "takes numbers within 1e15",
            "{\"other\": 1}", "none of the model's columns is here: seen");
    for (Map.Entry<String, String> row : wrong.entrySet()) {
      Path rows = Files.writeString(folder.resolve("rows.json"), "[" + row.getKey() + "]");
      assertThat(program.answer(json, rows, folder, false)).contains(row.getValue());
    }
  }

  @Test
  void aPartOfADateHasAFreeName() throws Exception {
    Path csv = folder.resolve("train.csv");
    List<String> lines = new ArrayList<>(List.of("when,when year,label"));
    for (int i = 0; i < 60; i++) {
      lines.add("2020-01-%02d,%d,%s".formatted(1 + i % 28, i * 7 % 50, i % 28 < 14 ? "a" : "b"));
    }
    Files.write(csv, lines);
    LearnerSpec spec = LearnerSpec.of(Map.of("max-size", 20));
    PreparedData data = PreparedData.look(DataSource.of(csv.toString()), spec, 100);
    Pipeline learner = Streams.learned(data.rules(spec).pipeline(), data.all());
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(learner.snapshot()))) {
      assertThat(runtime.session().getInputNames())
          .contains("when year", "when year_", "when weekday sin")
          .doesNotContain("when");
    }
  }

  @Test
  void labelsOfRowsBeforeAreRefused() throws Exception {
    Path csv = new RawTable(300, true, 3).csv(folder.resolve("lags.csv"));
    LearnerSpec spec = LearnerSpec.of(Map.of("max-size", 20));
    PreparedData data = PreparedData.lookWithLags(source(csv), spec, 2, 0);
    Pipeline learner = Streams.learned(data.rules(spec).pipeline(), data.all());
    learner.follow(data.lags().orElseThrow());
    PreparedModel model = learner.snapshot();
    assertThatThrownBy(() -> OnnxExport.toBytes(model)).hasMessageContaining("earlier rows");
    assertThatThrownBy(() -> JsonExport.write(model, folder.resolve("m.json")))
        .hasMessageContaining("earlier rows");
  }
}
