package org.avm4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.auto.AutoAvm;
import org.avm4j.data.Row;
import org.avm4j.table.RefusedRowException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FamiliarRowsTest {
  private static final Object[] NUMBERS = {1, -2.5, 1e15, 1.1e15, 1e300, Double.NaN, true, null};
  private static final Object[] TEXTS = {"red", "blue", "new", "7", 7, "\ud800", "", null};
  private static final String[] FIELDS = {"1", " 2.5 ", "1e300", "NA", "red", "new", "", null};

  private final Random random = new Random(7);

  private <T> T any(T[] values) {
    return values[random.nextInt(values.length)];
  }

  private Row row(Object[] labels) {
    Map<String, Object> named = new LinkedHashMap<>();
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : List.of("x", "c", "other")) {
      if (random.nextInt(name.equals("other") ? 20 : 2) == 0) {
        named.put(name, any(name.equals("c") ? TEXTS : NUMBERS));
        texts.put(name, any(FIELDS));
      }
    }
    double weight = random.nextInt(20) == 0 ? any(new Double[] {0.0, 2.0, Double.NaN}) : 1;
    Row row =
        random.nextBoolean() ? Row.named(named, null) : new Row(new Row.Texts(texts), null, 1);
    return row.with(any(labels), weight);
  }

  private static String outcome(RowCheck check, List<Row> rows, boolean byTrial) {
    try {
      return "" + (byTrial ? check.checkByTrial(rows) : check.check(rows));
    } catch (RefusedRowException refused) {
      return refused.row() + refused.getMessage();
    }
  }

  private void agree(Pipeline pipeline, Object first, Object second, Object[] labels) {
    pipeline.learn(new LinkedHashMap<>(Map.of("x", 1)), first, 1);
    pipeline.learn(new LinkedHashMap<>(Map.of("x", 2, "c", "red")), second, 1);
    pipeline.learn(new LinkedHashMap<>(Map.of("x", 2, "c", "blue")), second, 1);
    for (RowLimits limits : List.of(RowLimits.SHARED, RowLimits.SHARED.declared())) {
      RowCheck check = RowCheck.of(pipeline, limits);
      int sure = 0;
      for (int i = 0; i < 3000; i++) {
        List<Row> rows = List.of(row(labels));
        String byTrial = outcome(check, rows, true);
        assertThat(outcome(check, rows, false)).as(rows.toString()).isEqualTo(byTrial);
        sure += byTrial.equals("true") ? 1 : 0;
      }
      assertThat(sure).isBetween(100, 2000);
    }
  }

  @Test
  @Tag("slow")
  void whatIsRecognizedIsWhatTheRulesTakeForGood() {
    Object[] numbers = {1, 2, 3, 2.5, "1", "a", 1e300, true, null};
    Object[] names = {"a", "b", "d", 1, "\ud800", null};
    agree(
        new Pipeline(Preparation.none(), new Avm(AvmOptions.multiclass().build())), 1, 2, numbers);
    agree(
        new Pipeline(Preparation.none(), new Avm(AvmOptions.multiclass().build())),
        "a",
        "b",
        names);
    agree(
        new Pipeline(Preparation.none(), new Avm(AvmOptions.regression().build())), 1, 2, numbers);
    agree(new Pipeline(Preparation.none(), new AutoAvm()), "a", "b", names);
    agree(new Pipeline(Preparation.none(), new AutoAvm()), 1, 2, numbers);
  }
}
