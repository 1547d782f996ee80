package org.avm4j.export;

import ai.onnxruntime.OrtException;
import java.util.ArrayList;
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
 * Compares the answers of ONNX Runtime with those of the library, row by row. {@code
 * ./avm-export/agreement} runs it.
 */
final class ExportAgreement {
  private static final int BATCH = 256;

  /** The kinds of models that are compared, by the options of {@code avm online}. */
  enum Kind {
    MACHINE(Map.of("max-size", 300)),
    TREE(Map.of("change", "none")),
    AUTOMATIC(Map.of());

    private final Map<String, Object> options;

    Kind(Map<String, Object> options) {
      this.options = options;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    PreparedModel learned(List<Instance> rows) {
      Pipeline learner = new DefaultRules(LearnerSpec.of(options)).pipeline();
      return Streams.learned(learner, rows).settled();
    }
  }

  private final PreparedModel model;
  private int rows;
  private int differing;
  private int far;
  private double largestLead;
  private double largest;
  private double least = Double.POSITIVE_INFINITY;
  private double most = Double.NEGATIVE_INFINITY;

  private ExportAgreement(PreparedModel model) {
    this.model = model;
  }

  /** Compares the answers to these rows; a mixture of automatic mode is detached first. */
  static ExportAgreement of(PreparedModel frozen, List<Features> asked) throws OrtException {
    ExportAgreement result = new ExportAgreement(frozen.detached());
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(frozen))) {
      for (int from = 0; from < asked.size(); from += BATCH) {
        List<Features> batch = asked.subList(from, Math.min(asked.size(), from + BATCH));
        result.add(batch, runtime.run(batch));
      }
    }
    return result;
  }

  private void add(List<Features> batch, Map<String, Object> found) {
    boolean isRegression = model.task().isRegression();
    for (int r = 0; r < batch.size(); r++) {
      Prediction ours = model.answer(batch.get(r));
      double[] scores =
          isRegression
              ? new double[] {((double[]) found.get("prediction"))[r]}
              : ((double[][]) found.get("scores"))[r];
      addScores(ours.scores(), scores);
      if (!isRegression && ((long[]) found.get("label"))[r] != ours.label()) {
        addDifference(ours);
      }
      rows++;
    }
  }

  private void addScores(double[] ours, double[] theirs) {
    for (int c = 0; c < ours.length; c++) {
      largest = Math.max(largest, Math.abs(theirs[c] - ours[c]));
      least = Math.min(least, ours[c]);
      most = Math.max(most, ours[c]);
    }
  }

  private void addDifference(Prediction ours) {
    differing++;
    far += ours.isFar() ? 1 : 0;
    largestLead = Math.max(largestLead, lead(ours.scores()));
  }

  /** The lead of the best score before the next, or the distance of an only score from 0. */
  private static double lead(double[] scores) {
    double[] sorted = scores.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    return last == 0 ? Math.abs(sorted[0]) : sorted[last] - sorted[last - 1];
  }

  int rows() {
    return rows;
  }

  /** The number of rows with another label. */
  int differing() {
    return differing;
  }

  /** The largest difference of a score, as a part of the range of the scores. */
  double largestDifference() {
    return largest / (most - least);
  }

  /** The largest lead of the best score among the rows with another label, as such a part. */
  double largestLead() {
    return largestLead / (most - least);
  }

  private String line(String set, Kind kind) {
    String labels = model.task().isRegression() ? "–" : Integer.toString(differing);
    String lead = differing == 0 ? "–" : "%.1e".formatted(largestLead());
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,d | %,d | %s | %d | %s | %.1e | %.3g |",
        set,
        kind.word(),
        model.status().size(),
        rows,
        labels,
        far,
        lead,
        largestDifference(),
        most - least);
  }

  /** Arguments: the rows to learn, the most rows to ask, and the names of sets in AVM_DATA. */
  public static void main(String[] args) throws Exception {
    int learned = Integer.parseInt(args[0]);
    int asked = Integer.parseInt(args[1]);
    System.out.println(
        "| data set | model | points | rows asked | labels that differ | of them far |"
            + " largest lead there | largest difference | range of scores |");
    System.out.println("|---|---|---|---|---|---|---|---|---|");
    for (String name : Arrays.asList(args).subList(2, args.length)) {
      List<Instance> rows = new ArrayList<>(Streams.data(name, 0, learned + asked));
      int first = Math.min(learned, rows.size() / 2);
      List<Features> rest =
          rows.subList(first, rows.size()).stream().map(Instance::features).toList();
      for (Kind kind : Kind.values()) {
        PreparedModel model = kind.learned(rows.subList(0, first));
        System.out.println(of(model, rest).line(name, kind));
      }
    }
  }
}
