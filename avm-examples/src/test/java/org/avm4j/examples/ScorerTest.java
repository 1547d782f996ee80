package org.avm4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScorerTest {
  private static final Features PROBE = Features.dense(0.3, -0.2);

  @TempDir Path folder;

  private static Avm learned(int instances) {
    Avm avm = new Avm(AvmOptions.binary().build());
    for (int t = 0; t < instances; t++) {
      avm.learn(Features.dense(Math.sin(t), Math.cos(3 * t)), t % 2 == 0 ? 1 : -1);
    }
    return avm;
  }

  @Test
  void everyAnswerIsThatOfOneOfTheModelsThatWerePublished() throws Exception {
    List<Model> published = new ArrayList<>();
    for (int n = 10; n <= 200; n += 10) {
      published.add(learned(n).snapshot());
    }
    Scorer scorer = new Scorer(published.get(0));
    Set<Prediction> seen = ConcurrentHashMap.newKeySet();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    Callable<Void> client =
        () -> {
          for (int i = 0; i < 20_000; i++) {
            seen.add(scorer.answer(PROBE));
          }
          return null;
        };
    List<Future<Void>> clients = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      clients.add(threads.submit(client));
    }
    published.forEach(scorer::swap);
    for (Future<Void> done : clients) {
      done.get();
    }
    threads.shutdown();
    assertThat(published.stream().map(model -> model.answer(PROBE)).toList()).containsAll(seen);
    assertThat(scorer.answer(PROBE)).isEqualTo(published.get(19).answer(PROBE));
  }

  @Test
  void theFileOfALearnerCanBeServed() throws IOException {
    Path file = folder.resolve("learner.avm");
    Avm learner = learned(100);
    learner.save(file);
    Scorer scorer = new Scorer(learned(1).snapshot());
    scorer.reload(file);
    assertThat(scorer.answer(PROBE)).isEqualTo(learner.snapshot().answer(PROBE));
  }

  /** The library as a module: compiled against it, and run on the module path alone. */
  @Test
  void anotherModuleRunsOnTheModulePath() throws Exception {
    String classes = Path.of("target", "classes").toAbsolutePath().toString();
    String core =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.contains("avm-core") && !entry.endsWith("tests.jar"))
            .filter(entry -> !entry.endsWith("test-classes"))
            .findFirst()
            .orElseThrow();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-p",
                classes + File.pathSeparator + core,
                "-m",
                "org.avm4j.examples/org.avm4j.examples.HotSwap")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    int right = Integer.parseInt(output.substring(0, output.indexOf(' ')));
    assertThat(right).as(output).isGreaterThan(900);
  }
}
