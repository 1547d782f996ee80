package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A small version of the comparison in decision 21. */
class ExportAgreementTest {
  private static final int LEARNED = 2300;

  /** Kernel values are floats in the library and doubles in ONNX. */
  private static final double PRECISION = 1e-4;

  private static List<Features> features(List<Instance> rows) {
    return rows.stream().map(Instance::features).toList();
  }

  @ParameterizedTest
  @EnumSource
  void labelsDifferOnlyWhereScoresTie(ExportAgreement.Kind kind) throws Exception {
    List<Instance> rows = Streams.spirals(LEARNED + 2000, 3, 31);
    ExportAgreement result =
        ExportAgreement.of(
            kind.learned(rows.subList(0, LEARNED)), features(rows.subList(LEARNED, rows.size())));
    assertThat(result.rows()).isEqualTo(2000);
    assertThat(result.largestDifference()).isLessThan(PRECISION).isPositive();
    assertThat(result.largestLead()).isLessThan(2 * PRECISION);
  }

  @Tag("slow")
  @Test
  void realDataAgree() throws Exception {
    List<Instance> rows = Streams.data("letter.scale", 0, LEARNED + 3000);
    ExportAgreement result =
        ExportAgreement.of(
            ExportAgreement.Kind.AUTOMATIC.learned(rows.subList(0, LEARNED)),
            features(rows.subList(LEARNED, rows.size())));
    assertThat(result.rows()).isEqualTo(3000);
    assertThat(result.largestDifference()).isLessThan(PRECISION);
    assertThat(result.largestLead()).isLessThan(2 * PRECISION);
  }
}
