package org.avm4j.export;

import ai.onnxruntime.OrtException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;

/**
 * Holds ONNX Runtime against the library on rows of real data: labels, scores and time. Arguments:
 * the rows to learn, the rows to ask, and the names of sets in the folder AVM_DATA.
 */
final class ExportAgreement {
  private static final int BATCH = 256;

  private ExportAgreement() {}

  public static void main(String[] args) throws Exception {
    System.out.println(
        "set, points, rows, labels that differ, of them far, largest difference of a score, range"
            + " of scores, us a row: ours, batches of "
            + BATCH
            + ", one by one");
    for (String name : Arrays.asList(args).subList(2, args.length)) {
      int learned = Integer.parseInt(args[0]);
      List<Instance> rows = Streams.data(name, 0, learned + Integer.parseInt(args[1]));
      int first = Math.min(learned, rows.size() / 2);
      Pipeline learner = new DefaultRules(LearnerSpec.of(Map.of())).pipeline();
      for (Instance row : rows.subList(0, first)) {
        learner.learn(row.features(), row.label(), 1);
      }
      compare(name, learner.settled(), rows.subList(first, rows.size()));
    }
  }

  private static void compare(String name, PreparedModel model, List<Instance> rows)
      throws OrtException {
    List<Features> asked = rows.stream().map(Instance::features).toList();
    boolean isRegression = model.task().isRegression();
    int differ = 0;
    int far = 0;
    double largest = 0;
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    long ours = 0;
    long theirs = 0;
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      for (int from = 0; from < asked.size(); from += BATCH) {
        List<Features> batch = asked.subList(from, Math.min(asked.size(), from + BATCH));
        long start = System.nanoTime();
        Map<String, Object> found = runtime.run(batch);
        theirs += System.nanoTime() - start;
        for (int r = 0; r < batch.size(); r++) {
          start = System.nanoTime();
          Prediction answer = model.answer(batch.get(r));
          ours += System.nanoTime() - start;
          double[] scores =
              isRegression
                  ? new double[] {((double[]) found.get("prediction"))[r]}
                  : ((double[][]) found.get("scores"))[r];
          for (int c = 0; c < scores.length; c++) {
            largest = Math.max(largest, Math.abs(scores[c] - answer.scores()[c]));
            least = Math.min(least, scores[c]);
            most = Math.max(most, scores[c]);
          }
          if (!isRegression && ((long[]) found.get("label"))[r] != answer.label()) {
            differ++;
            far += answer.isFar() ? 1 : 0;
          }
        }
      }
      int single = Math.min(200, asked.size());
      long start = System.nanoTime();
      for (Features x : asked.subList(0, single)) {
        runtime.run(List.of(x));
      }
      double one = (System.nanoTime() - start) / 1e3 / single;
      System.out.printf(
          Locale.ROOT,
          "%s, %d, %d, %d, %d, %.1e, %.2f, %.0f, %.0f, %.0f%n",
          name,
          model.status().size(),
          asked.size(),
          differ,
          far,
          largest,
          most - least,
          ours / 1e3 / asked.size(),
          theirs / 1e3 / asked.size(),
          one);
    }
  }
}
