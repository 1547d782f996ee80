package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.Test;

/** One model, split by region. */
class RegionTest {
  private static final int N = 6000;

  private static RegionRouter router(int regions) {
    LearnerSpec spec =
        LearnerSpec.of(
            Map.of(
                "learner",
                "tree",
                "task",
                "binary",
                "gamma",
                1,
                "max-size",
                16,
                "tree-size",
                8,
                "tree-ways",
                4));
    Pipeline tree = new DefaultRules(spec).pipeline();
    for (AvmRow row : TestStream.list(1, 4000)) {
      tree.learn(TestStream.features(row), (Double) row.label(), 1);
    }
    return RegionRouter.of(tree.toBytes(), regions, 128);
  }

  @Test
  void regionsOnAClusterLearnWhatOneProcessWithTheSameRoutingLearns() throws Exception {
    RegionRouter router = router(4);
    assertThat(router.regions()).isGreaterThan(1);
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(2);
    env.setMaxParallelism(128);
    LearnOptions options = LearnOptions.of(router.recipe());
    Collection<AvmAnswer> answers =
        Collected.of(
            AvmStreams.learnByRegion(TestStream.rows(env, 1, 4000, N, 0), router, options),
            "regions");
    env.execute();
    List<AvmRow> routed = new ArrayList<>();
    for (long i = 4000; i < 4000 + N; i++) {
      routed.add(router.route(TestStream.row(i, 1)));
    }
    Map<String, AvmAnswer> found = new HashMap<>();
    answers.forEach(answer -> found.put(answer.id(), answer));
    assertThat(found).isEqualTo(TestStream.expected(routed, router.recipe()));
    assertThat(routed.stream().map(AvmRow::key).distinct().count()).isEqualTo(router.regions());
  }

  @Test
  void regionsAreSpreadEvenlyOverAnyNumberOfSubtasks() {
    RegionRouter router = router(8);
    int regions = router.regions();
    for (int parallelism : new int[] {1, 2, 4}) {
      int[] load = new int[parallelism];
      for (int r = 0; r < regions; r++) {
        load[
            KeyGroupRangeAssignment.assignKeyToParallelOperator(router.key(r), 128, parallelism)]++;
      }
      for (int each : load) {
        assertThat(each).isBetween(regions / parallelism, regions / parallelism + 1);
      }
    }
  }
}
