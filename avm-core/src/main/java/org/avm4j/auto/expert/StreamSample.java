package org.avm4j.auto.expert;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;

/**
 * A bounded sample of a stream. Once it is full, every new row takes the place of one that is drawn
 * at random, so that a row is the rarer the older it is. A copy of the sample can be had as it was
 * at an earlier mark.
 */
final class StreamSample {
  private final int most;
  private final List<Instance> rows = new ArrayList<>();

  /** The rows that gave way since the mark, in that order. */
  private final List<Instance> displaced = new ArrayList<>();

  private long seen;
  private long mark;

  /** An empty sample with room for a given number of rows. */
  StreamSample(int most) {
    this.most = most;
  }

  /** The most rows that it holds. */
  int most() {
    return most;
  }

  void add(Instance row) {
    seen++;
    if (seen <= most) {
      rows.add(row);
    } else {
      displaced.add(rows.set(place(seen), row));
    }
  }

  /** The place of the row that gives way to the row with this number. */
  private int place(long number) {
    return new SplitMix(number).nextInt(most);
  }

  /** The number of rows that were added. */
  long seen() {
    return seen;
  }

  /** The rows in the sample, a view. */
  List<Instance> rows() {
    return rows;
  }

  /** From now on {@link #atMark} gives the rows as they are now. */
  void setMark() {
    mark = seen;
    displaced.clear();
  }

  /** The number of rows that were added before the mark. */
  long mark() {
    return mark;
  }

  /** The rows as they were at the mark. */
  List<Instance> atMark() {
    List<Instance> then = new ArrayList<>(rows);
    for (int i = displaced.size() - 1; i >= 0; i--) {
      then.set(place(seen - displaced.size() + 1 + i), displaced.get(i));
    }
    return then.subList(0, (int) Math.min(mark, most));
  }

  /**
   * Appends the room (4), the counts (8 each), the rows, and those that gave way since the mark.
   */
  void encode(Encoder out) {
    out.int32(most);
    out.int64(seen);
    out.int64(mark);
    KeptInstances.encode(rows, out);
    KeptInstances.encode(displaced, out);
  }

  /** Reads what {@link #encode} wrote. */
  static StreamSample decode(Decoder in, int largest) throws ModelFileException {
    int most = in.int32("the room of a sample", largest);
    Decoder.check(most > 0, "a sample must have room", most);
    StreamSample sample = new StreamSample(most);
    sample.seen = in.count("the rows of a sample");
    sample.mark = in.count("the rows before a mark");
    sample.rows.addAll(KeptInstances.decodePrepared(in));
    sample.displaced.addAll(KeptInstances.decodePrepared(in));
    boolean isWhole = sample.rows.size() == Math.min(sample.seen, most);
    Decoder.check(isWhole, "a sample must be whole", sample.rows.size());
    long gone = sample.seen - Math.max(Math.min(sample.seen, most), sample.mark);
    boolean isMarked = sample.mark <= sample.seen && sample.displaced.size() == gone;
    Decoder.check(isMarked, "the rows since a mark must be there", sample.displaced.size());
    return sample;
  }
}
