package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What speed rests on; the speed itself is measured elsewhere. */
class SpeedTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static List<AvmOptions> forms() {
    return List.of(
        AvmOptions.binary().build(),
        AvmOptions.multiclass().loss(Loss.logistic()).build(),
        AvmOptions.regression().loss(Loss.absolute()).build(),
        AvmOptions.binary().update(Update.newton()).build(),
        AvmOptions.multiclass().update(Update.newton()).build());
  }

  @ParameterizedTest
  @MethodSource("forms")
  void learningScoringAndPredictingAllocateNothing(AvmOptions form) {
    AvmOptions options =
        form.change().coverage(Coverage.sphere(1)).maxSize(60, Limit.APPROXIMATE).build();
    Avm avm = new Avm(options);
    List<Instance> stream = Streams.of(options.task(), 2000, 3, 1);
    go(avm, stream);
    AvmModel model = avm.snapshot();
    go(model, stream);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    go(avm, stream.subList(0, 300));
    go(model, stream.subList(0, 300));
    long after = THREADS.getCurrentThreadAllocatedBytes();
    assertThat(after - before).as("bytes for 600 instances").isLessThan(600);
  }

  private static void go(Predictor predictor, List<Instance> stream) {
    double[] scores = new double[8];
    for (int i = 0; i < stream.size(); i++) {
      Features x = stream.get(i).features();
      predictor.score(x, scores);
      predictor.predict(x);
      if (predictor instanceof Avm avm) {
        avm.learn(x, stream.get(i).label());
      }
    }
  }

  @Test
  void scoresOfManyRowsAreThoseOfEach() {
    AvmOptions options = AvmOptions.multiclass().coverage(Coverage.sphere(0.5)).build();
    Avm avm = new Avm(options);
    List<Instance> stream = Streams.of(options.task(), 3000, 3, 1);
    stream.forEach(i -> avm.learn(i.features(), i.label()));
    AvmModel model = avm.snapshot();
    List<Features> rows = stream.stream().map(Instance::features).toList();
    ExecutorService pool = Executors.newFixedThreadPool(3);
    double[][] scores = model.score(rows, pool);
    double[][] alone = model.score(rows, Runnable::run);
    pool.shutdown();
    for (int i = 0; i < rows.size(); i++) {
      assertThat(scores[i]).isEqualTo(model.score(rows.get(i)));
      assertThat(alone[i]).isEqualTo(scores[i]);
    }
    assertThat(model.score(List.of(), Runnable::run)).isEmpty();
  }
}
