package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RotaTest {
  private final Rota rota = new Rota(3);

  @Test
  void aMemberIsTriedBeforeItMayRest() {
    assertThat(rota.mayRest(1, 100)).isFalse();
    assertThat(rota.mayRest(1, 2048)).isTrue();
    rota.rest(1, 2048);
    assertThat(rota.rests(1)).isTrue();
    rota.wake(1, 5000);
    assertThat(rota.rests(1)).isFalse();
    assertThat(rota.mayRest(1, 5000 + 2047)).isFalse();
    assertThat(rota.mayRest(1, 5000 + 2048)).isTrue();
  }

  @Test
  void restsBecomeLongerUntilAMemberIsOfUse() {
    assertThat(restOf(1, 10_000)).isEqualTo(2048);
    assertThat(restOf(1, 20_000)).isEqualTo(4096);
    assertThat(restOf(1, 30_000)).isEqualTo(8192);
    assertThat(restOf(1, 40_000)).isEqualTo(16_384);
    assertThat(restOf(1, 60_000)).isEqualTo(16_384);
    rota.stay(1);
    assertThat(restOf(1, 80_000)).isEqualTo(2048);
    assertThat(restOf(2, 80_000)).isEqualTo(2048);
  }

  private long restOf(int member, long t) {
    rota.rest(member, t);
    long until = t;
    while (!rota.isDue(member, until)) {
      until++;
    }
    rota.wake(member, until);
    return until - t;
  }

  @Test
  void callsInARowAreFewAndCallsInTheLongRunRare() {
    int calls = 0;
    for (long t = 100_000; t < 100_100; t++) {
      calls += rota.mayCallAll(t) ? 1 : 0;
    }
    assertThat(calls).isEqualTo(4);
    for (long t = 100_100; t < 200_000; t++) {
      calls += rota.mayCallAll(t) ? 1 : 0;
    }
    assertThat(calls).isEqualTo(4 + 12);
  }
}
