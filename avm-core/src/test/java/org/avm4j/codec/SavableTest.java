package org.avm4j.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavableTest {
  private static final Map<String, ModelFile.Content<? extends Sample>> READERS =
      Map.of(Sample.KIND, Sample::decode);

  @TempDir Path folder;

  @Test
  void fileStreamAndArrayHoldTheSameBytes() throws IOException {
    Path file = folder.resolve("sample.avm");
    Sample.ONE.save(file);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    Sample.ONE.write(stream);
    assertThat(Files.readAllBytes(file)).isEqualTo(Sample.ONE.toBytes());
    assertThat(stream.toByteArray()).isEqualTo(Sample.ONE.toBytes());
    assertThat(ModelFile.frame(Sample.KIND, Sample.ONE.content())).isEqualTo(Sample.ONE.toBytes());
  }

  @Test
  void whatIsSavedIsLoaded() throws IOException {
    Path file = folder.resolve("sample.avm");
    Sample.ONE.save(file);
    assertThat(ModelFile.open(file).read(READERS)).isEqualTo(Sample.ONE);
    assertThat(ModelFile.parse(Sample.ONE.toBytes()).read(READERS)).isEqualTo(Sample.ONE);
    ModelFile opened = ModelFile.open(file);
    assertThat(opened.kind()).isEqualTo(Sample.KIND);
    assertThat(opened.version()).isEqualTo(2);
    assertThat(opened.libraryVersion()).isEqualTo(ModelFile.libraryVersionOfThis());
  }

  @Test
  void aFileCanBeReadMoreThanOnce() throws IOException {
    ModelFile file = ModelFile.parse(Sample.ONE.toBytes());
    assertThat(file.read(READERS)).isEqualTo(Sample.ONE);
    assertThat(file.read(READERS)).isEqualTo(Sample.ONE);
  }

  @Test
  void severalFollowEachOtherInOneStream() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Sample other = new Sample("other", 0, 1, List.of());
    Sample.ONE.write(out);
    other.write(out);
    out.write(77);
    InputStream in = new ByteArrayInputStream(out.toByteArray());
    assertThat(ModelFile.read(in).read(READERS)).isEqualTo(Sample.ONE);
    assertThat(ModelFile.read(in).read(READERS)).isEqualTo(other);
    assertThat(new DataInputStream(in).readByte()).isEqualTo((byte) 77);
    assertThatThrownBy(() -> ModelFile.read(in))
        .hasMessage("the file is truncated: 0 bytes are left");
  }

  @Test
  void laterChangesToTheArrayDoNoHarm() throws IOException {
    byte[] bytes = Sample.ONE.toBytes();
    ModelFile file = ModelFile.parse(bytes);
    Arrays.fill(bytes, (byte) 0);
    assertThat(file.read(READERS)).isEqualTo(Sample.ONE);
  }

  @Test
  void aCopyIsEqualAndAnother() {
    Sample copy = ModelFile.copy(Sample.ONE, Sample::decode);
    assertThat(copy).isEqualTo(Sample.ONE).isNotSameAs(Sample.ONE);
  }

  @Test
  void aCopySharesWhatNeverChangesAndAFileHoldsIt() throws ModelFileException {
    List<Sample> two = List.of(Sample.ONE, Sample.ONE);
    ModelFile.Content<List<Sample>> reader =
        in -> in.list("samples", 2, each -> each.unchanging(Sample::decode));
    Consumer<Encoder> writer =
        out -> out.list(two, (each, to) -> to.unchanging(each, Sample::encode));
    assertThat(ModelFile.copy("samples", writer, reader))
        .hasSize(2)
        .allSatisfy(each -> assertThat(each).isSameAs(Sample.ONE));
    Encoder file = new Encoder();
    writer.accept(file);
    assertThat(reader.read(new Decoder(file.toBytes())))
        .isEqualTo(two)
        .noneSatisfy(each -> assertThat(each).isSameAs(Sample.ONE));
  }

  @Test
  void aReaderThatDisagreesWithItsWriterCannotCopy() {
    assertThatThrownBy(() -> ModelFile.copy(Sample.ONE, Decoder::int32))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("'sample' cannot be read back: damaged content: bytes after");
  }

  @Test
  void everyRefusalOfAFileNamesIt() throws IOException {
    Path file = folder.resolve("sample.avm");
    Files.writeString(file, "text");
    assertThatThrownBy(() -> ModelFile.open(file))
        .isInstanceOf(ModelFileException.class)
        .hasMessage(file + ": not an AVM model file");
    Sample.ONE.save(file);
    ModelFile opened = ModelFile.open(file);
    assertThatThrownBy(() -> opened.read(Map.of("other", Sample::decode)))
        .isInstanceOf(ModelFileException.class)
        .hasMessage(file + ": the file holds 'sample', expected other");
    assertThatThrownBy(() -> opened.read(Map.of(Sample.KIND, Decoder::int32)))
        .isInstanceOf(ModelFileException.class)
        .hasMessageStartingWith(file + ": damaged content: bytes after the end");
    Path missing = folder.resolve("missing.avm");
    assertThatThrownBy(() -> ModelFile.open(missing))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(missing.toString());
  }

  @Test
  void aValueThatItsTypeRefusesIsDamagedContent() throws IOException {
    ModelFile file = ModelFile.parse(Sample.ONE.toBytes());
    ModelFile.Content<Sample> strict =
        in -> {
          throw new IllegalArgumentException("gamma must be > 0: -1.0");
        };
    assertThatThrownBy(() -> file.read(Map.of(Sample.KIND, strict)))
        .isInstanceOf(ModelFileException.class)
        .hasMessage("damaged content: gamma must be > 0: -1.0");
  }

  @Test
  void aFailureToEncodeLeavesTheOldFile() throws IOException {
    Path file = folder.resolve("sample.avm");
    Sample.ONE.save(file);
    Sample broken = new Sample(null, 0, 0, List.of());
    assertThatThrownBy(() -> broken.save(file)).isInstanceOf(NullPointerException.class);
    assertThat(Files.readAllBytes(file)).isEqualTo(Sample.ONE.toBytes());
  }
}
