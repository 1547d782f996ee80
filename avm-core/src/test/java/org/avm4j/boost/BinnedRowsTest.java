package org.avm4j.boost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    BinnedRows bins = new BinnedRows(rows, 400, new ColumnChoice(new double[500], 0));
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

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 3})
  void ofTooManyColumnsThoseAreUsedThatTellMost(int classes) {
    Random random = new Random(1);
    List<Features> rows = new ArrayList<>();
    double[] targets = new double[200];
    for (int r = 0; r < targets.length; r++) {
      double[] row = random.doubles(5000, -1, 1).toArray();
      row[4998] = r % 5 == 0 ? row[4998] : 0;
      targets[r] = classes == 0 ? Math.exp(row[4999]) : row[4999] < 0 ? 0 : classes - 1;
      targets[r] = row[4998] > 0 ? 1 : targets[r];
      rows.add(Features.dense(row));
    }
    ColumnChoice choice = new ColumnChoice(targets, classes);
    BinnedRows bins = new BinnedRows(rows, 200, choice);
    assertThat(bins.columns()).hasSize(BinnedRows.MOST_COLUMNS);
    int[] all = IntStream.range(0, 5000).toArray();
    assertThat(choice.best(rows, all, 1)).containsExactly(4999);
    assertThat(choice.best(rows, all, 5000)).isEqualTo(all);
  }

  @Test
  void theGainOfAColumnIsThatOfItsBestCut() {
    double[] column = {-2, 0, 0, 1, 3, 3, -1, 0};
    double[] targets = {1, 1, 1, 0, 0, 1, 1, 0};
    List<Features> rows = Arrays.stream(column).mapToObj(x -> Features.dense(x, x * x, 1)).toList();
    assertThat(new ColumnChoice(targets, 2).best(rows, new int[] {0, 1, 2}, 2))
        .containsExactly(0, 1);
    assertThat(new ColumnChoice(targets, 0).best(rows, new int[] {0, 1, 2}, 1)).containsExactly(0);
  }
}
