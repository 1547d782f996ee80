package org.avm4j.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecoderTest {
  private static Decoder of(String hex) {
    return new Decoder(HexFormat.of().parseHex(hex));
  }

  private static void refused(ThrowingCallable reading, String sentence) {
    assertThatThrownBy(reading).isInstanceOf(ModelFileException.class).hasMessage(sentence);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64, 1000})
  void everyChunkSizeIsReadAlike(int size) throws ModelFileException {
    Decoder in = Sample.decoder(Sample.ONE.content(), size, 2);
    assertThat(Sample.decode(in)).isEqualTo(Sample.ONE);
    in.end();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64})
  void contentThatEndsEarlyIsRefusedWhereverItIsCut(int size) {
    byte[] whole = Sample.ONE.content();
    for (int n = 0; n < whole.length; n++) {
      Decoder in = Sample.decoder(Arrays.copyOf(whole, n), size, 2);
      assertThatThrownBy(() -> Sample.decode(in))
          .isInstanceOf(ModelFileException.class)
          .hasMessageStartingWith("damaged content: ");
    }
  }

  @Test
  void bytesAloneAreOfTheCurrentVersion() {
    assertThat(new Decoder(new byte[0]).version()).isEqualTo(ModelFile.VERSION);
  }

  @Test
  void aNegativeLengthIsRefused() {
    String rule = "damaged content: a length must fit the 2 bytes that are left: -1";
    refused(() -> of("ffffffff0000").bytes(), rule);
    refused(() -> of("ffffffff0000").text(), rule);
    refused(() -> of("ffffffff0000").nested(kind -> Decoder::bool), rule);
  }

  @Test
  void aLengthThatDoesNotFitIsRefusedBeforeAnythingIsAllocated() {
    String most = "7fffffff" + "00".repeat(8);
    String rule = "damaged content: a length must fit the 8 bytes that are left: 2147483647";
    refused(() -> of(most).bytes(), rule);
    refused(() -> of(most).text(), rule);
    refused(() -> of(most).floats(Integer.MAX_VALUE, 0), rule);
    refused(() -> of(most).doubles(Integer.MAX_VALUE, 0), rule);
    refused(
        () -> of("00000003" + "00".repeat(11)).floats(3, 3),
        "damaged content: a length must fit the 11 bytes that are left: 3");
  }

  @Test
  void anArrayThatNoMachineCanHoldIsRefusedEvenIfTheBytesAreThere() {
    Encoder out = new Encoder();
    out.int32(Integer.MAX_VALUE);
    EncoderTest.threeGibibytes().chunks().forEach(out::append);
    refused(
        () -> new Decoder(out.chunks(), 2).bytes(),
        "damaged content: an array has at most 2147483639 values: 2147483647");
  }

  @Test
  void positionsBeyondTwoGigabytesAreRead() throws ModelFileException {
    Encoder out = new Encoder();
    out.section("large", in -> EncoderTest.threeGibibytes().chunks().forEach(in::append));
    out.int32(7);
    Decoder in = new Decoder(out.chunks(), 2);
    long read = in.section("large", DecoderTest::sizesOfByteArrays);
    assertThat(read).isEqualTo(3072L << 20);
    assertThat(in.int32()).isEqualTo(7);
    in.end();
  }

  private static long sizesOfByteArrays(Decoder in) throws ModelFileException {
    long read = 0;
    for (int i = 0; i < 3072; i++) {
      read += 4 + in.bytes().length;
    }
    return read;
  }

  @Test
  void aTextMustBeWellFormed() throws ModelFileException {
    assertThat(of("00000004f09f9880").text()).isEqualTo("😀");
    String sentence = "damaged content: a text must be well-formed UTF-8";
    refused(() -> of("00000001ff").text(), sentence);
    refused(() -> of("00000002c328").text(), sentence);
    refused(() -> of("00000003eda080").text(), sentence);
    refused(() -> of("00000002c080").text(), sentence);
    refused(() -> of("00000003f09f98").text(), sentence);
  }

  @Test
  void eachValueKeepsItsRule() {
    refused(() -> of("02").bool(), "damaged content: a flag must be 0 or 1: 2");
    refused(() -> of("000000").int32(), "damaged content: more bytes expected: 3");
    refused(
        () -> of("00000005").int32("the tag", 4),
        "damaged content: the tag must be from 0 to 4: 5");
    refused(
        () -> of("ffffffffffffffff").count("the count"),
        "damaged content: the count must not be negative: -1");
    refused(
        () -> of("7ff0000000000000").finite("the mean"),
        "damaged content: the mean must be a finite number: Infinity");
    refused(
        () -> of("000000017fc00000").floats(1, 1),
        "damaged content: a feature must be a finite number: NaN");
    refused(
        () -> of("000000017ff8000000000000").doubles(1, 1),
        "damaged content: a coefficient must be a finite number: NaN");
    refused(() -> of("00000000").floats(1, 1), "damaged content: expected 1 values: 0");
    refused(() -> of("0000").end(), "damaged content: bytes after the end: 2");
  }

  @Test
  void anArrayHasAtLeastTheCapacityAskedFor() throws ModelFileException {
    assertThat(of("000000013f800000").floats(1, 3)).containsExactly(1, 0, 0);
    assertThat(of("000000013ff0000000000000").doubles(1, 0)).containsExactly(1);
  }
}
