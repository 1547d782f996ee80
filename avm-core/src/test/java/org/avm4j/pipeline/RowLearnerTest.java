package org.avm4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.Task;
import org.avm4j.data.NumericColumn;
import org.avm4j.data.Row;
import org.avm4j.data.Schema;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.table.RefusedRowException;
import org.avm4j.table.RefusedRowException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowLearnerTest {
  private static final Map<String, String> SMALL =
      Map.of("learner", "avm", "gamma", "1", "delta", "0.3", "max-size", "20", "scale", "none");

  private static RowLearner learner(RowLimits limits, String task) {
    Map<String, String> words = new HashMap<>(SMALL);
    words.put("task", task);
    return of(LearnerSpec.of(words), limits);
  }

  private static RowLearner learner(String task) {
    return learner(RowLimits.SHARED, task);
  }

  private static RowLearner automatic() {
    return of(LearnerSpec.automatic(), RowLimits.SHARED);
  }

  private static RowLearner of(LearnerSpec spec, RowLimits limits) {
    return new RowLearner(new DefaultRules(spec).pipeline(), limits);
  }

  private static Row row(double x, Object label) {
    return Row.named(Map.of("x", x), label);
  }

  private static void refuses(RowLearner learner, Row row, Reason reason, String message) {
    byte[] before = learner.pipeline().toBytes();
    assertThatThrownBy(() -> learner.learn(row))
        .isInstanceOfSatisfying(
            RefusedRowException.class, why -> assertThat(why.reason()).isEqualTo(reason))
        .hasMessage(message);
    assertThat(learner.pipeline().toBytes()).isEqualTo(before);
  }

  private static String answer(RowLearner learner, Row row) {
    return learner.pipeline().preparation().schema().labelText(learner.answer(row).label());
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e300, 1e20, -1e16})
  void anAbsurdValueIsRefusedAndLeavesTheMeanAlone(double value) {
    RowLearner learner = automatic();
    learner.learn(Row.named(Map.of("x", 0.5, "z", 1), 0));
    learner.learn(Row.named(Map.of("x", 1.5, "z", 2), 1));
    refuses(
        learner,
        Row.named(Map.of("x", value), 1),
        Reason.VALUE,
        "column 'x' holds numbers within ±1e15, found '" + value + "'");
    learner.learn(Row.named(Map.of("z", 1), 0));
    Schema schema = learner.pipeline().preparation().schema();
    assertThat(((NumericColumn) schema.column("x")).mean()).isEqualTo(1);
    assertThat(learner.answer(Row.named(Map.of("z", 1), null)).label()).isFinite();
    assertThatThrownBy(() -> learner.answer(row(value, null)))
        .hasMessageContaining("column 'x' holds numbers within ±1e15");
  }

  private static RowLearner taught(RowLimits limits) {
    RowLearner learner = of(LearnerSpec.automatic(), limits);
    for (int i = 0; i < 60; i++) {
      learner.learn(Row.named(ordered("x", i % 2, "z", i % 7), i % 2 == 0 ? "up" : "down"));
    }
    return learner;
  }

  @Test
  void aRowWithoutALabelIsObservedWhereItIsOfUse() {
    RowLearner observing = taught(RowLimits.SHARED);
    Row row = Row.named(ordered("x", 1, "z", 3, "new", 2), null);
    byte[] before = observing.pipeline().toBytes();
    assertThat(observing.observe(row)).isTrue();
    byte[] after = observing.pipeline().toBytes();
    assertThat(after).isNotEqualTo(before);
    assertThat(observing.pipeline().preparation().schema().column("new")).isNotNull();
    RowLearner numbers = learner("regression");
    numbers.learn(Row.named(Map.of("x", 1), 7));
    before = numbers.pipeline().toBytes();
    assertThat(numbers.observe(Row.named(Map.of("x", 2, "new", 1), null))).isFalse();
    assertThat(numbers.pipeline().toBytes()).isEqualTo(before);
  }

  @Test
  void rowsWithoutLabelsAreLearnedOnlyWhereTheyAreAllowed() {
    Row row = Row.named(ordered("x", 1, "z", 3), null);
    refuses(taught(RowLimits.SHARED), row, Reason.LABEL, "a row to learn must have a label");
    RowLearner allowed = taught(RowLimits.SHARED.withUnlabelled());
    RowLearner observing = taught(RowLimits.SHARED);
    RowCheck check = RowCheck.of(allowed.pipeline(), RowLimits.SHARED.withUnlabelled());
    assertThat(check.check(List.of(row))).isTrue();
    assertThat(check.checkByTrial(List.of(row))).isTrue();
    assertThat(allowed.answerAndLearn(row).label()).isNaN();
    observing.observe(row);
    assertThat(allowed.pipeline().toBytes()).isEqualTo(observing.pipeline().toBytes());
  }

  @Test
  void oneAcceptedOutlierSpoilsNothing() {
    int[] mistakes = new int[2];
    for (int run = 0; run < 2; run++) {
      RowLearner learner = automatic();
      for (int i = 0; i < 600; i++) {
        double x = (i * 0.618) % 1;
        double z = (i * 0.414) % 1;
        Object label = Math.sin(9 * x) > z ? "up" : "down";
        boolean isOutlier = run == 1 && i == 100;
        Row row = Row.named(ordered("x", isOutlier ? 1e14 : x, "z", z), label);
        String answer = i == 0 ? "" : answer(learner, row);
        mistakes[run] += i > 300 && !answer.equals(label) ? 1 : 0;
        learner.learn(row);
      }
      NumericColumn column = (NumericColumn) learner.pipeline().preparation().schema().column("x");
      assertThat(column.mean()).isBetween(0.4, 1.2);
    }
    assertThat(mistakes[1]).isLessThanOrEqualTo(mistakes[0] + 5);
  }

  @ParameterizedTest
  @CsvSource({"0,1,5", "1,0,5", "3,4,-1", "-1,1,0", "good,bad,ugly", "yes,no,maybe", "2.5,7,8"})
  void aDeclaredBinaryTaskTakesAnyTwoLabels(String first, String second, String third) {
    for (RowLearner learner :
        List.of(
            learner("binary"), of(LearnerSpec.of(Map.of("task", "binary")), RowLimits.SHARED))) {
      for (int i = 0; i < 60; i++) {
        learner.learn(row(i % 2, i % 2 == 0 ? first : second));
      }
      assertThat(answer(learner, row(0, null))).isEqualTo(first);
      assertThat(answer(learner, row(1, null))).isEqualTo(second);
      byte[] before = learner.pipeline().toBytes();
      assertThatThrownBy(() -> learner.learn(row(0, third)))
          .hasMessageContaining("this binary task has the labels '")
          .hasMessageContaining("'" + first + "'")
          .hasMessageContaining("'" + second + "'")
          .hasMessageEndingWith("found '" + third + "'");
      assertThat(learner.pipeline().toBytes()).isEqualTo(before);
      learner.learn(row(0, first));
      assertThat(learner.pipeline().status().instances()).isEqualTo(61);
    }
  }

  @Test
  void declaredLabelsSurviveSaving() throws Exception {
    RowLearner learner = learner("binary");
    learner.learn(row(0, 3));
    Pipeline loaded = Pipeline.fromBytes(learner.pipeline().toBytes());
    assertThat(loaded.toBytes()).isEqualTo(learner.pipeline().toBytes());
    RowLearner next = new RowLearner(loaded, RowLimits.SHARED);
    next.learn(row(1, 4));
    refuses(
        next, row(1, 5), Reason.LABEL, "this binary task has the labels '4' and '3', found '5'");
  }

  @Test
  void skewedTextLabelsStayClasses() {
    RowLearner learner = automatic();
    String[] names = "a b c d e f g h i j k l m n o".split(" ");
    for (int i = 0; i < 700; i++) {
      int label = i < names.length ? i : (int) (names.length * Math.pow((i * 0.618) % 1, 3));
      learner.learn(row(label + 0.01 * (i % 7), names[label]));
    }
    assertThat(learner.pipeline().task().kind()).isEqualTo(Task.Kind.MULTICLASS);
    assertThat(answer(learner, row(2.01, null))).isEqualTo("c");
  }

  @Test
  void aRegressionRefusesTexts() {
    RowLearner learner = learner("regression");
    refuses(
        learner,
        row(1, "red"),
        Reason.LABEL,
        "a regression task needs numbers as labels, found 'red'");
    learner.learn(row(1, "2.5"));
    refuses(learner, row(1, "red"), Reason.LABEL, "labels have been numbers so far, found 'red'");
  }

  @Test
  void oneClassTooManyIsRefusedAndTheKnownOnesGoOn() {
    RowLearner learner = learner(new RowLimits(100, 3, 100, true, false), "multiclass");
    for (String name : List.of("a", "b", "c")) {
      learner.learn(row(1, name));
    }
    refuses(
        learner,
        row(1, "d"),
        Reason.LIMIT,
        "a model has at most 3 classes here, found the new label 'd'");
    learner.learn(row(2, "b"));
    assertThat(learner.pipeline().status().instances()).isEqualTo(4);
  }

  @Test
  void theLimitOfFeaturesIsExact() {
    RowLearner learner = learner(new RowLimits(3, 10, 100, true, false), "regression");
    learner.learn(Row.named(ordered("a", 1, "b", 2, "c", 3), 1));
    learner.learn(Row.named(ordered("a", 1, "b", 2, "c", 3), 1));
    refuses(
        learner,
        Row.named(ordered("a", 1, "d", 2), 1),
        Reason.LIMIT,
        "a model has at most 3 features here, the row makes it 4");
    learner.learn(Row.named(ordered("c", 1), 1));
    RowLearner indexed = learner(new RowLimits(3, 10, 100, true, false), "regression");
    refuses(
        indexed,
        Row.indexed(Features.dense(1, 1, 1, 1), 1),
        Reason.LIMIT,
        "a model has at most 3 features here, the row makes it 4");
    indexed.learn(Row.indexed(Features.dense(1, 1, 1), 1));
  }

  @Test
  void aNewNameThatIsTooLongIsRefusedAndKnownOnesAreNot() {
    String longest = "n".repeat(20);
    String known = "k".repeat(21);
    RowLearner before = learner(RowLimits.NONE, "multiclass");
    before.learn(Row.named(Map.of(known, known), known));
    RowLearner learner =
        new RowLearner(before.pipeline(), new RowLimits(100, 100, 20, true, false));
    learner.learn(Row.named(Map.of(known, known), known));
    learner.learn(Row.named(Map.of(known, known, longest, longest), longest));
    refuses(
        learner,
        Row.named(Map.of(known, known), longest + "!"),
        Reason.LIMIT,
        "a new label has at most 20 characters here, found 21");
    refuses(
        learner,
        Row.named(Map.of(longest, longest + "!"), known),
        Reason.LIMIT,
        "a new category has at most 20 characters here, found 21");
    refuses(
        learner,
        Row.named(Map.of(known, known, longest + "!", 1), known),
        Reason.LIMIT,
        "a new column has at most 20 characters here, found 21");
    assertThat(learner.answer(Row.named(Map.of(known, "?".repeat(1000)), null))).isNotNull();
  }

  private static Map<String, Object> ordered(Object... entries) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < entries.length; i += 2) {
      map.put((String) entries[i], entries[i + 1]);
    }
    return map;
  }

  @Test
  void halfASurrogatePairIsNoText() {
    RowLearner learner = learner("multiclass");
    learner.learn(Row.named(Map.of("x", 1, "c", "red"), "a"));
    String half = "\ud800";
    for (Row bad :
        List.of(
            Row.named(Map.of("x", 1), "b" + half),
            Row.named(Map.of("x", 1, "c", half + "!"), "a"),
            Row.named(Map.of("x", 1, half, 1), "a"),
            new Row(new Row.Texts(Map.of("x", "1", "c", "\udc00")), "a", 1))) {
      byte[] before = learner.pipeline().toBytes();
      assertThatThrownBy(() -> learner.learn(bad))
          .isInstanceOf(RefusedRowException.class)
          .hasMessageContaining("must be Unicode text, found half of a surrogate pair, U+D");
      assertThat(learner.pipeline().toBytes()).isEqualTo(before);
    }
    learner.learn(Row.named(Map.of("x", 1, "c", "\ud83d\ude00"), "\ud83d\ude00"));
  }

  @Test
  void namesAndIndicesDoNotMix() {
    RowLearner named = learner("regression");
    named.learn(row(1, 1));
    refuses(
        named,
        Row.indexed(Features.dense(1), 1),
        Reason.COLUMNS,
        "the model knows its columns by name, found a row by index");
    RowLearner indexed = learner("regression");
    indexed.learn(Row.indexed(Features.dense(1), 1));
    refuses(
        indexed,
        row(1, 1),
        Reason.COLUMNS,
        "the model learned from rows by index, found a row by column name");
  }

  @Test
  void aRowWithoutAnyKnownColumnHasTheWrongColumns() {
    RowLearner learner = learner("regression");
    learner.learn(row(1, 1));
    String sentence = "none of the model's columns is here: 'x'";
    refuses(learner, Row.named(Map.of("y", 1), 1), Reason.COLUMNS, sentence);
    refuses(learner, Row.named(Map.of(), 1), Reason.COLUMNS, sentence);
    assertThatThrownBy(() -> learner.answer(Row.named(Map.of("y", 1), null)))
        .isInstanceOfSatisfying(
            RefusedRowException.class, why -> assertThat(why.reason()).isEqualTo(Reason.COLUMNS));
  }

  @Test
  void declaredColumnsAreTheOnlyOnes() {
    Pipeline pipeline = learner("regression").pipeline();
    pipeline.preparation().schema().addNumeric("age");
    RowLearner learner = new RowLearner(pipeline, RowLimits.SHARED.declared());
    String sentence = "there is no column 'aeg' among those that were declared";
    refuses(learner, Row.named(Map.of("aeg", 1), 1), Reason.COLUMNS, sentence);
    learner.learn(Row.named(Map.of("age", 1), 1));
    assertThatThrownBy(() -> learner.answer(Row.named(Map.of("age", 1, "aeg", 1), null)))
        .hasMessage(sentence);
  }

  @Test
  void aRefusedFirstRowLeavesNoGhosts() {
    RowLearner learner = learner("multiclass");
    refuses(
        learner,
        Row.named(ordered("new", 1, "x", Double.NaN), "ghost"),
        Reason.VALUE,
        "column 'x' holds finite numbers, found 'NaN'");
    refuses(learner, row(1, null), Reason.LABEL, "a row to learn must have a label");
    refuses(
        learner,
        new Row(new Row.Named(Map.of("x", 1)), "a", -1),
        Reason.WEIGHT,
        "the weight of an instance must be > 0 and finite: -1.0");
    refuses(
        learner,
        Row.named(Map.of("x", List.of(1)), "a"),
        Reason.VALUE,
        "column 'x' must hold a number, a text, true, false or null");
    Schema schema = learner.pipeline().preparation().schema();
    assertThat(schema.columns()).isEmpty();
    assertThat(schema.labels()).isEmpty();
    learner.learn(row(1, 5));
    assertThat(learner.pipeline().classes()).containsExactly(5);
  }

  @Test
  void theCheckAtTheDoorSaysWhatTheLearnerDoes() {
    RowLearner learner = learner("multiclass");
    RowCheck empty = RowCheck.of(learner.pipeline(), RowLimits.SHARED);
    assertThat(empty.check(List.of(row(1, "a")))).as("nothing was learned yet").isFalse();
    learner.learn(row(1, "a"));
    learner.learn(Row.named(Map.of("x", 2, "c", "red"), "b"));
    byte[] before = learner.pipeline().toBytes();
    RowCheck check = RowCheck.of(learner.pipeline(), RowLimits.SHARED);
    assertThat(check.check(List.of(row(1, "a"), row(2, "b")))).isTrue();
    assertThat(check.check(List.of(row(1, "c")))).as("a new label").isFalse();
    assertThat(check.check(List.of(Row.named(Map.of("y", 1, "x", 1), "a")))).isFalse();
    assertThat(check.check(List.of(Row.named(Map.of("c", "blue", "x", 1), "a")))).isFalse();
    assertThat(check.check(List.of(row(1, "a")))).as("trials leave nothing behind").isTrue();
    assertThatThrownBy(() -> check.check(List.of(row(1, "a"), row(Double.NaN, "a"))))
        .isInstanceOfSatisfying(
            RefusedRowException.class, why -> assertThat(why.row()).isEqualTo(1));
    assertThatThrownBy(() -> check.checkLabel(null)).hasMessageContaining("must have a label");
    check.checkLabel("a");
    assertThatThrownBy(() -> check.checkValues(row(1e16, null))).hasMessageContaining("1e15");
    assertThat(learner.pipeline().toBytes()).isEqualTo(before);
  }

  @Test
  void theAnswerComesFromBefore() {
    RowLearner learner = learner("regression");
    learner.learn(row(1, 10));
    Prediction expected = learner.answer(row(2, null));
    assertThat(learner.answerAndLearn(row(2, 3)).answer()).isEqualTo(expected);
  }

  @Test
  void aFewWholeNumbersThatRepeatAreClassesWhateverTheyStartWith() {
    LabelSurvey survey = new LabelSurvey();
    double[] species = {2, 3, 4, 5, 11, 12};
    List<Task.Kind> kinds = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      survey.add(species[i % species.length]);
      kinds.add(survey.task(false).kind());
    }
    assertThat(kinds.get(10)).isEqualTo(Task.Kind.REGRESSION);
    assertThat(kinds.get(59)).isEqualTo(Task.Kind.MULTICLASS);
    assertThat(survey.reason(false))
        .isEqualTo("the labels are 6 whole numbers from 2 to 12 that repeat");
  }
}
