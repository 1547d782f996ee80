package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.avm4j.data.Row;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.RandomRows;
import org.avm4j.pipeline.RowLearner;
import org.avm4j.pipeline.RowLimits;
import org.avm4j.serve.AvmClient;
import org.avm4j.serve.AvmServer;
import org.avm4j.serve.AvmServiceException;
import org.avm4j.serve.ServeOptions;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.table.RefusedRowException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same rows, good and bad, give the same learner through the library, the command line and the
 * service. A test of avm-flink says the same of its operator.
 */
class EntryPointsTest {
  private static final int ROWS = 500;

  @TempDir Path folder;

  private static Map<String, String> words(RandomRows.Kind kind) {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("task", kind == RandomRows.Kind.REGRESSION ? "regression" : "multiclass");
    words.put("gamma", "1");
    words.put("delta", "0.5");
    words.put("lambda", "0.01");
    words.put("scale", "none");
    words.put("max-size", "40");
    return words;
  }

  /** Rows that JSON can express in each of the three forms. */
  private static List<Row> rows(RandomRows.Kind kind) {
    RandomRows random = new RandomRows(11, kind);
    List<Row> rows = new ArrayList<>();
    while (rows.size() < ROWS) {
      Row row = random.next();
      boolean isWeightBad = !(row.weight() > 0);
      boolean isLabelInfinite = row.label() instanceof Double y && y.isInfinite();
      boolean isOther = ((Row.Named) row.values()).columns().containsKey("other");
      if (!isWeightBad && !isLabelInfinite && !isOther) {
        rows.add(new Row(new Row.Named(plain(row)), row.label(), 1));
      }
    }
    return rows;
  }

  /** JSON has no infinite numbers, only their texts; in files of JSON a missing value is null. */
  private static Map<String, Object> plain(Row row) {
    Map<String, Object> values = new LinkedHashMap<>(((Row.Named) row.values()).columns());
    values.putIfAbsent("x", null);
    values.replaceAll(
        (name, value) -> value instanceof Double x && !Double.isFinite(x) ? x.toString() : value);
    return values;
  }

  private static Pipeline library(List<Row> rows, RandomRows.Kind kind, List<Integer> learned) {
    LearnerSpec spec = LearnerSpec.of(words(kind));
    RowLearner learner = new RowLearner(new DefaultRules(spec).pipeline(), RowLimits.SHARED);
    for (int i = 0; i < rows.size(); i++) {
      try {
        learner.learn(rows.get(i));
        learned.add(i);
      } catch (RefusedRowException refused) {
        // is not learned
      }
    }
    return learner.pipeline();
  }

  private Pipeline commandLine(List<Row> rows, RandomRows.Kind kind) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Row row : rows) {
      Map<String, Object> line = new LinkedHashMap<>();
      if (row.label() != null) {
        line.put("label", row.label());
      }
      line.put("features", ((Row.Named) row.values()).columns());
      lines.append(json(line)).append('\n');
    }
    Path model = folder.resolve("model.avm");
    List<String> args = new ArrayList<>(List.of("online", "-", "--format", "json", "-q"));
    words(kind).forEach((name, value) -> args.add("--" + name + "=" + value));
    args.addAll(List.of("--skip-bad-lines", "--warm-up=100", "-m", model.toString()));
    byte[] text = lines.toString().getBytes(StandardCharsets.UTF_8);
    Shell.Result result = Shell.run(new ByteArrayInputStream(text), args.toArray(String[]::new));
    assertThat(result.code()).as(result.err()).isZero();
    return Pipeline.load(model);
  }

  /** Half of a surrogate pair can only be sent in its escaped form. */
  private static String json(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> json(entry.getKey()) + ":" + json(entry.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    return value instanceof String text
        ? '"' + text.replace("\ud800", "\\ud800") + '"'
        : value instanceof List ? "[]" : String.valueOf(value);
  }

  private Pipeline service(List<Row> rows, RandomRows.Kind kind, List<Integer> learned)
      throws IOException {
    Path model = folder.resolve("served.avm");
    try (AvmServer server =
        AvmServer.start(ServeOptions.of(folder.resolve("store")).withPort(0), line -> {})) {
      AvmClient client = new AvmClient(server.uri());
      client.create("m", words(kind));
      for (int i = 0; i < rows.size(); i++) {
        Map<String, Object> sent = new LinkedHashMap<>();
        ((Row.Named) rows.get(i).values()).columns().forEach(sent::put);
        sent.put("label", rows.get(i).label());
        try {
          Map<String, Object> reply = client.learn("m", List.of(sent), null);
          if (((Number) reply.get("rows")).intValue() == 1) {
            learned.add(i);
          }
        } catch (AvmServiceException refused) {
          assertThat(refused.getMessage()).isNotBlank();
        }
      }
      client.save("m", model);
    }
    return Pipeline.load(model);
  }

  @ParameterizedTest
  @EnumSource(names = {"MULTICLASS", "REGRESSION"})
  void theSameRowsGiveTheSameLearner(RandomRows.Kind kind) throws IOException {
    List<Row> rows = rows(kind);
    List<Integer> learned = new ArrayList<>();
    List<Integer> served = new ArrayList<>();
    Pipeline library = library(rows, kind, learned);
    Pipeline service = service(rows, kind, served);
    Pipeline commandLine = commandLine(rows, kind);
    assertThat(served).isEqualTo(learned).hasSizeBetween(ROWS / 2, ROWS - ROWS / 6);
    assertThat(service.learner().toBytes()).isEqualTo(library.learner().toBytes());
    assertThat(commandLine.status().instances()).isEqualTo(learned.size());
    assertThat(commandLine.learner().toBytes()).isEqualTo(library.learner().toBytes());
    assertThat(commandLine.preparation().schema().labels())
        .isEqualTo(library.preparation().schema().labels());
  }
}
