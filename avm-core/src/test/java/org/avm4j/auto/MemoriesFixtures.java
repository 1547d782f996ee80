package org.avm4j.auto;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.FixtureWriter;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Model;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;

/**
 * Several memories of each task, after a change of the rule, where labels stick together. {@link
 * #main} made the files of {@code fixtures/v2-memories}, and later those of {@code
 * fixtures/v2-forest}, in folders that must be new.
 *
 * <p>All rows are among a dozen, so that the machines have few core points and the files are small.
 */
final class MemoriesFixtures {
  private static final int ROWS = 3000;
  private static final int CHANGE = 2500;

  private MemoriesFixtures() {}

  /** Writes all fixtures into the folder that is given. */
  public static void main(String[] args) throws IOException {
    FixtureWriter out = new FixtureWriter(Path.of(args[0]));
    for (Task task : List.of(new Task.Binary(), Task.multiclass(), new Task.Regression())) {
      Memories memories = learned(task);
      check(memories.status().change().orElseThrow());
      Model model = memories.snapshot();
      out.model("memories-model-" + task.word(), model);
      out.model("memories-model-detached-" + task.word(), model.detached());
      out.learner("memories-" + task.word(), memories, FixtureWriter.stream(task));
    }
    Preparation plain = new Preparation(new Schema(), Scaler.none(), new Labels.Plain());
    Pipeline pipeline = new Pipeline(plain, learned(new Task.Binary()));
    out.learner("pipeline-memories", pipeline, Memories.KIND, "more-binary.csv");
    out.finish();
  }

  private static void check(Status.Change change) {
    if (!change.usesLatestLabel() || change.frozen() == 0) {
      throw new IllegalStateException("the label must be used, and a model be kept: " + change);
    }
  }

  /** A machine as it might have won the race. */
  static AvmOptions machine(Task task) {
    return AvmOptions.binary()
        .task(task)
        .loss(task.defaultLoss())
        .kernel(new Kernel.Gaussian(1))
        .update(new Update.Newton())
        .coverage(new Coverage.Sphere(AutoOptions.NO_DIAMETER))
        .maxSize(64, Limit.MERGE)
        .build();
  }

  private static Memories learned(Task task) {
    Memories memories = new Memories(new Committee.Setup(machine(task), 3, 3, 1));
    rows(task).forEach(row -> memories.learn(row.features(), row.label()));
    return memories;
  }

  private static List<Instance> rows(Task task) {
    SplitMix random = new SplitMix(17);
    List<Instance> rows = new ArrayList<>();
    int last = 0;
    for (int t = 0; t < ROWS; t++) {
      int place = random.nextInt(12);
      boolean isBefore = t < CHANGE;
      int rule = (isBefore ? place : place / 4 + 1) % 3;
      last = random.nextInt(10) < (isBefore ? 1 : 7) ? last : rule;
      Features x = Features.dense(place % 3 - 1, place / 3 % 2, place / 6.0 - 1);
      rows.add(new Instance(x, label(task, last)));
    }
    return rows;
  }

  private static double label(Task task, int last) {
    return switch (task.kind()) {
      case BINARY -> last > 0 ? 1 : -1;
      case REGRESSION -> last - 1;
      case MULTICLASS, ANOMALY, CLUSTER -> last;
    };
  }
}
