package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.Model;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmWriter;
import org.avm4j.run.DataSource;
import org.avm4j.run.PreparedData;
import org.avm4j.run.Run;
import org.avm4j.run.RunListener;
import org.avm4j.run.RunOptions;
import org.avm4j.spec.LearnerSpec;

/**
 * Trains as {@code avm train FILE} does, in this thread.
 *
 * @param learners the number of learners whose mean answers; the command takes five
 */
record TrainedFile(int learners) implements TableLearner.Method {
  /** Learns rows from a file of them, and answers others. */
  @Override
  public double[] answers(Rows task, List<Instance> train, List<Instance> test) throws IOException {
    Path file = Files.createTempFile("table", ".libsvm");
    try {
      write(train, file);
      Model model = train(file, task.task());
      return test.stream().mapToDouble(row -> model.predict(row.features())).toArray();
    } finally {
      Files.delete(file);
    }
  }

  private Model train(Path file, String task) throws IOException {
    LearnerSpec spec = LearnerSpec.automatic().with("change", "none").with("task", task);
    PreparedData data = PreparedData.look(DataSource.of(file.toString()), spec, 1000);
    RunOptions options = RunOptions.DEFAULT.withPasses(1, true);
    Run run = Run.start(data, spec, options, RunListener.NONE).measureColumns();
    run.learn();
    run.averageBesideTrees(learners, Runnable::run);
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
