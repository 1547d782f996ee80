package org.avm4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.data.Row;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.table.RefusedRowException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random rows, a third of them bad in one of many ways: a row is learned, or it is refused and the
 * bytes of the learner are what they were. The test kit of the other modules feeds the same rows.
 */
@Tag("slow")
class RowPropertyTest {
  /** After this many refusals the bytes of a large learner are compared now and then. */
  private static final int ALWAYS = 400;

  @ParameterizedTest
  @CsvSource({
    "40000, '{learner=avm, update=sgd, task=multiclass, gamma=1, delta=0.5, lambda=0.01, max-size=12}'",
    "25000, '{learner=avm, task=regression, gamma=1, delta=0.5, max-size=12}'",
    "20000, '{learner=avm, task=binary, gamma=1, delta=0.5, max-size=12}'",
    "12000, '{task=anomaly, max-size=20}'",
    "2000, '{learner=tree, task=multiclass, gamma=1}'",
    "1100, '{}'",
    "600, '{task=binary}'",
    "600, '{task=regression}'",
  })
  void aRowIsLearnedOrNothingHasChanged(int rows, String words) {
    LearnerSpec spec = LearnerSpec.of(words(words));
    RowLearner learner = new RowLearner(new DefaultRules(spec).pipeline(), RowLimits.SHARED);
    RandomRows random = new RandomRows(rows, kind(words));
    int learned = 0;
    List<String> reasons = new ArrayList<>();
    byte[] bytes = learner.pipeline().toBytes();
    boolean isCurrent = true;
    for (int i = 0; i < rows; i++) {
      Row row = random.next();
      if (!isCurrent && isCompared(reasons.size())) {
        bytes = learner.pipeline().toBytes();
        isCurrent = true;
      }
      try {
        learner.learn(row);
        learned++;
        isCurrent = false;
        assertThat(random.isGood()).as("learned: %s", row).isTrue();
      } catch (RefusedRowException refused) {
        reasons.add(refused.getMessage());
        assertThat(random.isGood()).as("%s: %s", refused.getMessage(), row).isFalse();
        if (isCurrent) {
          assertThat(learner.pipeline().toBytes()).as(refused.getMessage()).isEqualTo(bytes);
        }
      }
    }
    assertThat(learner.pipeline().status().instances()).isEqualTo(learned);
    assertThat(reasons).hasSizeBetween(rows / 4, rows / 2);
    assertThat(reasons).allSatisfy(reason -> assertThat(reason).hasSizeLessThan(200));
  }

  private static boolean isCompared(int refusals) {
    return refusals < ALWAYS || refusals % 41 == 0;
  }

  private static RandomRows.Kind kind(String words) {
    if (words.contains("anomaly")) {
      return RandomRows.Kind.ANOMALY;
    }
    if (words.contains("regression")) {
      return RandomRows.Kind.REGRESSION;
    }
    return words.contains("binary") ? RandomRows.Kind.BINARY : RandomRows.Kind.MULTICLASS;
  }

  private static Map<String, String> words(String text) {
    Map<String, String> words = new LinkedHashMap<>();
    for (String word : text.substring(1, text.length() - 1).split(",\\s*")) {
      if (!word.isEmpty()) {
        words.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
      }
    }
    return words;
  }
}
