package org.avm4j.auto.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;

class PairedTestTest {
  @Test
  void theSumOfTheLeadsIsMeasuredInStandardErrors() {
    PairedTest test = new PairedTest();
    assertThat(test.z()).isZero();
    test.add(4);
    test.add(-1);
    test.add(2);
    assertThat(test.z()).isEqualTo(5 / Math.sqrt(22));
    test.clear();
    assertThat(test.z()).isZero();
    test.add(-3);
    assertThat(test.z()).isEqualTo(-3 / Math.sqrt(10));
  }

  @Test
  void withAWindowTheOlderLeadsFade() {
    PairedTest test = new PairedTest(4);
    test.add(8);
    test.add(-2);
    assertThat(test.z()).isCloseTo((6 - 2) / Math.sqrt(48 + 4 + 1), within(1e-12));
  }

  @Test
  void itGoesOnFromAFile() throws ModelFileException {
    PairedTest test = new PairedTest();
    test.add(4);
    Encoder out = new Encoder();
    test.encode(out);
    PairedTest read = new PairedTest().decode(new Decoder(out.toBytes()));
    test.add(-1);
    read.add(-1);
    assertThat(read.z()).isEqualTo(test.z());
  }

  @Test
  void aFileWithNegativeSquaresIsRefused() throws ModelFileException {
    Encoder none = new Encoder();
    new PairedTest().encode(none);
    assertThat(new PairedTest().decode(new Decoder(none.toBytes())).z()).isZero();
    Encoder wrong = new Encoder();
    wrong.float64(1);
    wrong.float64(-1);
    assertThatThrownBy(() -> new PairedTest().decode(new Decoder(wrong.toBytes())))
        .hasMessageContaining("squares must not be negative");
  }
}
