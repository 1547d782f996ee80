package org.avm4j.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.avm4j.Features;
import org.avm4j.data.CategoricalColumn;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.avm4j.io.DataWriter.Layout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written reads back, in every format and compression. */
class RoundTripTest {
  private static final int DIMENSION = 40;

  @ParameterizedTest
  @EnumSource
  void numbersReadBack(Format format) throws IOException {
    List<Instance> rows = random(300);
    byte[] bytes = written(format, rows, new Layout(new Schema(), DIMENSION));
    for (Compression compression : Compression.values()) {
      byte[] packed = CompressionTest.packed(compression, bytes);
      ReadOptions options = ReadOptions.DEFAULT.withFormat(format);
      assertThat(Rows.all(Rows.reader("some", packed, options, numbered()))).isEqualTo(rows);
    }
  }

  @ParameterizedTest
  @EnumSource
  void namesReadBack(Format format) throws IOException {
    Schema schema = new Schema();
    List<Instance> rows =
        Rows.all(
            "a.csv",
            "age,colour,\"it's, %\"\"odd\"\"\",kind\n1.5,red,3,spam\n-2,\"light, blue\",4,ham\n"
                + "?,,5e-7,\"a 'b' \\ {c}\"\n8,red,1,?\n",
            ReadOptions.DEFAULT,
            schema);
    byte[] bytes = written(format, rows, new Layout(schema, schema.dimension()));
    ReadOptions options = ReadOptions.DEFAULT.withFormat(format);
    Schema known = format == Format.LIBSVM ? new Schema() : schema.frozen();
    List<Instance> again = Rows.all(Rows.reader("some", bytes, options, known));
    assertThat(again.subList(0, 3)).isEqualTo(rows.subList(0, 3));
    double unknown = format == Format.LIBSVM ? 0 : Double.NaN;
    assertThat(again.get(3)).isEqualTo(new Instance(rows.get(3).features(), unknown));
  }

  @Test
  void eachFormatHasItsText() throws IOException {
    Schema schema = new Schema();
    String csv = "age,colour,label\n1.5,red,spam\n0,,\n";
    List<Instance> rows = Rows.all("a.csv", csv, ReadOptions.DEFAULT, schema);
    Layout layout = new Layout(schema, 2);
    assertThat(text(Format.CSV, rows, layout)).isEqualTo(csv);
    assertThat(text(Format.LIBSVM, rows, layout)).isEqualTo("0 1:1.5 2:1\n0\n");
    assertThat(text(Format.JSON, rows, layout))
        .isEqualTo(
            """
            {"label":"spam","features":{"age":1.5,"colour":"red"}}
            {"label":null,"features":{}}
            """);
    assertThat(text(Format.ARFF, rows, layout))
        .isEqualTo(
            """
            @relation data
            @attribute age numeric
            @attribute colour {red}
            @attribute label {spam}
            @data
            1.5,red,spam
            0,?,?
            """);
  }

  @Test
  void arffDeclaresTheClassesItIsGiven() throws IOException {
    List<Instance> rows = List.of(new Instance(Features.dense(1), 7));
    Layout layout = new Layout(new Schema(), 1, List.of("3", "7"));
    assertThat(text(Format.ARFF, rows, layout)).contains("@attribute label {3,7}\n@data\n1,7\n");
    List<Instance> other = List.of(new Instance(Features.dense(1), 8));
    assertThatThrownBy(() -> text(Format.ARFF, other, layout))
        .isInstanceOf(IOException.class)
        .hasMessage("the label '8' is not among the classes of the header");
  }

  @Test
  void aColumnCalledLabelIsNotTheLabel() throws IOException {
    Schema schema = new Schema();
    List<Instance> rows =
        Rows.all("a.csv", "label,y\n1,2\n", ReadOptions.DEFAULT.withLabel("y"), schema);
    assertThat(text(Format.CSV, rows, new Layout(schema, 1))).isEqualTo("label,label_\n1,2\n");
  }

  @Test
  void whatComesAfterTheHeaderIsTold() throws IOException {
    Schema schema = new Schema();
    schema.addNumeric("a");
    try (DataWriter csv =
            DataWriter.of(Format.CSV, OutputStream.nullOutputStream(), new Layout(schema, 1));
        DataWriter arff =
            DataWriter.of(Format.ARFF, OutputStream.nullOutputStream(), new Layout(schema, 1))) {
      schema.addNumeric("b");
      assertThatThrownBy(() -> csv.write(Features.dense(1, 2), 1))
          .hasMessage("column 'b' appeared after the header was written");
      assertThatThrownBy(() -> arff.write(Features.dense(1, 2), 1))
          .hasMessage("'b' appeared after the header was written");
    }
    List<Instance> wide = List.of(new Instance(Features.dense(1, 2, 3), 0));
    assertThatThrownBy(() -> text(Format.CSV, wide, new Layout(new Schema(), 2)))
        .hasMessage("column 'x3' appeared after the header was written");
  }

  @Test
  void twoCategoriesDoNotFitOneColumn() {
    Schema schema = new Schema();
    CategoricalColumn colour = schema.addCategorical("colour");
    schema.index(colour, "red");
    schema.index(colour, "blue");
    List<Instance> rows = List.of(new Instance(Features.dense(1, 1), 0));
    assertThatThrownBy(() -> text(Format.CSV, rows, new Layout(schema, 2)))
        .isInstanceOf(IOException.class)
        .hasMessage("column 'colour' must have one category, found another: blue");
  }

  private static String text(Format format, List<Instance> rows, Layout layout) throws IOException {
    return new String(written(format, rows, layout), StandardCharsets.UTF_8);
  }

  private static byte[] written(Format format, List<Instance> rows, Layout layout)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataWriter writer = DataWriter.of(format, out, layout)) {
      for (Instance row : rows) {
        writer.write(row.features(), row.label());
      }
    }
    return out.toByteArray();
  }

  private static Schema numbered() {
    Schema schema = new Schema();
    for (int i = 1; i <= DIMENSION; i++) {
      schema.addNumeric("x" + i);
    }
    return schema;
  }

  private static List<Instance> random(int rows) {
    SplittableRandom random = new SplittableRandom(2);
    return Stream.generate(() -> new Instance(row(random), random.nextInt(-3, 4)))
        .limit(rows)
        .toList();
  }

  private static Features row(SplittableRandom random) {
    double[] row = new double[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      row[i] = random.nextInt(3) == 0 ? 0 : (random.nextDouble() - 0.5) * 1e6;
    }
    row[DIMENSION - 1] = 1;
    return Features.dense(row);
  }
}
