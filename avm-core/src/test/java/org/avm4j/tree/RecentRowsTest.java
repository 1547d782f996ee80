package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;
import org.junit.jupiter.api.Test;

class RecentRowsTest {
  private static final Columns NUMBERS = Columns.single();

  private static RecentRows added(int most, int n) {
    RecentRows rows = new RecentRows(most);
    for (int i = 0; i < n; i++) {
      rows.add(Features.dense(i, 2 * i + 1), i, 1 + i);
    }
    return rows;
  }

  private static List<Double> labels(RecentRows rows) {
    return IntStream.range(0, rows.size()).mapToObj(i -> rows.get(i).y()).toList();
  }

  @Test
  void theLatestAreKeptTheOldestFirst() {
    assertThat(labels(added(4, 3))).containsExactly(0.0, 1.0, 2.0);
    assertThat(labels(added(4, 4))).containsExactly(0.0, 1.0, 2.0, 3.0);
    RecentRows rows = added(4, 6);
    assertThat(labels(rows)).containsExactly(2.0, 3.0, 4.0, 5.0);
    assertThat(rows.get(3).weight()).isEqualTo(6);
    assertThat(rows.get(3).x()).isEqualTo(Features.dense(5, 11));
    assertThat(added(100, 70).size()).isEqualTo(70);
    assertThat(labels(added(100, 70)).get(69)).isEqualTo(69);
  }

  /** A place is used again for rows of another shape. */
  @Test
  void rowsMayHaveAnyShape() {
    List<Features> shapes =
        List.of(
            Features.dense(1, 2, 3),
            Features.sparse(new int[] {1, 7}, new double[] {5, 6}),
            Features.sparse(new int[] {0, 3}, new double[] {5, 6}),
            Features.dense(8),
            Features.dense(1, 0, 0),
            Features.dense());
    for (int most = 1; most <= 3; most++) {
      RecentRows rows = new RecentRows(most);
      for (Features x : shapes) {
        rows.add(x, 0, 1);
        Features kept = rows.get(rows.size() - 1).x();
        assertThat(kept).isEqualTo(x);
        assertThat(kept.dimension()).isEqualTo(x.dimension());
      }
    }
  }

  @Test
  void anotherOnesAreAddedInTheirOrder() {
    RecentRows rows = added(5, 3);
    rows.addAll(added(2, 9));
    assertThat(labels(rows)).containsExactly(0.0, 1.0, 2.0, 7.0, 8.0);
  }

  @Test
  void theMeanSquareIsThatOfTwoRows() {
    RecentRows rows = new RecentRows(4);
    assertThat(rows.meanSquare()).isZero();
    rows.add(Features.dense(50, 50), 0, 1);
    assertThat(rows.meanSquare()).isZero();
    rows.add(Features.dense(53, 54), 0, 1);
    assertThat(rows.meanSquare()).isCloseTo(25, within(1e-9));
    double[][] latest = {{1, 2, 0}, {3, 0, 4}, {0, 5, 0}, {2, 2, 2}};
    double sum = 0;
    for (double[] x : latest) {
      rows.add(Features.dense(x), 0, 1);
      for (double[] other : latest) {
        for (int i = 0; i < 3; i++) {
          sum += (x[i] - other[i]) * (x[i] - other[i]);
        }
      }
    }
    assertThat(rows.meanSquare()).isCloseTo(sum / 12, within(1e-9));
    RecentRows equal = new RecentRows(4);
    equal.add(Features.dense(0.1), 0, 1);
    equal.add(Features.dense(0.1), 0, 1);
    assertThat(equal.meanSquare()).isZero();
  }

  private static byte[] bytes(RecentRows rows) {
    Encoder out = new Encoder();
    rows.encode(out);
    return out.toBytes();
  }

  @Test
  void theyGoOnFromAFile() throws ModelFileException {
    RecentRows rows = added(4, 6);
    RecentRows read = RecentRows.decode(new Decoder(bytes(rows)), 4, Task.regression(), NUMBERS);
    assertThat(labels(read)).isEqualTo(labels(rows));
    assertThat(read.get(2)).isEqualTo(rows.get(2));
    read.add(Features.dense(1), 9, 1);
    assertThat(labels(read)).containsExactly(3.0, 4.0, 5.0, 9.0);
  }

  @Test
  void aFileWithRowsThatNobodyLearnsIsRefused() {
    byte[] numbers = bytes(added(4, 3));
    assertThatThrownBy(() -> RecentRows.decode(new Decoder(numbers), 5, Task.regression(), NUMBERS))
        .hasMessageContaining("5 rows must be kept");
    assertThatThrownBy(() -> RecentRows.decode(new Decoder(numbers), 4, Task.binary(), NUMBERS))
        .hasMessageContaining("must be -1 or +1: 0.0");
    Columns classes = Columns.perClass(List.of(0.0, 1.0));
    assertThatThrownBy(() -> RecentRows.decode(new Decoder(numbers), 4, Task.multiclass(), classes))
        .hasMessageContaining("the class of a row must be known");
    RecentRows wrong = new RecentRows(4);
    wrong.add(Features.dense(1), 1, -1);
    assertThatThrownBy(
            () -> RecentRows.decode(new Decoder(bytes(wrong)), 4, Task.regression(), NUMBERS))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("weight");
    RecentRows far = new RecentRows(4);
    far.add(Features.dense(1e30), 1, 1);
    assertThatThrownBy(
            () -> RecentRows.decode(new Decoder(bytes(far)), 4, Task.regression(), NUMBERS))
        .isInstanceOf(ModelFileException.class);
  }
}
