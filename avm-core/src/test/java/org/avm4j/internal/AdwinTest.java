package org.avm4j.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdwinTest {
  private static int changes(Adwin adwin, SplitMix random, int n, double mean) {
    int changes = 0;
    for (int t = 0; t < n; t++) {
      changes += adwin.add(random.getAsDouble() < mean ? 1 : 0) ? 1 : 0;
    }
    return changes;
  }

  @Test
  void theWindowGrowsWhileNothingChanges() {
    int alarms = 0;
    for (int seed = 1; seed <= 20; seed++) {
      Adwin adwin = new Adwin(0.002);
      alarms += changes(adwin, new SplitMix(seed), 10_000, 0.3);
    }
    assertThat(alarms).isLessThanOrEqualTo(1);
  }

  /**
   * A step in the mean is found once the new part is long enough for the bound, and the window then
   * holds little of what was before: at a step of 0.4 after 5,000 numbers, 2 σ² ln(2 ln W/δ)/ε² is
   * about 30 numbers for σ² = 0.2.
   */
  @ParameterizedTest
  @CsvSource({"0.2,0.6,200", "0.1,0.9,100", "0.2,0.3,2500", "0.6,0.2,200"})
  void aStepIsFoundAndTheWindowShrinksToIt(double before, double after, int most) {
    for (int seed = 1; seed <= 10; seed++) {
      Adwin adwin = new Adwin(0.002);
      SplitMix random = new SplitMix(seed);
      changes(adwin, random, 5000, before);
      int delay = 0;
      while (!adwin.add(random.getAsDouble() < after ? 1 : 0)) {
        assertThat(++delay).isLessThan(most);
      }
      assertThat(adwin.newer() > adwin.older()).isEqualTo(after > before);
      assertThat(adwin.older()).isCloseTo(before, within(0.05));
      changes(adwin, random, 2000, after);
      assertThat(adwin.width()).isBetween(1500L, 2300L + most);
    }
  }

  @Test
  void aWindowThatIsSavedGoesOn() throws ModelFileException {
    Adwin adwin = new Adwin(0.002);
    Adwin resumed = new Adwin(0.002);
    SplitMix random = new SplitMix(4);
    for (int t = 0; t < 20_000; t++) {
      double x = random.getAsDouble() < (t < 12_000 ? 0.1 : 0.4) ? 1 : 0;
      assertThat(resumed.add(x)).isEqualTo(adwin.add(x));
      assertThat(resumed.width()).isEqualTo(adwin.width());
      if (t % 997 == 0) {
        Encoder out = new Encoder();
        resumed.encode(out);
        resumed = Adwin.decode(new Decoder(out.toBytes()), 0.002);
      }
    }
    assertThat(adwin.width()).isLessThan(8200);
  }
}
