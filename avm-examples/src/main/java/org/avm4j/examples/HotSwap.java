package org.avm4j.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.avm4j.Features;
import org.avm4j.auto.AutoAvm;

/**
 * Four threads ask for answers while the main thread learns a checkerboard and publishes a snapshot
 * every thousand instances.
 */
public final class HotSwap {
  private static final int INSTANCES = 10_000;
  private static final int EVERY = 1_000;

  private HotSwap() {}

  /** Prints how many of the last answers were right. */
  public static void main(String[] arguments) throws Exception {
    AutoAvm learner = new AutoAvm();
    Scorer scorer = new Scorer(learner.snapshot());
    ExecutorService clients = Executors.newFixedThreadPool(4);
    List<Future<Integer>> requests = new ArrayList<>();
    for (int t = 1; t <= INSTANCES; t++) {
      double x = Math.IEEEremainder(t * 0.618034, 1) * 2;
      double y = Math.IEEEremainder(t * 0.754878, 1) * 2;
      learner.learn(Features.dense(x, y), label(x, y));
      if (t % EVERY == 0) {
        scorer.swap(learner.snapshot());
        requests.add(clients.submit(() -> rightAnswers(scorer)));
      }
    }
    int right = requests.get(requests.size() - 1).get();
    clients.shutdown();
    System.out.println(right + " of 1000 answers are right");
  }

  private static int rightAnswers(Scorer scorer) {
    int right = 0;
    for (int i = 0; i < 1000; i++) {
      double x = Math.IEEEremainder(i * 0.5698, 1) * 2;
      double y = Math.IEEEremainder(i * 0.4142, 1) * 2;
      right += scorer.answer(Features.dense(x, y)).label() == label(x, y) ? 1 : 0;
    }
    return right;
  }

  private static double label(double x, double y) {
    return (Math.floor(x) + Math.floor(y)) % 2 == 0 ? 1 : -1;
  }
}
