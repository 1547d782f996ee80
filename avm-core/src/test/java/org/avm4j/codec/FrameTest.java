package org.avm4j.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {
  private static final Map<String, ModelFile.Content<? extends Sample>> READERS =
      Map.of(Sample.KIND, Sample::decode);

  private static final byte[] GOOD = Sample.ONE.toBytes();

  private static byte[] withHeader(int version, long length) {
    byte[] bytes = GOOD.clone();
    ByteBuffer.wrap(bytes).putInt(8, version).putLong(12, length);
    return bytes;
  }

  /** Makes the checksum fit whatever was altered. */
  private static byte[] resealed(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 8, bytes.length - 12);
    ByteBuffer.wrap(bytes).putInt(bytes.length - 4, (int) crc.getValue());
    return bytes;
  }

  private static void refused(byte[] bytes, String fromArray, String fromStream) {
    assertThatThrownBy(() -> ModelFile.parse(bytes))
        .isInstanceOf(ModelFileException.class)
        .hasMessage(fromArray);
    assertThatThrownBy(() -> ModelFile.read(new ByteArrayInputStream(bytes)))
        .isInstanceOf(ModelFileException.class)
        .hasMessage(fromStream);
  }

  private static void refused(byte[] bytes, String sentence) {
    refused(bytes, sentence, sentence);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64, Frame.LARGEST_CHUNK})
  void everyChunkSizeReadsTheSamePayload(int size) throws IOException {
    Frame frame = Frame.read(new ByteArrayInputStream(GOOD), Frame.UNKNOWN, size);
    assertThat(frame.version()).isEqualTo(2);
    assertThat(frame.payload()).allMatch(chunk -> chunk.remaining() <= size);
    Encoder joined = new Encoder();
    frame.payload().forEach(joined::append);
    assertThat(joined.toBytes()).isEqualTo(Arrays.copyOfRange(GOOD, 20, GOOD.length - 4));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64, Frame.LARGEST_CHUNK})
  void exactlyTheFrameIsTakenFromAStream(int size) throws IOException {
    InputStream in = new ByteArrayInputStream(Arrays.copyOf(GOOD, GOOD.length + 5));
    Frame.read(in, Frame.UNKNOWN, size);
    assertThat(in.available()).isEqualTo(5);
  }

  @Test
  void aStreamThatTricklesIsReadWhole() throws IOException {
    InputStream trickle =
        new FilterInputStream(new ByteArrayInputStream(GOOD)) {
          @Override
          public int read(byte[] to, int from, int n) throws IOException {
            return super.read(to, from, Math.min(n, 1));
          }
        };
    assertThat(ModelFile.read(trickle).read(READERS)).isEqualTo(Sample.ONE);
  }

  @Test
  void wherePeopleCutAFileItIsTruncated() {
    for (int n = 0; n < GOOD.length; n++) {
      String found = "the file is truncated: " + n + " bytes ";
      refused(Arrays.copyOf(GOOD, n), found + (n < 20 ? "are left" : "of " + GOOD.length));
    }
  }

  @Test
  void whatFollowsIsAnErrorInAnArrayAndTheCallersInAStream() throws IOException {
    byte[] longer = Arrays.copyOf(GOOD, GOOD.length + 1);
    assertThatThrownBy(() -> ModelFile.parse(longer))
        .hasMessage(
            "the file goes on after its end: "
                + (GOOD.length + 1)
                + " bytes instead of "
                + GOOD.length);
    assertThat(ModelFile.read(new ByteArrayInputStream(longer)).read(READERS))
        .isEqualTo(Sample.ONE);
  }

  @Test
  void otherFilesAreNotOurs() {
    refused("AVM for Java".getBytes(), "not an AVM model file");
    refused(new byte[100], "not an AVM model file");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, -1, 0x02000000})
  void anUnknownVersionIsRefused(int version) {
    byte[] file = resealed(withHeader(version, GOOD.length - 24));
    assertThat(isOfLaterVersion(file)).isEqualTo(version > 2);
    file[file.length - 5] ^= 1;
    assertThat(isOfLaterVersion(file)).isFalse();
    refused(file, "format version " + version + " is unknown, this library reads versions 1 to 2");
  }

  private static boolean isOfLaterVersion(byte[] file) {
    return catchThrowableOfType(ModelFileException.class, () -> ModelFile.parse(file))
        .isOfLaterVersion();
  }

  @Test
  void anImpossibleLengthIsRefused() {
    for (long length : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 23}) {
      refused(withHeader(2, length), "damaged header: no payload has this length: " + length);
    }
  }

  @Test
  void aForgedLengthTakesNoMemory() {
    for (long length : new long[] {1L << 31, 1L << 40, Long.MAX_VALUE - 24}) {
      refused(
          withHeader(2, length),
          "the file is truncated: " + GOOD.length + " bytes of " + (length + 24));
    }
  }

  @Test
  void aShorterLengthIsRefused() {
    refused(
        withHeader(2, GOOD.length - 25),
        "the file goes on after its end: " + GOOD.length + " bytes instead of " + (GOOD.length - 1),
        "the checksum does not match: the file was altered");
  }

  @Test
  void everyFlippedBitIsNoticed() {
    for (int bit = 0; bit < 8 * GOOD.length; bit++) {
      byte[] bad = GOOD.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> ModelFile.parse(bad)).isInstanceOf(ModelFileException.class);
      assertThatThrownBy(() -> ModelFile.read(new ByteArrayInputStream(bad)))
          .isInstanceOf(ModelFileException.class);
    }
  }

  @Test
  void aFrameOfVersionOneIsRead() throws IOException {
    Encoder content = new Encoder();
    content.int32(42);
    byte[] bytes = ModelFile.frame("old", content.toBytes());
    ByteBuffer.wrap(bytes).putInt(8, 1);
    ModelFile file = ModelFile.parse(resealed(bytes));
    assertThat(file.version()).isEqualTo(1);
    ModelFile.Content<Integer> reader =
        in -> in.section("core", core -> core.int32() + core.version());
    assertThat(file.<Integer>read(Map.of("old", reader))).isEqualTo(43);
  }

  @Test
  void mutationsBehindAValidChecksumAreRefusedOrHarmless() {
    SplittableRandom random = new SplittableRandom(31);
    for (int i = 0; i < 20_000; i++) {
      byte[] bad = resealed(mutated(random));
      assertThatCode(() -> readIfSound(bad)).doesNotThrowAnyException();
    }
  }

  private static byte[] mutated(SplittableRandom random) {
    int[] lengths = {GOOD.length, 24 + random.nextInt(GOOD.length - 24), GOOD.length + 3};
    byte[] bad = Arrays.copyOf(GOOD, lengths[random.nextInt(3)]);
    for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
      int at = 20 + random.nextInt(bad.length - 20);
      bad[at] = (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(3) - 1);
    }
    int version = random.nextInt(4) == 0 ? 1 : 2;
    ByteBuffer.wrap(bad).putInt(8, version).putLong(12, bad.length - 24);
    return bad;
  }

  private static void readIfSound(byte[] bytes) throws IOException {
    try {
      ModelFile.read(new ByteArrayInputStream(bytes)).read(READERS);
    } catch (ModelFileException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }
}
