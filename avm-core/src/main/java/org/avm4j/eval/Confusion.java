package org.avm4j.eval;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** The confusion matrix; dropped if there are too many classes. */
final class Confusion {
  private static final int MOST_CLASSES = 64;

  private long[][] counts = {};
  private boolean isKnown;

  /** An empty matrix; {@code isKnown} is false if earlier answers were not counted. */
  Confusion(boolean isKnown) {
    this.isKnown = isKnown;
  }

  boolean isKnown() {
    return isKnown;
  }

  /** Counts an answer; both classes are given by their index in order of appearance. */
  void add(int truth, int said) {
    int place = Math.max(truth, said);
    isKnown &= place < MOST_CLASSES;
    if (isKnown) {
      grow(place);
      counts[truth][said]++;
    } else {
      counts = new long[0][];
    }
  }

  private void grow(int place) {
    if (place >= counts.length) {
      int size = Math.min(MOST_CLASSES, Math.max(place + 1, 2 * counts.length));
      long[][] grown = new long[size][size];
      for (int i = 0; i < counts.length; i++) {
        System.arraycopy(counts[i], 0, grown[i], 0, counts.length);
      }
      counts = grown;
    }
  }

  /** The names of the classes, and a row of counts for each true class. */
  Map<String, Object> all(List<String> names, Collection<Integer> places) {
    int[] order = places.stream().mapToInt(Integer::intValue).toArray();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("labels", names);
    all.put("counts", Arrays.stream(order).mapToObj(truth -> row(truth, order)).toList());
    return all;
  }

  private List<Long> row(int truth, int[] order) {
    return Arrays.stream(order).mapToObj(said -> count(truth, said)).toList();
  }

  private long count(int truth, int said) {
    return Math.max(truth, said) < counts.length ? counts[truth][said] : 0;
  }

  void encode(Encoder out) {
    out.int32(counts.length);
    for (long[] row : counts) {
      out.longs(row);
    }
  }

  static Confusion decode(Decoder in) throws ModelFileException {
    Confusion found = new Confusion(true);
    int size = in.int32("the classes of a confusion matrix", MOST_CLASSES);
    found.counts = new long[size][];
    for (int i = 0; i < size; i++) {
      found.counts[i] = in.counts("the answers of a class", size);
    }
    return found;
  }
}
