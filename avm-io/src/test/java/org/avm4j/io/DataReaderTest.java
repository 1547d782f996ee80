package org.avm4j.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Instance;
import org.avm4j.data.Missing;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataReaderTest {
  private static final ReadOptions DEFAULT = ReadOptions.DEFAULT;

  @TempDir private Path folder;

  @Test
  void dashIsStandardInput() throws IOException {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream("1 1:2\n".getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(Rows.all(DataReader.open("-", DEFAULT, new Schema())))
          .containsExactly(new Instance(Features.dense(2), 1));
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void everyFormatGivesTheSameRow() throws IOException {
    for (String text :
        List.of(
            "1 1:2 2:3\n",
            "a,b,y\n2,3,1\n",
            "@relation r\n@attribute a numeric\n@attribute b real\n@attribute y {1}\n@data\n2,3,1",
            "{\"label\":1,\"features\":{\"a\":2,\"b\":3}}")) {
      Path file = Files.writeString(folder.resolve("data"), text);
      assertThat(Rows.all(DataReader.open(file.toString(), DEFAULT, new Schema())))
          .containsExactly(new Instance(Features.dense(2, 3), 1));
    }
  }

  @Test
  void theFormatMayBeGiven() throws IOException {
    assertThat(Rows.all("a.csv", "1 1:2", DEFAULT.withFormat(Format.LIBSVM), new Schema()))
        .containsExactly(new Instance(Features.dense(2), 1));
  }

  @Test
  void libsvmOptionsAreHeard() throws IOException {
    ReadOptions options =
        new ReadOptions(
            null, null, false, true, true, Missing.MEAN, null, null, TableOptions.DEFAULT, null);
    Instance row = Rows.all("a.svm", "2:7 0:5", options, new Schema()).get(0);
    assertThat(row).isEqualTo(new Instance(Features.dense(5, 0, 7), Double.NaN));
  }

  @Test
  void theDelimiterMayBeGiven() throws IOException {
    ReadOptions options =
        new ReadOptions(
            null, null, true, false, false, Missing.MEAN, '|', null, TableOptions.DEFAULT, null);
    assertThat(Rows.all("a.csv", "a|y\n1|2", options, new Schema()))
        .containsExactly(new Instance(Features.dense(1), 2));
    assertThatThrownBy(
            () ->
                new ReadOptions(
                    null,
                    null,
                    true,
                    false,
                    false,
                    Missing.MEAN,
                    '"',
                    null,
                    TableOptions.DEFAULT,
                    null))
        .hasMessage("a delimiter must not be a quote or a line break");
  }

  @Test
  void whatCannotBeOpenedIsTold() {
    String absent = folder.resolve("absent").toString();
    assertThatThrownBy(() -> DataReader.open(absent, DEFAULT, new Schema()))
        .isInstanceOf(IOException.class)
        .hasMessage(absent + ": no such file");
    assertThatThrownBy(() -> DataReader.open(folder.toString(), DEFAULT, new Schema()))
        .hasMessage(folder + ": is a folder, expected a file");
  }

  @Test
  void utf16WithAMarkIsRead() throws IOException {
    String text = "a,\ud83d\ude00,y\n" + "1,\ud83d\ude00,2\n".repeat(5000);
    Schema schema = new Schema();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_16);
    assertThat(Rows.all(Rows.reader("a.csv", bytes, DEFAULT, schema))).hasSize(5000);
    assertThat(schema.column("\ud83d\ude00").categories()).containsExactly("\ud83d\ude00");
  }

  @Test
  void linesMayEndByACarriageReturn() throws IOException {
    assertThat(Rows.all("a.csv", "a,y\r1,2\r3,4\r", DEFAULT, new Schema()))
        .containsExactly(new Instance(Features.dense(1), 2), new Instance(Features.dense(3), 4));
  }

  @Test
  void aLineThatIsTooLongIsToldAndTheNextIsRead() throws IOException {
    String text = "a,y\n1,2\n" + "x".repeat(70_000_000) + "\n3,4\n5,6";
    DataReader reader = Rows.reader("a.csv", text, DEFAULT, new Schema());
    assertThat(reader.next()).isTrue();
    assertThatThrownBy(reader::next)
        .isInstanceOf(BadDataException.class)
        .hasMessage("a.csv:3: a line must be shorter than 67108864 bytes");
    assertThat(reader.next()).isTrue();
    assertThat(reader.line()).isEqualTo(4);
    assertThat(Rows.all(reader)).containsExactly(new Instance(Features.dense(5), 6));
  }
}
