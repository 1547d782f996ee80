package org.avm4j.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Missing;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hostile input of every format: refused in a sentence or read, and the end is always reached. */
@Tag("slow")
class ReaderFuzzTest {
  private static final int CASES = 20_000;

  @FuzzTest(maxDuration = "60s")
  void csvIsRefusedOrRead(byte[] bytes) {
    readAll(Format.CSV, bytes);
  }

  @FuzzTest(maxDuration = "60s")
  void arffIsRefusedOrRead(byte[] bytes) {
    readAll(Format.ARFF, bytes);
  }

  @FuzzTest(maxDuration = "60s")
  void jsonIsRefusedOrRead(byte[] bytes) {
    readAll(Format.JSON, bytes);
  }

  @FuzzTest(maxDuration = "60s")
  void anythingIsRefusedOrRead(byte[] bytes) {
    readAll(null, bytes);
  }

  @ParameterizedTest
  @EnumSource
  void twentyThousandDamagedTextsAreRefusedOrRead(Format format) {
    byte[] good = good(format).getBytes(StandardCharsets.UTF_8);
    SplittableRandom random = new SplittableRandom(31);
    Assertions.assertTimeout(
        Duration.ofSeconds(120),
        () -> {
          for (int i = 0; i < CASES; i++) {
            readAll(i % 2 == 0 ? format : null, i % 4 == 3 ? noise(random) : damaged(good, random));
          }
        });
  }

  private static void readAll(Format format, byte[] bytes) {
    Schema schema = new Schema();
    ReadOptions options = ReadOptions.DEFAULT.withFormat(format);
    read(bytes, options, schema);
    read(bytes, options.withMissing(Missing.SKIP), schema.frozen());
  }

  private static void read(byte[] bytes, ReadOptions options, Schema schema) {
    try (DataReader reader = Rows.reader("fuzz", bytes, options, schema)) {
      int refused = 0;
      for (boolean more = true; more; ) {
        try {
          more = reader.next();
        } catch (BadDataException bad) {
          refused++;
        }
        assertThat(refused).isLessThanOrEqualTo(bytes.length);
      }
    } catch (IOException refused) {
      assertThat(refused).hasMessageStartingWith("fuzz:");
    }
  }

  private static String good(Format format) {
    return switch (format) {
      case LIBSVM -> "1 1:0.5 3:-2e1 # tail\n-1 qid:3 2:1\n";
      case CSV -> "age,\"hair, colour\",y\n42,red,1\n?,\"light \"\"blue\"\"\n\",-1\n";
      case ARFF ->
          "% note\n@relation r\n@attribute a numeric\n@attribute 'b c' {x, 'y z'}\n"
              + "@attribute class {no,yes}\n@data\n1,x,no\n?,'y z',yes\n{0 5, 2 yes}\n";
      case JSON ->
          "{\"label\":1,\"features\":{\"a\":4,\"b\":\"r\",\"c\":null}}\n"
              + "{\"features\":[1,2e3,true],\"label\":\"x\"}\n";
    };
  }

  private static byte[] noise(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] damaged(byte[] good, SplittableRandom random) {
    byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length / 2, good.length + 1));
    String likely = "0123456789.-+eE?:,;'\"{}[]@%# \t\r\n\\xnul";
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) likely.charAt(random.nextInt(likely.length()));
    }
    return bytes;
  }
}
