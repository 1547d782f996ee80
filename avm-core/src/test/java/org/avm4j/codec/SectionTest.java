package org.avm4j.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SectionTest {
  private static Encoder numbered(String name, int... values) {
    Encoder out = new Encoder();
    out.section(
        name,
        in -> {
          for (int value : values) {
            in.int32(value);
          }
        });
    return out;
  }

  private static Decoder decoder(Encoder out) {
    return new Decoder(out.toBytes());
  }

  private static void refused(ThrowingCallable reading, String sentence) {
    assertThatThrownBy(reading).isInstanceOf(ModelFileException.class).hasMessage(sentence);
  }

  @Test
  void aSectionOfVersionTwoIsReadByItsLength() throws ModelFileException {
    Encoder out = numbered("core", 1, 2);
    out.int32(3);
    Decoder in = decoder(out);
    assertThat(in.<Integer>section("core", core -> core.int32() + core.int32())).isEqualTo(3);
    assertThat(in.int32()).isEqualTo(3);
    in.end();
  }

  @Test
  void aSectionOfVersionOneIsJustReadOn() throws ModelFileException {
    Decoder in = Sample.decoder(new byte[] {0, 0, 0, 1, 0, 0, 0, 2}, 3, 1);
    assertThat(in.hasSection("core")).isFalse();
    assertThat(in.<Integer>section("core", Decoder::int32)).isEqualTo(1);
    assertThat(in.<Integer>section("rest", rest -> rest.section("a", Decoder::int32))).isEqualTo(2);
    in.end();
  }

  @Test
  void anotherNameIsRefused() {
    refused(
        () -> decoder(numbered("x", 1)).section("core", Decoder::int32),
        "damaged content: expected section 'core', found 'x'");
  }

  @Test
  void aHostileNameIsShortenedInTheMessage() {
    refused(
        () -> decoder(numbered("a\n\u001b" + "b".repeat(100))).section("core", Decoder::int32),
        "damaged content: expected section 'core', found 'a??" + "b".repeat(37) + "…'");
  }

  @Test
  void bytesThatTheReaderLeavesAreRefused() {
    refused(
        () -> decoder(numbered("core", 1, 2)).section("core", Decoder::int32),
        "damaged content: bytes after the end: 4");
  }

  @Test
  void aReaderCannotLeaveItsSection() {
    Encoder out = numbered("core", 1);
    out.int32(2);
    refused(
        () -> decoder(out).section("core", core -> core.int32() + core.int32()),
        "damaged content: more bytes expected: 0");
  }

  @Test
  void readingOnWithTheOuterDecoderIsNoticed() {
    Encoder out = numbered("core", 1);
    out.int32(2);
    Decoder in = decoder(out);
    refused(
        () -> in.section("core", core -> in.int32() + in.int32()),
        "damaged content: bytes after the end: -4");
  }

  @Test
  void aLengthInASectionIsHeldAgainstTheSection() {
    Encoder out = numbered("core", 5);
    out.int64(0);
    refused(
        () -> decoder(out).section("core", Decoder::bytes),
        "damaged content: a length must fit the 0 bytes that are left: 5");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 5, 1L << 32})
  void aForgedLengthIsRefused(long length) {
    byte[] bytes = numbered("core", 1).toBytes();
    ByteBuffer.wrap(bytes).putLong(8, length);
    refused(
        () -> new Decoder(bytes).section("core", Decoder::int32),
        "damaged content: a length must fit the 4 bytes that are left: " + length);
  }

  @Test
  void anInnerSectionCannotExceedTheOuterOne() {
    Encoder out = new Encoder();
    out.section("outer", in -> in.section("inner", inner -> inner.int32(1)));
    out.int64(0);
    byte[] bytes = out.toBytes();
    ByteBuffer.wrap(bytes).putLong(17 + 9, 12);
    refused(
        () -> new Decoder(bytes).section("outer", in -> in.section("inner", Decoder::int64)),
        "damaged content: a length must fit the 4 bytes that are left: 12");
  }

  @Test
  void theNextSectionIsKnownBeforeItIsRead() throws ModelFileException {
    Encoder out = numbered("core", 1);
    numbered("extra", 2).chunks().forEach(out::append);
    for (int size : new int[] {1, 2, 3, 7, 64}) {
      Decoder in = Sample.decoder(out.toBytes(), size, 2);
      assertThat(in.hasSection("extra")).isFalse();
      assertThat(in.hasSection("cor")).isFalse();
      assertThat(in.hasSection("core")).isTrue();
      assertThat(in.<Integer>section("core", Decoder::int32)).isEqualTo(1);
      assertThat(in.hasSection("extra")).isTrue();
      assertThat(in.<Integer>section("extra", Decoder::int32)).isEqualTo(2);
      assertThat(in.hasSection("extra")).isFalse();
      in.end();
    }
  }

  @Test
  void whatIsNoSectionHasNoName() {
    assertThat(new Decoder(new byte[0]).hasSection("core")).isFalse();
    assertThat(new Decoder(new byte[] {-1, -1, -1, -1, 0, 0}).hasSection("")).isFalse();
    assertThat(new Decoder(new byte[] {127, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0}).hasSection(""))
        .isFalse();
  }

  @Test
  void sectionsNestSixtyFourDeepAndNoDeeper() throws ModelFileException {
    Encoder deepest = new Encoder();
    EncoderTest.nest(deepest, 64);
    assertThat(unnest(decoder(deepest), 64)).isZero();
    Encoder tooDeep = new Encoder();
    EncoderTest.nest(tooDeep, 64);
    byte[] outer = new byte[13];
    ByteBuffer.wrap(outer).putInt(1).put((byte) 's').putLong(tooDeep.length());
    Encoder out = new Encoder();
    out.append(ByteBuffer.wrap(outer));
    tooDeep.chunks().forEach(out::append);
    refused(
        () -> unnest(decoder(out), 65),
        "damaged content: sections must not be nested more than 64 deep: 65");
  }

  private static int unnest(Decoder in, int depth) throws ModelFileException {
    return depth == 0 ? 0 : in.section("s", inner -> unnest(inner, depth - 1));
  }

  @Test
  void contentOfVersionOneNestsNoDeeperEither() {
    refused(
        () -> unnest(Sample.decoder(new byte[0], 1, 1), 65),
        "damaged content: sections must not be nested more than 64 deep: 65");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatIsNestedKnowsTheVersion(int version) throws ModelFileException {
    Encoder out = new Encoder();
    out.text("nine");
    if (version == 1) {
      out.bytes(new byte[] {0, 0, 0, 9});
    } else {
      out.section("content", content -> content.int32(9));
    }
    out.bool(true);
    Decoder in = Sample.decoder(out.toBytes(), 3, version);
    int sum = in.<Integer>nested(kind -> inner -> kind.length() + inner.int32() + inner.version());
    assertThat(sum).isEqualTo(4 + 9 + version);
    assertThat(in.bool()).isTrue();
    refused(
        () -> Sample.decoder(out.toBytes(), 3, version).nested(kind -> Decoder::bool),
        "damaged content: bytes after the end: 3");
  }

  @Test
  void whatIsNestedIsReadByTheReaderOfItsKind() throws ModelFileException {
    Encoder out = new Encoder();
    out.nested(Sample.ONE);
    out.int32(7);
    Decoder in = decoder(out);
    ModelFile.Content<Sample> reader = Sample::decode;
    assertThat(in.<Sample>nested(Map.of(Sample.KIND, reader)::get)).isEqualTo(Sample.ONE);
    assertThat(in.int32()).isEqualTo(7);
  }

  @Test
  void aKindThatNothingReadsIsRefusedInTheWordsOfTheReaders() {
    Encoder out = new Encoder();
    out.nested(Sample.ONE);
    refused(
        () ->
            decoder(out)
                .nested(
                    kind -> {
                      throw new ModelFileException("unknown: " + kind);
                    }),
        "unknown: sample");
  }
}
