package org.avm4j.flink;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.data.Missing;
import org.avm4j.data.Row;
import org.avm4j.data.RowEncoder;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.LearnerSpec;

/** Rows that anyone can make again from their number, and what the library alone says of them. */
final class TestStream {
  static final LearnerSpec SMALL =
      LearnerSpec.of(
          Map.of("task", "binary", "gamma", 1, "delta", 0.01, "max-size", 12, "at-limit", "merge"));

  private TestStream() {}

  /** Row number i of a stream over so many keys. */
  static AvmRow row(long i, int keys) {
    SplitMix random = new SplitMix(i + 1);
    double[] x = new double[3];
    for (int j = 0; j < x.length; j++) {
      x[j] = 2 * random.getAsDouble() - 1;
    }
    int key = (int) (random.getAsDouble() * keys);
    double label = x[0] * x[1] + 0.1 * key * x[2] > 0 ? 1 : -1;
    return AvmRow.of("key-" + key, Features.dense(x), label).withId(Long.toString(i));
  }

  /** The features of a row by index. */
  static Features features(AvmRow row) {
    return ((Row.Indexed) row.values()).features();
  }

  /** The rows as a stream from one source, so many a second at most; 0 for all at once. */
  static DataStream<AvmRow> rows(
      StreamExecutionEnvironment env, int keys, long from, long n, double perSecond) {
    return rows(env, keys, from, n, perSecond, "rows");
  }

  /** The same with a name for its state. */
  static DataStream<AvmRow> rows(
      StreamExecutionEnvironment env, int keys, long from, long n, double perSecond, String uid) {
    DataGeneratorSource<AvmRow> source =
        new DataGeneratorSource<>(
            i -> row(from + i, keys),
            n,
            perSecond > 0 ? RateLimiterStrategy.perSecond(perSecond) : RateLimiterStrategy.noOp(),
            new ValueType<>(AvmRow.class));
    return env.fromSource(source, WatermarkStrategy.noWatermarks(), "rows")
        .setParallelism(1)
        .uid(uid);
  }

  /** The answers of the library alone, by id. */
  static Map<String, AvmAnswer> expected(Iterable<AvmRow> rows, LearnerRecipe recipe) {
    return new Reference(recipe).takeAll(rows);
  }

  static List<AvmRow> list(int keys, long n) {
    List<AvmRow> rows = new ArrayList<>();
    for (long i = 0; i < n; i++) {
      rows.add(row(i, keys));
    }
    return rows;
  }

  /** One process with a learner for each key, without Flink. */
  static final class Reference {
    private final LearnerRecipe recipe;
    private final Map<String, Pipeline> learners = new LinkedHashMap<>();
    private final Map<String, Long> counts = new LinkedHashMap<>();

    Reference(LearnerRecipe recipe) {
      this.recipe = recipe;
    }

    Map<String, AvmAnswer> takeAll(Iterable<AvmRow> rows) {
      Map<String, AvmAnswer> answers = new LinkedHashMap<>();
      rows.forEach(row -> answers.put(row.id(), take(row)));
      return answers;
    }

    AvmAnswer take(AvmRow row) {
      Pipeline learner = learners.computeIfAbsent(row.key(), key -> recipe.create());
      long n = counts.computeIfAbsent(row.key(), key -> learner.status().instances());
      Features x = features(row);
      double y = new RowEncoder(learner.preparation().schema(), Missing.MEAN).label(row.label());
      AvmAnswer answer =
          new AvmAnswer(
              row.key(), row.id(), null, new double[0], new double[0], row.label(), "" + n);
      if (n > 0) {
        Prediction said = learner.answer(x);
        answer =
            new AvmAnswer(
                    row.key(),
                    row.id(),
                    said.label(),
                    said.scores(),
                    said.probabilities(),
                    row.label(),
                    "" + n)
                .with(null, null, said.isFar());
      }
      learner.learn(x, y, row.weight());
      counts.put(row.key(), n + 1);
      return answer;
    }

    Map<String, Pipeline> learners() {
      return learners;
    }
  }
}
