package org.avm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.run.Estimate;
import org.junit.jupiter.api.Test;

/** Promises are held against the right rows. */
class PromisesTest {
  @Test
  void rowsAreLearnedOrTriedButNotBoth() throws IOException {
    PromiseTables.Table table = PromiseTables.tables(List.of("classes"), 1000).get(0);
    PromiseTables.Split split = table.split(1);
    assertThat(split.learned()).hasSize(625).doesNotContainAnyElementsOf(split.tried());
    assertThat(split.tried()).hasSize(375);
    assertThat(table.split(1)).isEqualTo(split);
    assertThat(table.split(2)).isNotEqualTo(split);
  }

  @Test
  void rowsInTimeAreTriedByThoseThatComeNext() {
    List<String> rows = IntStream.range(0, 3000).mapToObj(i -> "" + i).toList();
    PromiseTables.Split split =
        new PromiseTables.Table("some", "y", true, 1000, "y", rows, ".csv").split(5);
    int last = Integer.parseInt(split.learned().get(832));
    assertThat(split.tried()).hasSize(167).startsWith(String.valueOf(last + 1));
  }

  @Test
  void theRatioIsThatOfTheMeans() {
    List<Promises.Outcome> some =
        List.of(
            new Promises.Outcome(new Estimate("rmse", 2, 0.5, 100), 2.4),
            new Promises.Outcome(new Estimate("rmse", 4, 0.5, 100), 3.0));
    assertThat(Promises.ratio(some)).isEqualTo(0.9);
    assertThat(Promises.within(some)).isEqualTo(0.5);
    assertThat(Promises.line("some", some)).endsWith("0.900     50 %");
  }
}
