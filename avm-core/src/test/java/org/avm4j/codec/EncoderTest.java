package org.avm4j.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncoderTest {
  private static final int MEBIBYTE = 1 << 20;

  private static String hex(Encoder out) {
    return HexFormat.of().formatHex(out.toBytes());
  }

  @Test
  void everyNumberIsBigEndian() {
    Encoder out = new Encoder();
    out.bool(true);
    out.int32(0x01020304);
    out.int64(0x05060708090A0B0CL);
    out.float64(1.0);
    out.text("ä");
    out.floats(new float[] {1f, 2f}, 1);
    out.doubles(new double[] {-2.0, 7}, 1);
    assertThat(hex(out))
        .isEqualTo(
            "01"
                + "01020304"
                + "05060708090a0b0c"
                + "3ff0000000000000"
                + "00000002c3a4"
                + "000000013f800000"
                + "00000001c000000000000000");
  }

  @Test
  void aSectionIsItsNameItsLengthAndItsContent() {
    Encoder out = new Encoder();
    out.section("ab", in -> in.section("c", inner -> inner.bool(true)));
    assertThat(hex(out))
        .isEqualTo("000000026162" + "000000000000000e" + "0000000163" + "0000000000000001" + "01");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64})
  void everyChunkSizeGivesTheSameBytes(int size) throws IOException {
    Encoder out = new Encoder(size);
    Sample.ONE.encode(out);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    out.writeTo(stream);
    assertThat(out.toBytes()).isEqualTo(Sample.ONE.content());
    assertThat(stream.toByteArray()).isEqualTo(Sample.ONE.content());
    assertThat(out.length()).isEqualTo(Sample.ONE.content().length);
  }

  @Test
  void manyChunksAreReadBackInOrder() throws ModelFileException {
    Encoder out = new Encoder();
    double[] values = new double[400_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    out.bool(true);
    out.doubles(values, values.length);
    out.bytes(new byte[3 * MEBIBYTE + 1]);
    assertThat(out.chunks()).hasSizeGreaterThan(5);
    Decoder in = new Decoder(out.toBytes());
    assertThat(in.bool()).isTrue();
    assertThat(in.doubles(values.length, 0)).isEqualTo(values);
    assertThat(in.bytes()).hasSize(3 * MEBIBYTE + 1);
    in.end();
  }

  @Test
  void chunksTakenEarlierStayAsTheyWere() {
    Encoder out = new Encoder();
    out.int32(1);
    var before = out.chunks();
    out.int32(2);
    assertThat(before).singleElement().satisfies(c -> assertThat(c.remaining()).isEqualTo(4));
    assertThat(hex(out)).isEqualTo("0000000100000002");
  }

  @Test
  void contentBeyondTwoGigabytesIsWrittenToAStreamButNotToAnArray() throws IOException {
    Encoder out = threeGibibytes();
    long length = 3072L * MEBIBYTE;
    assertThat(out.length()).isEqualTo(length);
    long[] written = new long[1];
    out.writeTo(counting(written));
    assertThat(written[0]).isEqualTo(length);
    assertThatThrownBy(out::toBytes)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the content must fit into an array of 2147483639 bytes,"
                + " save it to a file or a stream instead: 3221225472");
  }

  @Test
  void theLengthOfASectionBeyondTwoGigabytesIsWhole() {
    Encoder out = new Encoder();
    out.section("large", in -> threeGibibytes().chunks().forEach(in::append));
    ByteBuffer head = out.chunks().get(0);
    assertThat(head.getLong(4 + "large".length())).isEqualTo(3072L * MEBIBYTE);
  }

  /** One chunk, counted 3072 times. */
  static Encoder threeGibibytes() {
    Encoder out = new Encoder();
    ByteBuffer chunk = ByteBuffer.allocate(MEBIBYTE).putInt(0, MEBIBYTE - 4);
    for (int i = 0; i < 3072; i++) {
      out.append(chunk);
    }
    return out;
  }

  private static OutputStream counting(long[] written) {
    return new OutputStream() {
      @Override
      public void write(int b) {
        written[0]++;
      }

      @Override
      public void write(byte[] bytes, int from, int n) {
        written[0] += n;
      }
    };
  }

  @Test
  void moreValuesThanTheArrayHoldsAreRefusedBeforeAnythingIsAppended() {
    Encoder out = new Encoder();
    assertThatThrownBy(() -> out.floats(new float[2], 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> out.doubles(new double[2], -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(out.length()).isZero();
  }

  @Test
  void whatCouldNotBeReadForItsDepthIsNotWritten() {
    assertThatThrownBy(() -> nest(new Encoder(), 65))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("sections must not be nested more than 64 deep: s");
  }

  static void nest(Encoder out, int depth) {
    if (depth > 0) {
      out.section("s", in -> nest(in, depth - 1));
    }
  }
}
