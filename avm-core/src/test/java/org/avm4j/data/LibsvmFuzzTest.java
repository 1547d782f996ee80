package org.avm4j.data;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import org.avm4j.data.LibsvmReader.Options;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Hostile text: refused in a sentence or read, and the end is always reached. */
class LibsvmFuzzTest {
  private static final byte[] GOOD =
      "# head\n+1 qid:1 1:0.5 3:-2e1 # tail\r\n-1\n2.5 1:1 2:123456789.123\n"
          .getBytes(StandardCharsets.UTF_8);

  @FuzzTest(maxDuration = "60s")
  void textIsRefusedOrRead(byte[] bytes) throws IOException {
    read(bytes, Options.DEFAULT);
    read(bytes, new Options(true, true, false));
  }

  @Test
  void twentyThousandDamagedTextsAreRefusedOrRead() {
    SplittableRandom random = new SplittableRandom(21);
    Assertions.assertTimeout(
        Duration.ofSeconds(60),
        () -> {
          for (int i = 0; i < 20_000; i++) {
            textIsRefusedOrRead(i % 2 == 0 ? damaged(random) : noise(random));
          }
        });
  }

  private static void read(byte[] bytes, Options options) throws IOException {
    int refused = 0;
    LibsvmReader reader = new LibsvmReader("fuzz", new ByteArrayInputStream(bytes), options);
    for (boolean more = true; more; ) {
      try {
        more = reader.next();
      } catch (BadDataException e) {
        refused++;
      }
      Assertions.assertTrue(refused <= bytes.length, "the end is reached");
    }
  }

  private static byte[] noise(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(200)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] damaged(SplittableRandom random) {
    byte[] bytes = GOOD.clone();
    String likely = "0123456789:.-+eE# \t\r\n,qx";
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) likely.charAt(random.nextInt(likely.length()));
    }
    return bytes;
  }
}
