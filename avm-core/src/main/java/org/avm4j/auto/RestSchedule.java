package org.avm4j.auto;

import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Which experts work and which rest. A woken expert works for at least one trial; each rest is
 * twice as long as the one before, until the expert proves useful.
 */
final class RestSchedule {
  /** No bound in practice; twice this length is still a number. */
  private static final int LONGEST = 1 << 29;

  private final boolean[] rests;
  private final long[] due;
  private final int[] length;

  /** A schedule in which all experts work, on trial from instance t on. */
  RestSchedule(int experts, long t) {
    rests = new boolean[experts];
    due = new long[experts];
    length = new int[experts];
    for (int k = 0; k < experts; k++) {
      length[k] = Constants.WARM_UP;
      due[k] = t + Constants.WARM_UP;
    }
  }

  boolean rests(int expert) {
    return rests[expert];
  }

  /** Whether an expert works and its trial is over. */
  boolean mayRest(int expert, long t) {
    return !rests[expert] && t >= due[expert];
  }

  /** Sends an expert to rest. */
  void rest(int expert, long t) {
    rests[expert] = true;
    due[expert] = t + length[expert];
    length[expert] = Math.min(LONGEST, 2 * length[expert]);
  }

  /** Notes that an expert was useful, so that its next rest is short. */
  void stay(int expert) {
    length[expert] = Constants.WARM_UP;
  }

  /** Whether an expert has rested for long enough. */
  boolean isDue(int expert, long t) {
    return rests[expert] && t >= due[expert];
  }

  /** Starts a trial of an expert. */
  void wake(int expert, long t) {
    rests[expert] = false;
    due[expert] = t + Constants.WARM_UP;
  }

  /** Starts a trial of each expert that rests. */
  void wakeAll(long t) {
    for (int k = 0; k < rests.length; k++) {
      if (rests[k]) {
        wake(k, t);
      }
    }
  }

  void encode(Encoder out) {
    out.int64(0); // earlier builds wrote here when all experts could be woken again
    for (int k = 0; k < rests.length; k++) {
      out.bool(rests[k]);
      out.int64(due[k]);
      out.int32(length[k]);
    }
  }

  static RestSchedule decode(Decoder in, int experts) throws ModelFileException {
    RestSchedule schedule = new RestSchedule(experts, 0);
    in.int64();
    for (int k = 0; k < experts; k++) {
      schedule.rests[k] = in.bool();
      schedule.due[k] = in.count("the end of a rest");
      schedule.length[k] = in.int32("the length of a rest", LONGEST);
    }
    return schedule;
  }
}
