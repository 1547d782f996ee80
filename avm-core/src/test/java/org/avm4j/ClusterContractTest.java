package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.cluster.ClusterOptions;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The learner of clusters under the contract of all learners; labels mean nothing to it. */
class ClusterContractTest {
  abstract static class Form extends LearnerContract {
    private final ClusterOptions options;

    Form(ClusterOptions options) {
      this.options = options;
    }

    @Override
    protected OnlineLearner make() {
      return new ClusterLearner(options);
    }

    @Override
    protected OnlineLearner load(Path file) throws IOException {
      return ClusterLearner.load(file);
    }

    @Override
    protected Task task() {
      return Task.binary();
    }

    @Override
    protected int bound() {
      return options.maxSize();
    }

    /** Before there are clusters all is noise. */
    @Test
    @Override
    void itScoresAndPredictsBeforeItHasLearned() {
      assertThat(make().score(Features.dense(1, 2))).containsExactly(Cluster.NOISE);
      assertThat(make().predict(Features.dense(1, 2))).isEqualTo(Cluster.NOISE);
    }

    /** To learn is to tell what lies outside the cube of the stream. */
    @Test
    @Override
    void itLearns() {
      OnlineLearner learner = make();
      List<Instance> stream = Streams.binary(4000, 3, 6);
      stream.forEach(row -> learner.learn(row.features(), row.label()));
      long inside = stream.stream().filter(row -> learner.predict(row.features()) > 0).count();
      assertThat(inside).isGreaterThan(3 * stream.size() / 4);
      assertThat(learner.predict(Features.dense(9, 9, -9))).isEqualTo(Cluster.NOISE);
    }

    @Test
    @Override
    void refusedInputChangesNothing() {
      OnlineLearner learner = make();
      List<Instance> stream = Streams.binary(200, 3, 6);
      stream.forEach(row -> learner.learn(row.features(), Double.NaN));
      byte[] before = learner.toBytes();
      assertThatThrownBy(() -> learner.learn(Features.dense(1, 1e300), 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1.0E300");
      assertThat(learner.toBytes()).isEqualTo(before);
    }
  }

  @Nested
  class Default extends Form {
    Default() {
      super(ClusterOptions.DEFAULT);
    }
  }

  @Nested
  class Forgetting extends Form {
    Forgetting() {
      super(new ClusterOptions(60, 100));
    }
  }
}
