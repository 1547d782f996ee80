package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Model;
import org.junit.jupiter.api.Assumptions;

/** The programs of docs/reader, which score rows by an exported model without this library. */
enum ReaderProgram {
  JAVASCRIPT("node", "score.js"),
  PYTHON("python3", "score.py");

  private final String interpreter;
  private final Path script;

  ReaderProgram(String interpreter, String name) {
    this.interpreter = interpreter;
    script = Path.of("..", "docs", "reader", name);
  }

  /** Exports the model, and holds the scores that the program prints against its own. */
  void assertScores(Model model, List<Features> rows, Path folder, double tolerance)
      throws Exception {
    Path json = folder.resolve("model.json");
    JsonExport.write(model, json);
    JsonNode found = new ObjectMapper().readTree(answer(json, rows, folder, true));
    assertThat(found.size()).isEqualTo(rows.size());
    for (int r = 0; r < rows.size(); r++) {
      double[] scores = model.score(rows.get(r));
      assertThat(found.get(r).size()).isEqualTo(scores.length);
      for (int c = 0; c < scores.length; c++) {
        assertThat(found.get(r).get(c).asDouble()).isCloseTo(scores[c], within(tolerance));
      }
    }
  }

  /** What the program prints; the test is skipped where there is no interpreter. */
  String answer(Path json, List<Features> rows, Path folder, boolean isSuccess) throws Exception {
    Path data = folder.resolve("rows.json");
    int width = new ObjectMapper().readTree(json.toFile()).get("features").asInt();
    List<double[]> dense =
        rows.stream().map(x -> IntStream.range(0, width).mapToDouble(x::get).toArray()).toList();
    new ObjectMapper().writeValue(data.toFile(), dense);
    return answer(json, data, folder, isSuccess);
  }

  /** What the program prints for a file of rows. */
  String answer(Path json, Path data, Path folder, boolean isSuccess) throws Exception {
    Path out = folder.resolve("out");
    Process process = start(json, data, out);
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    process.destroyForcibly();
    String text = Files.readString(out);
    assertThat(ended && (process.exitValue() == 0) == isSuccess).as(text).isTrue();
    return text;
  }

  private Process start(Path json, Path data, Path out) {
    try {
      return new ProcessBuilder(interpreter, script.toString(), json.toString(), data.toString())
          .redirectErrorStream(true)
          .redirectOutput(out.toFile())
          .start();
    } catch (IOException absent) {
      return Assumptions.abort(interpreter + " is not installed");
    }
  }
}
