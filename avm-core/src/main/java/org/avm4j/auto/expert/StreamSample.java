package org.avm4j.auto.expert;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;

/**
 * A bounded sample of a stream. Once it is full, every new row replaces a randomly drawn one, so
 * that older rows are rarer. While a mark is set, the sample can be restored as it was at the mark.
 */
final class StreamSample {
  private static final long NO_MARK = -1;

  private final int most;
  private final List<Instance> rows = new ArrayList<>();

  /** The rows that were replaced since the mark, in this order. */
  private final List<Instance> displaced = new ArrayList<>();

  private long seen;
  private long mark = NO_MARK;

  /** An empty sample with room for up to {@code most} rows. */
  StreamSample(int most) {
    this.most = most;
  }

  void add(Instance row) {
    seen++;
    if (seen <= most) {
      rows.add(row);
    } else {
      Instance old = rows.set(place(seen), row);
      if (mark != NO_MARK) {
        displaced.add(old);
      }
    }
  }

  /** The index of the row that the row with this number replaces. */
  private int place(long number) {
    return new SplitMix(number).nextInt(most);
  }

  /** The number of rows that were added. */
  long seen() {
    return seen;
  }

  /** A view of the rows in the sample. */
  List<Instance> rows() {
    return rows;
  }

  /** Sets the mark: {@link #atMark} will return the rows as they are now. */
  void setMark() {
    mark = seen;
    displaced.clear();
  }

  /** Removes the mark. */
  void dropMark() {
    mark = NO_MARK;
    displaced.clear();
  }

  /** The number of rows added before the mark; -1 if there is no mark. */
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
   * Appends the number of rows so far and at the mark (8 each), the rows, and the replaced rows.
   */
  void encode(Encoder out) {
    out.int64(seen);
    out.int64(mark);
    InstanceCodec.encode(rows, out);
    InstanceCodec.encode(displaced, out);
  }

  /** Reads what {@link #encode} wrote. */
  static StreamSample decode(Decoder in, int most) throws ModelFileException {
    StreamSample sample = new StreamSample(most);
    sample.seen = in.count("the rows of a sample");
    sample.mark = in.int64();
    sample.rows.addAll(InstanceCodec.decodePrepared(in));
    sample.displaced.addAll(InstanceCodec.decodePrepared(in));
    boolean isWhole = sample.rows.size() == Math.min(sample.seen, most);
    Decoder.check(isWhole, "a sample must be whole", sample.rows.size());
    boolean isMarked = sample.mark >= NO_MARK && sample.mark <= sample.seen;
    Decoder.check(isMarked, "a mark must be at a row", sample.mark);
    long before = Math.max(Math.min(sample.seen, most), sample.mark);
    long gone = sample.mark == NO_MARK ? 0 : sample.seen - before;
    boolean areThere = sample.displaced.size() == gone;
    Decoder.check(areThere, "the rows since a mark must be there", sample.displaced.size());
    return sample;
  }
}
