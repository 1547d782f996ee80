package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
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
      DataSource data = DataSource.of(file.toString());
      Run run = run(data, Map.of("task", task.task()), learners, Runnable::run);
      run.finish();
      Model model = run.model();
      return test.stream().mapToDouble(row -> model.predict(row.features())).toArray();
    } finally {
      Files.delete(file);
    }
  }

  /** A run that has learned its data as {@code avm train} does, with some options. */
  static Run run(DataSource data, Map<String, ?> options, int learners, Executor executor)
      throws IOException {
    LearnerSpec spec = LearnerSpec.automatic().with("change", "none").with(options);
    PreparedData prepared = PreparedData.look(data, spec, 1000);
    RunOptions onePass = RunOptions.DEFAULT.withPasses(1, true);
    Run run = Run.start(prepared, spec, onePass, RunListener.NONE).measureColumns();
    run.learn();
    run.averageBesideTrees(learners, executor);
    return run;
  }

  private static void write(List<Instance> rows, Path file) throws IOException {
    try (LibsvmWriter out = new LibsvmWriter(Files.newOutputStream(file))) {
      for (Instance row : rows) {
        out.write(row.features(), row.label());
      }
    }
  }
}
