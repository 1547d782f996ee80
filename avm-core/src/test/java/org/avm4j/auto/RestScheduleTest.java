package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RestScheduleTest {
  private final RestSchedule schedule = new RestSchedule(3, 0);

  @Test
  void aMemberIsTriedBeforeItMayRest() {
    assertThat(schedule.mayRest(1, 100)).isFalse();
    assertThat(schedule.mayRest(1, 2048)).isTrue();
    schedule.rest(1, 2048);
    assertThat(schedule.rests(1)).isTrue();
    schedule.wake(1, 5000);
    assertThat(schedule.rests(1)).isFalse();
    assertThat(schedule.mayRest(1, 5000 + 2047)).isFalse();
    assertThat(schedule.mayRest(1, 5000 + 2048)).isTrue();
  }

  @Test
  void restsBecomeLongerUntilAMemberIsOfUse() {
    assertThat(restOf(1, 10_000)).isEqualTo(2048);
    assertThat(restOf(1, 20_000)).isEqualTo(4096);
    assertThat(restOf(1, 30_000)).isEqualTo(8192);
    assertThat(restOf(1, 40_000)).isEqualTo(16_384);
    assertThat(restOf(1, 60_000)).isEqualTo(32_768);
    schedule.stay(1);
    assertThat(restOf(1, 100_000)).isEqualTo(2048);
    assertThat(restOf(2, 100_000)).isEqualTo(2048);
  }

  private long restOf(int member, long t) {
    schedule.rest(member, t);
    long until = t;
    while (!schedule.isDue(member, until)) {
      until++;
    }
    schedule.wake(member, until);
    return until - t;
  }

  @Test
  void allThatRestAreWokenTogether() {
    schedule.rest(1, 3000);
    schedule.wakeAll(4000);
    assertThat(schedule.rests(1)).isFalse();
    assertThat(schedule.mayRest(1, 4000 + 2047)).isFalse();
    assertThat(schedule.mayRest(2, 4000)).isTrue();
  }
}
