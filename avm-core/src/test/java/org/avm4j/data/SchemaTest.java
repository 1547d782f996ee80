package org.avm4j.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;

class SchemaTest {
  private final Schema schema = new Schema();

  @Test
  void featuresAreCountedInOrderOfAppearance() {
    NumericColumn age = schema.addNumeric("age");
    CategoricalColumn colour = schema.addCategorical("colour");
    assertThat(schema.index(colour, "red")).isEqualTo(1);
    NumericColumn size = schema.addNumeric("size");
    assertThat(schema.index(colour, "blue")).isEqualTo(3);
    assertThat(schema.index(colour, "red")).isEqualTo(1);
    assertThat(age.index()).isZero();
    assertThat(size.index()).isEqualTo(2);
    assertThat(schema.dimension()).isEqualTo(4);
    assertThat(schema.columns()).containsExactly(age, colour, size);
    assertThat(colour.categories()).containsExactly("red", "blue");
  }

  @Test
  void featuresHaveNames() {
    fill();
    assertThat(schema.featureName(0)).isEqualTo("age");
    assertThat(schema.featureName(1)).isEqualTo("colour=red");
    assertThat(schema.featureName(7)).isEqualTo("x8");
    assertThat(schema.columnOf(1).name()).isEqualTo("colour");
    assertThat(schema.categoryOf(1)).isEqualTo("red");
    assertThat(schema.categoryOf(0)).isNull();
  }

  @Test
  void aColumnIsAddedOnce() {
    schema.addNumeric("age");
    assertThatThrownBy(() -> schema.addCategorical("age"))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> schema.frozen().addNumeric("new"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theMeanRunsAlong() {
    NumericColumn age = schema.addNumeric("age");
    assertThat(age.mean()).isZero();
    schema.observe(age, 2);
    schema.observe(age, 4);
    assertThat(age.mean()).isEqualTo(3);
    schema.frozen().observe(age, 100);
    assertThat(age.mean()).isEqualTo(3);
  }

  @Test
  void theMeanOfHugeNumbersStaysFinite() {
    NumericColumn huge = schema.addNumeric("huge");
    for (double value : new double[] {1e308, -1e308, 1.7e308, 1.7e308, -1.7e308}) {
      schema.observe(huge, value);
      assertThat(huge.mean()).isFinite();
    }
  }

  @Test
  void textLabelsAreNumberedInOrderOfAppearance() {
    assertThat(schema.label("spam")).isEqualTo(0);
    assertThat(schema.label("ham")).isEqualTo(1);
    assertThat(schema.label("spam")).isEqualTo(0);
    assertThat(schema.label("7")).isEqualTo(2);
    assertThat(schema.labels()).containsExactly("spam", "ham", "7");
    assertThat(schema.labelText(1)).isEqualTo("ham");
    assertThat(schema.labelText(1.5)).isEqualTo("1.5");
    assertThat(schema.labelText(3)).isEqualTo("3");
  }

  @Test
  void numericLabelsStayNumbers() {
    assertThat(schema.label("+7")).isEqualTo(7);
    assertThat(schema.label("-2.5e1")).isEqualTo(-25);
    assertThat(schema.labels()).isEmpty();
    assertThat(schema.labelText(7)).isEqualTo("7");
  }

  @Test
  void numbersAndTextsAreNotMixed() {
    schema.label("7");
    assertThatThrownBy(() -> schema.label("spam"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("labels have been numbers so far, found 'spam'");
  }

  @Test
  void textLabelsHaveALimit() {
    for (int i = 0; i < 1 << 16; i++) {
      schema.textLabel("label " + i);
    }
    assertThatThrownBy(() -> schema.label("one more"))
        .hasMessage("more than 65536 different text labels");
  }

  @Test
  void aFrozenSchemaLearnsNothing() {
    CategoricalColumn colour = fill();
    Schema frozen = schema.frozen();
    assertThat(frozen.index(colour, "green")).isEqualTo(Schema.NONE);
    assertThat(frozen.label("eggs")).isEqualTo(2);
    assertThat(frozen.index(colour, "red")).isEqualTo(1);
    assertThat(frozen.label("ham")).isEqualTo(1);
    assertThat(frozen.dimension()).isEqualTo(3);
    assertThat(new Schema().frozen().label("spam")).isNaN();
    assertThat(new Schema().frozen().label("3")).isEqualTo(3);
  }

  @Test
  void aColumnIsFoundOrAdded() {
    Column age = schema.column("age", true);
    assertThat(age.isNumeric()).isTrue();
    assertThat(age.categories()).isEmpty();
    assertThat(schema.column("age", false)).isSameAs(age);
    assertThat(schema.column("colour", false).isNumeric()).isFalse();
    assertThat(schema.frozen().column("new", true)).isNull();
  }

  @Test
  void columnsThatRowsLackAreKnown() {
    fill();
    assertThat(schema.absent(Set.of("colour", "new"))).containsExactly(schema.column("age"));
    assertThat(schema.absent(Set.of("colour", "age"))).isEmpty();
    assertThat(new Schema().absent(Set.of("new"))).isEmpty();
    assertThatThrownBy(() -> schema.absent(Set.of("new")))
        .hasMessage("none of the model's columns is here: 'age', 'colour'");
    assertThatThrownBy(() -> new Schema().frozen().absent(Set.of("a")))
        .hasMessage("the model knows no column names, for it learned from rows without them");
  }

  @Test
  void ofManyColumnsTenAreListed() {
    for (int i = 1; i <= 11; i++) {
      schema.addNumeric("x" + i);
    }
    assertThatThrownBy(() -> schema.absent(Set.of())).hasMessageEndingWith("'x9', 'x10', ...");
  }

  @Test
  void aLabelMayBeGivenAsANumber() {
    assertThat(schema.label(2.5)).isEqualTo(2.5);
    assertThatThrownBy(() -> schema.label(Double.NaN))
        .hasMessage("the label must be a finite number or a text, found 'NaN'");
    Schema texts = new Schema();
    texts.label("spam");
    assertThat(texts.label(5.0)).isEqualTo(texts.label("5"));
    assertThat(texts.labels()).containsExactly("spam", "5");
  }

  @Test
  void whatIsEncodedReadsBack() throws ModelFileException {
    fill();
    byte[] bytes = encoded(schema);
    Schema copy = Schema.decode(new Decoder(bytes));
    assertThat(encoded(copy)).isEqualTo(bytes);
    assertThat(copy.featureName(2)).isEqualTo("colour=blue");
    assertThat(copy.labelText(0)).isEqualTo("spam");
    assertThat(((NumericColumn) copy.column("age")).mean()).isEqualTo(42);
    assertThat(copy.index((CategoricalColumn) copy.column("colour"), "green")).isEqualTo(3);
  }

  @Test
  void damagedBytesAreRefusedOrRead() {
    fill();
    byte[] good = encoded(schema);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length + 1));
      for (int j = random.nextInt(3); j > 0 && bytes.length > 0; j--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        Schema read = Schema.decode(new Decoder(bytes));
        assertThat(read.dimension()).isLessThanOrEqualTo(bytes.length);
      } catch (ModelFileException refused) {
        assertThat(refused).hasMessageStartingWith("damaged content: ");
      }
    }
  }

  private CategoricalColumn fill() {
    NumericColumn age = schema.addNumeric("age");
    schema.observe(age, 42);
    CategoricalColumn colour = schema.addCategorical("colour");
    schema.index(colour, "red");
    schema.index(colour, "blue");
    schema.label("spam");
    schema.label("ham");
    return colour;
  }

  private static byte[] encoded(Schema schema) {
    Encoder out = new Encoder();
    schema.encode(out);
    return out.toBytes();
  }
}
