package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The detector of anomalies under the contract of all learners; labels mean nothing to it. */
class AnomalyContractTest {
  abstract static class Form extends LearnerContract {
    private final AnomalyOptions options;

    Form(AnomalyOptions options) {
      this.options = options;
    }

    @Override
    protected OnlineLearner make() {
      return new AnomalyDetector(options);
    }

    @Override
    protected OnlineLearner load(Path file) throws IOException {
      return AnomalyDetector.load(file);
    }

    @Override
    protected Task task() {
      return Task.binary();
    }

    @Override
    protected int bound() {
      return options.maxSize();
    }

    /** To learn is to tell what lies outside the cube of the stream. */
    @Test
    @Override
    void itLearns() {
      OnlineLearner learner = make();
      List<Instance> stream = Streams.binary(4000, 3, 6);
      stream.forEach(row -> learner.learn(row.features(), row.label()));
      long called = stream.stream().filter(row -> learner.predict(row.features()) > 0).count();
      assertThat(called).isLessThanOrEqualTo((long) (2 * options.rate() * stream.size()));
      assertThat(learner.predict(Features.dense(3, 3, -3))).isEqualTo(1);
      assertThat(learner.predict(Features.dense(0, 0, 0, 5))).isEqualTo(1);
    }

    @Test
    @Override
    void refusedInputChangesNothing() {
      OnlineLearner learner = make();
      List<Instance> stream = Streams.binary(200, 3, 6);
      stream.forEach(row -> learner.learn(row.features(), Double.NaN));
      double before = learner.score(Features.dense(1, 2, 3))[0];
      assertThatThrownBy(() -> learner.learn(Features.dense(1, 1e300), 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1.0E300");
      assertThat(learner.score(Features.dense(1, 2, 3))[0]).isEqualTo(before);
    }
  }

  @Nested
  class Default extends Form {
    Default() {
      super(AnomalyOptions.DEFAULT);
    }
  }

  @Nested
  class Small extends Form {
    Small() {
      super(new AnomalyOptions(0.2, 0.05, 20, 0.5));
    }
  }
}
