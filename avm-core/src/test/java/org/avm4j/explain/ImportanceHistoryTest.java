package org.avm4j.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.Savable;
import org.avm4j.data.Schema;
import org.avm4j.explain.ImportanceHistory.Moment;
import org.junit.jupiter.api.Test;

class ImportanceHistoryTest {
  /** Rows of three columns; the label is the first one up to a change, then the second. */
  private static Features row(Random random) {
    return Features.dense(random.doubles(3).toArray());
  }

  private static ImportanceHistory changing(long length, int rows) {
    ImportanceHistory history = new ImportanceHistory(length, new Schema(), 1);
    Random random = new Random(2);
    for (int t = 0; t < rows; t++) {
      int decides = 2 * t < rows ? 0 : 1;
      Features x = row(random);
      history.add(x, x.get(decides), () -> FunctionModel.regression(z -> z.get(decides)));
    }
    return history;
  }

  private static List<String> first(ImportanceHistory history) {
    return history.moments().stream()
        .map(moment -> moment.importance().columns().get(0).column())
        .toList();
  }

  @Test
  void eachPartTellsWhatMatteredInIt() {
    ImportanceHistory history = changing(3_007, 3_007);
    assertThat(history.moments().stream().map(Moment::row))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 10).mapToObj(i -> 300L * i).toList());
    assertThat(first(history))
        .containsExactly("x1", "x1", "x1", "x1", "x1", "x2", "x2", "x2", "x2", "x2");
    assertThat(history.moments())
        .allSatisfy(
            moment -> {
              assertThat(moment.importance().rows()).isEqualTo(150);
              assertThat(moment.importance().error()).isZero();
              assertThat(moment.importance().columns().get(0).matters()).isTrue();
              assertThat(moment.importance().columns().get(2).matters()).isFalse();
            });
  }

  @Test
  void partsOfAnEndlessStreamGrow() {
    ImportanceHistory history = changing(0, 50_000);
    assertThat(history.moments().stream().map(Moment::row))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 12).mapToObj(i -> 4_000L * i).toList());
    assertThat(first(history).subList(0, 6)).containsOnly("x1");
    assertThat(first(history).subList(7, 12)).containsOnly("x2");
  }

  @Test
  void aFewRowsTellNothing() {
    assertThat(changing(99, 99).moments()).isEmpty();
    assertThat(changing(0, 900).moments()).isEmpty();
  }

  private static final class Saved implements Savable {
    private final ImportanceHistory history;

    Saved(ImportanceHistory history) {
      this.history = history;
    }

    @Override
    public String kind() {
      return "history";
    }

    @Override
    public void encode(Encoder out) {
      history.encode(out);
    }
  }

  /** Saved before, within and behind the rows that are measured. */
  @Test
  void aSavedHistoryGoesOnBitForBit() {
    Random random = new Random(3);
    List<Features> rows = IntStream.range(0, 400).mapToObj(i -> row(random)).toList();
    AvmOptions options = AvmOptions.regression().kernel(Kernel.gaussian(1)).build();
    Avm learner = new Avm(options);
    ImportanceHistory whole = new ImportanceHistory(400, new Schema(), 1);
    ImportanceHistory parts = new ImportanceHistory(400, new Schema(), 1);
    for (int t = 0; t < 400; t++) {
      Features x = rows.get(t);
      learner.learn(x, x.get(0));
      whole.add(x, x.get(0), learner::snapshot);
      parts.add(x, x.get(0), learner::snapshot);
      if (t % 37 == 0) {
        parts = ModelFile.copy(new Saved(parts), in -> ImportanceHistory.decode(in, new Schema()));
      }
    }
    assertThat(parts.moments()).hasSize(4).isEqualTo(whole.moments());
  }
}
