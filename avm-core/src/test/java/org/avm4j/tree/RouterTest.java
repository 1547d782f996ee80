package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;

class RouterTest {
  private static final List<Features> CENTRES =
      List.of(Features.dense(1, 1), Features.dense(5, 1), Features.dense(1, 5));

  private static Router copy(Router router) throws ModelFileException {
    Encoder out = new Encoder();
    router.encode(out);
    return Router.decode(new Decoder(out.toBytes()));
  }

  @Test
  void anInstanceGoesToTheNearestCentreAndOfEqualsToTheFirst() throws ModelFileException {
    Router router = Router.to(CENTRES);
    for (Router each : List.of(router, copy(router))) {
      assertThat(each.ways()).isEqualTo(3);
      assertThat(each.centres()).isEqualTo(CENTRES);
      assertThat(each.route(Features.dense(4, 1.5))).isEqualTo(1);
      assertThat(each.route(Features.dense(1.5, 4))).isEqualTo(2);
      assertThat(each.route(Features.dense(3, 1))).isZero();
      assertThat(each.route(Features.dense(5, 5))).isEqualTo(1);
    }
  }

  @Test
  void aFileWithOneWayIsRefused() throws ModelFileException {
    assertThat(copy(Router.to(CENTRES.subList(0, 2))).ways()).isEqualTo(2);
    Router lone = Router.to(CENTRES.subList(0, 1));
    assertThatThrownBy(() -> copy(lone)).hasMessageContaining("a router must have two ways");
  }
}
