package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.avm4j.Model;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmWriter;
import org.avm4j.run.Average;
import org.avm4j.run.DataSource;
import org.avm4j.run.PreparedData;
import org.avm4j.run.Run;
import org.avm4j.run.RunListener;
import org.avm4j.run.RunOptions;
import org.avm4j.spec.LearnerSpec;

/** What {@code avm train FILE} without flags does, in this process. */
final class TrainedFile {
  private TrainedFile() {}

  /** Learns rows from a file of them, and answers others. */
  static double[] answers(List<Instance> train, List<Instance> test) throws IOException {
    Path file = Files.createTempFile("table", ".libsvm");
    try {
      write(train, file);
      Model model = train(file);
      return test.stream().mapToDouble(row -> model.predict(row.features())).toArray();
    } finally {
      Files.delete(file);
    }
  }

  private static Model train(Path file) throws IOException {
    LearnerSpec spec = LearnerSpec.automatic().with("change", "none");
    PreparedData data = PreparedData.look(DataSource.of(file.toString()), spec, 1000);
    RunOptions options = RunOptions.DEFAULT.withPasses(1, true);
    Run run = Run.start(data, spec, options, RunListener.NONE).measureColumns();
    run.learn();
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      run.average(Average.USUAL_LEARNERS, threads);
    } finally {
      threads.shutdown();
    }
    run.finish();
    return run.model();
  }

  private static void write(List<Instance> rows, Path file) throws IOException {
    try (LibsvmWriter out = new LibsvmWriter(Files.newOutputStream(file))) {
      for (Instance row : rows) {
        out.write(row.features(), row.label());
      }
    }
  }
}
