package org.avm4j.auto;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.avm4j.LearnerContract;
import org.avm4j.OnlineLearner;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of every learner, kept by automatic mode as users get it, after it has settled: past
 * instance 2,048, and past 16,384.
 */
@Tag("slow")
class AutoAvmLateContractTest {
  private static final Map<String, byte[]> LEARNED = new ConcurrentHashMap<>();

  abstract static class Form extends LearnerContract {
    private final Task task;
    private final int instances;

    Form(Task task, int instances) {
      this.task = task;
      this.instances = instances;
    }

    @Override
    protected OnlineLearner make() {
      byte[] bytes = LEARNED.computeIfAbsent(task + " " + instances, none -> learned());
      try {
        return OnlineLearner.fromBytes(bytes);
      } catch (IOException damaged) {
        throw new UncheckedIOException(damaged);
      }
    }

    private byte[] learned() {
      AutoAvm learner = new AutoAvm();
      Streams.of(task, instances, 3, 2)
          .forEach(instance -> learner.learn(instance.features(), instance.label()));
      return learner.toBytes();
    }

    @Override
    protected OnlineLearner load(Path file) throws IOException {
      return AutoAvm.load(file);
    }

    @Override
    protected Task task() {
      return task;
    }

    @Override
    protected boolean isFresh() {
      return false;
    }
  }

  @Nested
  class Binary extends Form {
    Binary() {
      super(Task.binary(), 2500);
    }
  }

  @Nested
  class Multiclass extends Form {
    Multiclass() {
      super(Task.multiclass(), 2500);
    }
  }

  @Nested
  class Regression extends Form {
    Regression() {
      super(Task.regression(), 16_400);
    }
  }
}
