package org.avm4j.auto.expert;

import static org.assertj.core.api.Assertions.assertThat;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.junit.jupiter.api.Test;

class PastLabelsTest {
  private static PastLabels labels(int delay, int count) {
    PastLabels labels = new PastLabels(delay);
    for (int i = 1; i <= count; i++) {
      labels.add(i);
    }
    return labels;
  }

  @Test
  void labelsThatComeLateCanBeHidden() throws Exception {
    PastLabels labels = labels(60, 200);
    assertThat(labels.ago(1)).isEqualTo(200);
    labels.hideLate(true);
    assertThat(labels.ago(1)).isEqualTo(140);
    assertThat(labels.ago(PastLabels.MOST)).isEqualTo(141 - PastLabels.MOST);
    assertThat(labels.copy().ago(1)).isEqualTo(200);
    Encoder out = new Encoder();
    labels.encode(out);
    PastLabels read = PastLabels.decode(new Decoder(out.toBytes()), 60);
    read.hideLate(true);
    assertThat(read.ago(1)).isEqualTo(140);
  }

  @Test
  void beforeTheFirstThereIsNone() {
    PastLabels labels = labels(60, 61);
    labels.hideLate(true);
    assertThat(labels.ago(1)).isEqualTo(1);
    assertThat(labels.ago(2)).isNaN();
  }

  @Test
  void whatALongerDelayNeedsIsUnknown() {
    PastLabels longer = labels(0, 100).withDelay(50);
    assertThat(longer.ago(1)).isEqualTo(100);
    longer.hideLate(true);
    assertThat(longer.ago(1)).isNaN();
    PastLabels shorter = labels(50, 100).withDelay(10);
    shorter.hideLate(true);
    assertThat(shorter.ago(1)).isEqualTo(90);
  }
}
