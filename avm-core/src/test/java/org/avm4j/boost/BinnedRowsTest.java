package org.avm4j.boost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.avm4j.Features;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

/** Values in bins. */
class BinnedRowsTest {
  private static int bin(BinnedRows rows, BinnedRows.Column column, int row) {
    int bin = (rows.store(column.store())[row] & 0xff) - column.offset();
    return bin > 0 && bin <= column.bins().size() ? bin : 0;
  }

  /** Five categories of each of four columns, and one number. */
  private static List<Features> categories(int count) {
    SplitMix random = new SplitMix(1);
    List<Features> rows = new ArrayList<>();
    for (int r = 0; r < count; r++) {
      double[] row = new double[21];
      for (int c = 0; c < 4; c++) {
        row[5 * c + random.nextInt(5)] = 1;
      }
      row[20] = random.getAsDouble() - 0.5;
      rows.add(Features.dense(row));
    }
    return rows;
  }

  @Test
  void columnsThatExcludeEachOtherShareTheirBytes() {
    List<Features> rows = categories(500);
    BinnedRows bins = new BinnedRows(rows, 400);
    assertThat(bins.columns()).hasSize(21);
    assertThat(bins.stores()).isEqualTo(5);
    for (BinnedRows.Column column : bins.columns()) {
      for (int r = 0; r < rows.size(); r++) {
        assertThat(bin(bins, column, r))
            .isEqualTo(column.bins().bin(rows.get(r).get(column.feature())));
      }
    }
  }

  @Test
  void fewValuesHaveABinEach() {
    double[] values = {3, -1, 2, 2, -1, 7};
    Quantiles bins = Quantiles.of(values, values.length);
    assertThat(bins.size()).isEqualTo(4);
    assertThat(new int[] {bins.bin(-1), bins.bin(2), bins.bin(3), bins.bin(7), bins.bin(0)})
        .containsExactly(1, 2, 3, 4, 0);
    assertThat(bins.cut(2)).isEqualTo(0.5);
    assertThat(bins.firstAboveZero()).isEqualTo(2);
  }

  @Test
  void manyValuesFillTheirBinsAlike() {
    SplitMix random = new SplitMix(1);
    double[] values = new double[20_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.exp(5 * random.getAsDouble());
    }
    Quantiles bins = Quantiles.of(values, values.length);
    assertThat(bins.size()).isEqualTo(Quantiles.MOST_BINS);
    int[] counts = new int[bins.size() + 1];
    for (double value : values) {
      counts[bins.bin(value)]++;
    }
    for (int b = 1; b < counts.length; b++) {
      assertThat(counts[b]).isBetween(60, 100);
    }
  }

  /** Neighbours of one digit of difference are told apart. */
  @Test
  void boundsLieBetweenTheValues() {
    double[] values = new double[50];
    double value = 1;
    for (int i = 0; i < values.length; i++) {
      values[i] = value;
      value = Math.nextUp(value);
    }
    Quantiles bins = Quantiles.of(values, values.length);
    TreeSet<Integer> seen = new TreeSet<>();
    for (double one : values) {
      seen.add(bins.bin(one));
    }
    assertThat(seen).hasSize(50);
  }

  @Test
  void columnsAreBounded() {
    int[] index = new int[5000];
    double[] value = new double[5000];
    for (int i = 0; i < index.length; i++) {
      index[i] = 3 * i;
      value[i] = 1;
    }
    Features wide = Features.sparse(index, value);
    Features common = Features.sparse(new int[] {14_997}, new double[] {1});
    BinnedRows bins = new BinnedRows(List.of(wide, common), 2);
    assertThat(bins.columns()).hasSize(BinnedRows.MOST_COLUMNS);
    assertThat(bins.columns().get(BinnedRows.MOST_COLUMNS - 1).feature()).isEqualTo(14_997);
  }
}
