package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.Labels;
import org.junit.jupiter.api.Test;

/** A search is the same in slices, at once, and after it was saved. */
class SearchTest {
  private static final AutoOptions OPTIONS = AutoOptions.of(Task.binary());

  private static final Race BEFORE = Race.empty(Task.binary(), 0);

  private static List<Instance> rows(int n, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> rows = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      Features x = Features.dense(random.getAsDouble(), random.getAsDouble(), random.getAsDouble());
      rows.add(new Instance(x, Math.sin(9 * x.get(0)) > x.get(1) ? 1 : -1));
    }
    return rows;
  }

  private static SearchStart start(boolean isLast, List<Instance> rows) {
    return new SearchStart(
        Task.binary(), Labels.Pair.SIGNS, rows.size(), isLast, Optional.empty(), Optional.empty());
  }

  private static byte[] bytes(Search search) {
    Encoder out = new Encoder();
    search.race().encode(out);
    search.beside(null, 0).encode(out);
    return out.toBytes();
  }

  /** Goes on until it is over, with a row more before each slice but the first. */
  private static int goOn(Search search, List<Instance> kept, List<Instance> later) {
    int slices = 1;
    while (!search.goOn(kept.size())) {
      kept.add(later.get(slices - 1));
      slices++;
    }
    return slices;
  }

  @Test
  void slicesFindTheSameAsAllAtOnce() {
    for (boolean isLast : new boolean[] {false, true}) {
      List<Instance> first = rows(600, 1);
      List<Instance> kept = new ArrayList<>(first);
      Search sliced = new Search(start(isLast, first), OPTIONS, BEFORE, kept);
      int slices = goOn(sliced, kept, rows(5000, 2));
      assertThat(slices).as("last: %s", isLast).isGreaterThan(3);
      Search whole = new Search(start(isLast, first), OPTIONS, BEFORE, kept).finish();
      assertThat(bytes(sliced)).as("last: %s", isLast).isEqualTo(bytes(whole));
    }
  }

  @Test
  void aSavedSearchGoesOnBitForBit() throws ModelFileException {
    List<Instance> first = rows(600, 3);
    List<Instance> later = rows(5000, 4);
    List<Instance> kept = new ArrayList<>(first);
    SearchStart start = start(true, first);
    Search whole = new Search(start, OPTIONS, BEFORE, kept);
    Search resumed = new Search(start, OPTIONS, BEFORE, kept);
    boolean isOver = false;
    for (int t = 0; !isOver; t++) {
      Encoder out = new Encoder();
      resumed.encode(out);
      if (t % 50 == 20) {
        resumed = Search.decode(new Decoder(out.toBytes()), OPTIONS, BEFORE, kept);
      }
      isOver = whole.goOn(kept.size());
      assertThat(resumed.goOn(kept.size())).isEqualTo(isOver);
      if (!isOver) {
        kept.add(later.get(t));
      }
    }
    assertThat(bytes(resumed)).isEqualTo(bytes(whole));
  }

  @Test
  void aSearchOfRowsThatAreNotKeptIsRefused() {
    List<Instance> first = rows(600, 5);
    Encoder out = new Encoder();
    new Search(start(true, first), OPTIONS, BEFORE, first).encode(out);
    List<Instance> fewer = first.subList(0, 599);
    assertThatThrownBy(() -> Search.decode(new Decoder(out.toBytes()), OPTIONS, BEFORE, fewer))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("the rows of a search must be kept");
  }
}
