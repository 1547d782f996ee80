package org.avm4j.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Note;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Columns that together, or from another row, give the label away. */
class LeakageCheckTest {
  private static final List<String> NAMES = List.of("a", "b", "c", "y");

  /** The notes on rows of random numbers, which a function changes. */
  private static List<String> notes(int rows, Function<double[][], double[][]> change) {
    Random random = new Random(5);
    double[][] table = new double[rows][];
    for (int r = 0; r < rows; r++) {
      table[r] = random.ints(4, 0, 100_000).mapToDouble(i -> i / 100.0).toArray();
    }
    Header header = Header.named(NAMES, ReadOptions.DEFAULT, new Schema());
    LeakageCheck check = new LeakageCheck();
    for (double[] row : change.apply(table)) {
      String[] fields = new String[4];
      for (int i = 0; i < 4; i++) {
        fields[i] = Double.isNaN(row[i]) ? null : Double.toString(row[i]);
      }
      check.add(header, fields);
    }
    Map<String, ColumnKind> kinds = new LinkedHashMap<>();
    NAMES.subList(0, 3).forEach(name -> kinds.put(name, ColumnKind.NUMBER));
    return check.notes(kinds, ColumnKind.NUMBER).stream().map(Note::toString).toList();
  }

  private static double cents(double amount) {
    return Math.rint(100 * amount) / 100;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 2, plus",
    "0, 2, minus",
    "2, 1, minus",
    "0, 1, times",
    "1, 2, divided by",
    "2, 1, divided by"
  })
  void aLabelThatIsComputedFromTwoColumnsIsTold(int a, int b, String word) {
    List<String> notes =
        notes(
            3000,
            table -> {
              for (double[] row : table) {
                row[b] = cents(row[b] + 1); // a quotient by nearly 0 says little
                row[3] = result(row[a] + 0.004, word, row[b]); // which is rounded in the table
              }
              table[7][b] = Double.NaN;
              return table;
            });
    assertThat(notes)
        .containsExactly(
            "warning: the label is column '%s' %s column '%s': are both known when you predict?"
                    .formatted(NAMES.get(a), word, NAMES.get(b))
                + " --ignore leaves them out");
  }

  private static double result(double a, String word, double b) {
    return switch (word) {
      case "plus" -> cents(a + b);
      case "minus" -> cents(a - b);
      case "times" -> cents(a * b);
      default -> Math.rint(1e6 * a / b) / 1e6;
    };
  }

  @Test
  void aSumThatHoldsNotEverywhereIsNone() {
    assertThat(
            notes(
                500,
                table -> {
                  for (int r = 0; r < 500; r++) {
                    table[r][3] = cents(table[r][0] + table[r][1] + (r == 400 ? 0.02 : 0));
                  }
                  return table;
                }))
        .isEmpty();
  }

  @Test
  void theLabelOfTheNextRowIsTold() {
    assertThat(notes(500, table -> shifted(table, 1)))
        .containsExactly(
            "warning: column 'b' is the label of the next row: is it known when you predict?"
                + " --ignore leaves it out");
    assertThat(notes(500, table -> shifted(table, -1)))
        .containsExactly(
            "column 'b' is the label of the previous row, which must be known when you predict");
    assertThat(notes(40, table -> shifted(table, 1))).isEmpty();
  }

  private static double[][] shifted(double[][] table, int by) {
    for (int r = 0; r < table.length; r++) {
      boolean isInside = r + by >= 0 && r + by < table.length;
      table[r][1] = isInside ? table[r + by][3] : Double.NaN;
    }
    return table;
  }

  /** In blocks of equal labels, a copy of the label is mostly that of the next row, too. */
  @Test
  void aColumnLikeTheLabelIsNotThatOfTheNextRow() {
    for (int sign : new int[] {1, -1}) {
      assertThat(
              notes(
                  20_000,
                  table -> {
                    for (int r = 0; r < table.length; r++) {
                      table[r][3] = r / 300 % 2 == 0 ? 1 : -1;
                      table[r][0] = sign * table[r][3];
                    }
                    return table;
                  }))
          .containsExactly(
              "warning: column 'a' alone nearly decides the label: is it known when you predict?"
                  + " --ignore leaves it out");
    }
  }
}
