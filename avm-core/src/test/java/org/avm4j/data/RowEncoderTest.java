package org.avm4j.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.avm4j.Features;
import org.avm4j.codec.Encoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RowEncoderTest {
  private final Schema schema = new Schema();
  private final RowEncoder rows = new RowEncoder(schema, Missing.MEAN);

  @Test
  void numbersTextsAndBooleansBecomeFeatures() {
    assertThat(rows.encode(row("age", 42.5, "colour", "red", "old", true)))
        .isEqualTo(Features.dense(42.5, 1, 1));
    assertThat(rows.encode(row("colour", new StringBuilder("blue"), "age", 7, "old", false)))
        .isEqualTo(Features.dense(7, 0, 0, 1));
    assertThat(schema.featureName(3)).isEqualTo("colour=blue");
  }

  @Test
  void aTextInANumericColumnIsANumberAndANumberInACategoricalOneIsText() {
    rows.encode(row("age", 1, "zip", "01067"));
    assertThat(rows.encode(row("age", "2.5", "zip", 1067L))).isEqualTo(Features.dense(2.5, 0, 1));
    assertThat(schema.column("zip").categories()).containsExactly("01067", "1067");
    rows.encode(row("age", 0, "zip", 5.0));
    rows.encode(row("age", 0, "zip", new BigDecimal("5.0")));
    rows.encode(row("age", 0, "zip", true));
    assertThat(schema.column("zip").categories()).containsSequence("5", "5.0", "1");
  }

  @Test
  void aMissingNumberIsTheMeanSoFar() {
    rows.encode(row("a", 1, "b", "r"));
    rows.encode(row("a", 3, "b", "r"));
    assertThat(rows.encode(row("a", null, "b", "r"))).isEqualTo(Features.dense(2, 1));
    assertThat(rows.encode(row("b", "r"))).isEqualTo(Features.dense(2, 1));
    assertThat(rows.encode(row("a", null, "b", null))).isEqualTo(Features.dense(2));
    assertThat(rows.encode(row("a", null, "b", null, "c", null))).isEqualTo(Features.dense(2));
    assertThat(schema.column("c")).isNull();
  }

  @Test
  void aMissingNumberMayBeZero() {
    rows.encode(row("a", 1, "b", 2));
    assertThat(encoder(Missing.ZERO).encode(row("a", null))).isEqualTo(Features.dense(0, 0));
  }

  @Test
  void aRowThatLacksAValueMayBeLeftOut() {
    rows.encode(row("a", 1, "b", 2));
    RowEncoder skipping = encoder(Missing.SKIP);
    assertThat(skipping.encode(row("a", null, "b", 2))).isNull();
    assertThat(skipping.encode(row("b", 2))).isNull();
    assertThat(skipping.encode(row("a", 1, "b", 2))).isEqualTo(Features.dense(1, 2));
  }

  @Test
  void aFrozenSchemaLeavesOutWhatItDoesNotKnow() {
    rows.encode(row("a", 1, "b", "r"));
    byte[] before = encoded(schema);
    RowEncoder frozen = new RowEncoder(schema.snapshot(), Missing.ERROR);
    assertThat(frozen.encode(row("new", Double.NaN, "b", "green", "other", null, "a", 5)))
        .isEqualTo(Features.dense(5));
    assertThat(frozen.encodeText(Map.of("new", "Inf", "b", "green", "a", "5")))
        .isEqualTo(Features.dense(5));
    assertThat(encoded(schema)).isEqualTo(before);
  }

  @Test
  void aSnapshotStaysWhatItIs() {
    rows.encode(row("a", 1));
    RowEncoder frozen = new RowEncoder(schema.snapshot(), Missing.MEAN);
    RowEncoder following = new RowEncoder(schema.frozen(), Missing.MEAN);
    rows.encode(row("a", 3, "b", 2));
    assertThat(frozen.encode(row("a", null, "b", 5))).isEqualTo(Features.dense(1));
    assertThat(following.encode(row("a", null, "b", 5))).isEqualTo(Features.dense(2, 5));
  }

  @Test
  void aRowOfTextsIsReadAsFieldsOfCsv() {
    assertThat(rows.encodeText(texts("age", " 42 ", "colour", "red")))
        .isEqualTo(Features.dense(42, 1));
    for (String missing : new String[] {"", " ", "?", "NA", "NaN", "null", null}) {
      assertThat(rows.encodeText(texts("age", missing, "colour", "red")))
          .isEqualTo(Features.dense(42, 1));
    }
    assertThat(schema.column("age").isNumeric()).isTrue();
    for (String mark : new String[] {"-", "unknown", "\\N", "#DIV/0!", " n.a. "}) {
      assertThat(rows.encodeText(texts("age", mark, "colour", "red")))
          .isEqualTo(Features.dense(42, 1));
    }
    assertThat(rows.encodeText(texts("age", "1", "colour", "-")))
        .isEqualTo(Features.dense(1, 0, 1));
    assertThat(rows.encode(row("age", 1, "colour", "?"))).isEqualTo(Features.dense(1, 0, 0, 1));
  }

  @Test
  void featuresAreNotUsedAgain() {
    Features first = rows.encode(row("a", 1));
    rows.encode(row("a", 2));
    assertThat(first).isEqualTo(Features.dense(1));
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        refusal("column 'age' holds finite numbers, found 'x'", "age", "x"),
        refusal("column 'age' holds finite numbers, found ''", "age", ""),
        refusal("column 'age' holds finite numbers, found '1e999'", "age", "1e999"),
        refusal("column 'age' holds finite numbers, found 'NaN'", "age", Double.NaN),
        refusal("column 'age' holds finite numbers, found '-Infinity'", "age", -1f / 0),
        refusal(
            "column 'age' holds finite numbers, found '1E+999'", "age", new BigDecimal("1e999")),
        refusal("column 'new' holds finite numbers, found 'NaN'", "age", 1, "new", Double.NaN),
        refusal(
            "column 'age' holds finite numbers, found '" + "y".repeat(40) + "...'",
            "age",
            "y".repeat(41)),
        refusal("column 'age' holds finite numbers, found 'a?b'", "age", "a\nb"),
        refusal("column 'colour' holds texts or finite numbers, found 'NaN'", "colour", Double.NaN),
        refusal("column 'age' must hold a number, a text, true, false or null", "age", List.of(1)),
        refusal(
            "column 'new' must hold a number, a text, true, false or null", "age", 1, "new", 'c'),
        refusal("a column must have a name", "age", 1, null, 2),
        refusal("none of the model's columns is here: 'age', 'colour'", "new", 1),
        refusal("none of the model's columns is here: 'age', 'colour'"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void aRowIsRefusedInASentenceAndTeachesNothing(String message, Map<String, ?> wrong) {
    rows.encode(row("age", 42, "colour", "red"));
    byte[] before = encoded(schema);
    Map<String, Object> row = row("fresh", 3, "colour", "green");
    row.keySet().removeIf(name -> !wrong.containsKey("age") && !wrong.containsKey("colour"));
    row.putAll(wrong);
    assertThatThrownBy(() -> rows.encode(row))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    assertThat(encoded(schema)).isEqualTo(before);
  }

  @Test
  void aRowOfTextsIsRefusedInTheSentencesOfCsv() {
    rows.encodeText(texts("age", "42"));
    byte[] before = encoded(schema);
    assertThatThrownBy(() -> rows.encodeText(texts("fresh", "1", "age", "x")))
        .hasMessage("column 'age' holds finite numbers, found 'x'");
    assertThatThrownBy(() -> rows.encodeText(texts("age", "1", "new", "-Inf")))
        .hasMessage("column 'new' holds finite numbers, found '-Inf'");
    assertThat(encoded(schema)).isEqualTo(before);
  }

  @Test
  void aMissingValueMayBeAnError() {
    rows.encode(row("a", 1, "b", "r"));
    byte[] before = encoded(schema);
    RowEncoder strict = encoder(Missing.ERROR);
    assertThatThrownBy(() -> strict.encode(row("a", 7, "b", null)))
        .hasMessage("column 'b' has no value");
    assertThatThrownBy(() -> strict.encode(row("a", 7))).hasMessage("column 'b' has no value");
    assertThatThrownBy(() -> strict.encode(row("a", 7, "b", "q", "new", null)))
        .hasMessage("column 'new' has no value");
    assertThatThrownBy(() -> strict.label(null)).hasMessage("the label is missing");
    assertThat(encoded(schema)).isEqualTo(before);
  }

  @Test
  void aModelWithoutNamesTakesNoRows() {
    RowEncoder nameless = new RowEncoder(new Schema().snapshot(), Missing.MEAN);
    assertThatThrownBy(() -> nameless.encode(row("a", 1)))
        .hasMessage("the model knows no column names, for it learned from rows without them");
  }

  @Test
  void textLabelsGoToTheDictionary() {
    assertThat(rows.label("spam")).isEqualTo(0);
    assertThat(rows.label(7)).isEqualTo(1);
    assertThat(rows.label("7")).isEqualTo(1);
    assertThat(rows.label(true)).isEqualTo(2);
    assertThat(rows.label(null)).isNaN();
    assertThat(rows.labelText(0)).isEqualTo("spam");
    assertThat(rows.labelText(1)).isEqualTo("7");
    assertThat(new RowEncoder(schema.snapshot(), Missing.MEAN).label("new")).isEqualTo(3);
  }

  @Test
  void numbersAreLabelsThemselves() {
    assertThat(rows.label(2.5)).isEqualTo(2.5);
    assertThat(rows.label("-3")).isEqualTo(-3);
    assertThat(rows.label(0.1f)).isEqualTo(0.1);
    assertThat(rows.labelText(2.5)).isEqualTo("2.5");
    assertThatThrownBy(() -> rows.label("spam"))
        .hasMessage("labels have been numbers so far, found 'spam'");
    assertThatThrownBy(() -> rows.label(Float.NaN))
        .hasMessage("the label must be a finite number or a text, found 'NaN'");
    assertThatThrownBy(() -> rows.label(List.of()))
        .hasMessage("the label must be a number, a text or null");
  }

  @ParameterizedTest
  @EnumSource(names = {"MEAN", "ZERO", "SKIP"})
  void eightThreadsShareAFrozenEncoder(Missing missing) throws Exception {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 200; i++) {
      rows.encode(random(random));
    }
    RowEncoder frozen = new RowEncoder(schema.snapshot(), missing);
    List<Map<String, Object>> questions = Stream.generate(() -> random(random)).limit(500).toList();
    List<Features> expected = answers(frozen, questions, 1);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      Callable<List<Features>> task = () -> answers(frozen, questions, 20);
      for (Future<List<Features>> answers : threads.invokeAll(Collections.nCopies(8, task))) {
        assertThat(answers.get()).isEqualTo(expected);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<Features> answers(
      RowEncoder encoder, List<Map<String, Object>> questions, int rounds) {
    List<Features> answers = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      answers.clear();
      questions.forEach(question -> answers.add(encoder.encode(question)));
    }
    return answers;
  }

  private static Map<String, Object> random(SplittableRandom random) {
    Map<String, Object> row = row("always", random.nextInt());
    for (int i = 0; i < 20; i++) {
      if (random.nextInt(8) > 0) {
        row.put("n" + i, random.nextInt(9) == 0 ? null : random.nextDouble());
        row.put("t" + i, random.nextInt(9) == 0 ? null : "v" + random.nextInt(30));
      }
    }
    return row;
  }

  private RowEncoder encoder(Missing missing) {
    return new RowEncoder(schema, missing);
  }

  private static Arguments refusal(String message, Object... row) {
    return Arguments.of(message, row(row));
  }

  private static Map<String, Object> row(Object... namesAndValues) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return row;
  }

  private static Map<String, String> texts(String... namesAndTexts) {
    Map<String, String> row = new LinkedHashMap<>();
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      row.put(namesAndTexts[i], namesAndTexts[i + 1]);
    }
    return row;
  }

  private static byte[] encoded(Schema schema) {
    Encoder out = new Encoder();
    schema.encode(out);
    return out.toBytes();
  }
}
