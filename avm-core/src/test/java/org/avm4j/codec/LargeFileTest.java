package org.avm4j.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Really writes and reads 2.2 GB; needs a heap of 5 GB, so only if {@code AVM_LARGE} is set. */
@EnabledIfEnvironmentVariable(named = "AVM_LARGE", matches = ".+")
class LargeFileTest {
  private static final int PARTS = 2200;
  private static final int VALUES = 250_000;

  @TempDir Path folder;

  /** 2,200 arrays of a million bytes, each with its number in it. */
  private record Large() implements Savable {
    @Override
    public String kind() {
      return "large";
    }

    @Override
    public void encode(Encoder out) {
      out.section(
          "parts",
          in -> {
            float[] values = new float[VALUES];
            for (int i = 0; i < PARTS; i++) {
              values[i] = i;
              in.floats(values, VALUES);
            }
          });
    }
  }

  private static long decode(Decoder in) throws ModelFileException {
    return in.section(
        "parts",
        parts -> {
          long sum = 0;
          for (int i = 0; i < PARTS; i++) {
            sum += (long) parts.floats(VALUES, VALUES)[i];
          }
          return sum;
        });
  }

  @Test
  void aModelBeyondTwoGigabytesIsSavedAndLoaded() throws IOException {
    Path file = folder.resolve("large.avm");
    new Large().save(file);
    assertThat(Files.size(file)).isGreaterThan(Integer.MAX_VALUE);
    ModelFile.Content<Long> reader = LargeFileTest::decode;
    long sum = ModelFile.open(file).<Long>read(Map.of("large", reader));
    assertThat(sum).isEqualTo((long) PARTS * (PARTS - 1) / 2);
  }
}
