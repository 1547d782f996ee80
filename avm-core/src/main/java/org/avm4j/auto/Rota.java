package org.avm4j.auto;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Which members of a committee work and which rest. Whoever is woken works for a trial at least;
 * each rest is twice as long as the one before, up to a bound, until the member proves useful.
 */
final class Rota {
  /** The number of instances for which a member that wakes up may not rest. */
  private static final int TRIAL = 2048;

  private static final int SHORTEST = 2048;
  private static final int LONGEST = 16_384;

  /** At most four calls in a row, and in the long run one in this number of instances. */
  private static final int CALLS_APART = 8192;

  private static final int SPARE_CALLS = 3;

  private final boolean[] rests;
  private final long[] due;
  private final int[] length;
  private final boolean[] isBarred;
  private long nextCall;

  /** All work. */
  Rota(int members) {
    rests = new boolean[members];
    due = new long[members];
    length = new int[members];
    isBarred = new boolean[members];
    for (int m = 0; m < members; m++) {
      length[m] = SHORTEST;
      due[m] = TRIAL;
    }
  }

  boolean rests(int member) {
    return rests[member] || isBarred[member];
  }

  /** A member never works. */
  void bar(int member) {
    isBarred[member] = true;
  }

  /** Whether a member works and its trial is over. */
  boolean mayRest(int member, long t) {
    return !rests(member) && t >= due[member];
  }

  /** A member was of no use. */
  void rest(int member, long t) {
    rests[member] = true;
    due[member] = t + length[member];
    length[member] = Math.min(LONGEST, 2 * length[member]);
  }

  /** A member was of use: its next rest is a short one. */
  void stay(int member) {
    length[member] = SHORTEST;
  }

  /** Whether a member has rested for long enough. */
  boolean isDue(int member, long t) {
    return rests[member] && t >= due[member];
  }

  /** A trial of a member begins. */
  void wake(int member, long t) {
    rests[member] = false;
    due[member] = t + TRIAL;
  }

  /** Whether all may be called now; if so, the call is counted. */
  boolean mayCallAll(long t) {
    boolean may = t >= nextCall;
    if (may) {
      nextCall = Math.max(nextCall, t - (long) SPARE_CALLS * CALLS_APART) + CALLS_APART;
    }
    return may;
  }

  void encode(Encoder out) {
    out.int64(nextCall);
    for (int m = 0; m < rests.length; m++) {
      out.bool(rests[m]);
      out.int64(due[m]);
      out.int32(length[m]);
    }
  }

  /** Reads what {@link #encode} wrote; a member that is absent from the file is due for a trial. */
  static Rota decode(Decoder in, int members, int absent) throws ModelFileException {
    Rota rota = new Rota(members);
    rota.nextCall = in.count("the next call");
    for (int m = 0; m < members; m++) {
      if (m == absent) {
        rota.rests[m] = true;
        rota.due[m] = 0;
        continue;
      }
      rota.rests[m] = in.bool();
      rota.due[m] = in.count("the end of a rest");
      rota.length[m] = in.int32("the length of a rest", LONGEST);
    }
    return rota;
  }
}
