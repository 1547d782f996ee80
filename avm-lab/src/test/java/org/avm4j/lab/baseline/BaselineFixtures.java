package org.avm4j.lab.baseline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.FixtureWriter;
import org.avm4j.OnlineLearner;
import org.avm4j.Streams;
import org.avm4j.Task;

/** Makes the files of baselines of the present format; those that exist are never made again. */
final class BaselineFixtures {
  private BaselineFixtures() {}

  /** Writes all fixtures into the folder that is given. */
  public static void main(String[] args) throws IOException {
    FixtureWriter out = new FixtureWriter(Path.of(args[0]));
    for (Task task : List.of(Task.binary(), Task.multiclass(), Task.regression())) {
      for (Method method : Method.values()) {
        if (method.supports(task)) {
          write(out, method, task);
        }
      }
    }
    out.finish();
  }

  private static void write(FixtureWriter out, Method method, Task task) throws IOException {
    OnlineLearner learner =
        Baselines.create(
            BaselineOptions.of(method, task).gamma(2).budget(12).features(10).rank(4).build());
    Streams.of(task, 200, 3, 61).forEach(row -> learner.learn(row.features(), row.label()));
    String name = method.id() + "-" + task.word();
    out.learner(name, learner, FixtureWriter.stream(task));
    out.model(name + "-model", learner.snapshot());
  }
}
