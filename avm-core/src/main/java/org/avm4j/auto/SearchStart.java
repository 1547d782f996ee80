package org.avm4j.auto;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.pipeline.Labels;

/**
 * What a search begins with.
 *
 * @param goal what is searched for
 * @param task what is learned
 * @param labels how labels are learned
 * @param rows the number of rows on which candidates are judged
 * @param candidates the first field, or the settings so far, the best first; for a metric the
 *     settings without one
 * @param known a candidate with a metric that may still be the best, where a stream ends; else
 *     empty. It is not saved, because such a search is never interrupted
 * @param least the loss of the tree that answers, if a metric is searched for; 0 if it is not known
 * @param isPlain whether what answers now has no metric
 */
record SearchStart(
    Goal goal,
    Task task,
    Labels labels,
    int rows,
    List<Candidate> candidates,
    List<Candidate> known,
    double least,
    boolean isPlain) {
  /** What is searched for. */
  enum Goal {
    /** The best of the first field, while few rows are known. */
    FIELD,
    /** Settings to keep; starts from the ranking of the race. */
    SETTINGS,
    /** Settings to keep; starts from the first field. */
    ALL,
    /** A metric, by trees. */
    METRIC
  }

  void encode(Encoder out) {
    out.int32(goal.ordinal());
    task.encode(out);
    labels.encode(out);
    out.int32(rows);
    out.int32(candidates.size());
    candidates.forEach(candidate -> out.section("candidate", candidate::encode));
    out.float64(least);
    out.bool(isPlain);
  }

  static SearchStart decode(Decoder in) throws ModelFileException {
    return new SearchStart(
        Goal.values()[in.int32("the goal of a search", Goal.values().length - 1)],
        Task.decode(in),
        Labels.decode(in),
        in.int32("the rows of a search", 1 << 20),
        decodeCandidates(in),
        List.of(),
        in.finite("the least loss"),
        in.bool());
  }

  private static List<Candidate> decodeCandidates(Decoder in) throws ModelFileException {
    int count = in.int32("the candidates of a search", 100);
    Decoder.check(count > 0, "a search must have candidates", count);
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      candidates.add(in.section("candidate", Candidate::decode));
    }
    return candidates;
  }
}
