package org.avm4j.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.avm4j.Prediction;
import org.avm4j.conformal.ConformalModel;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.PreparedModel;

/**
 * How sure the mean of several learners is, by the rows that they held out: split conformal
 * prediction. Where learners held out different rows, a row is answered by the mean of those that
 * have not learned it, which is a little worse than the mean of all, so that intervals are a little
 * too wide rather than too narrow.
 */
final class HeldCertainty {
  /** Rows of a part to ask at most; more would take long and tell little more. */
  private static final int MOST_ROWS = 1000;

  private HeldCertainty() {}

  /** What is known of the mean of these members, where this is known of one learner. */
  static ConformalModel of(ConformalModel ofOne, List<Averaging.Member> members, HeldParts parts) {
    List<Prediction> answers = new ArrayList<>();
    List<Double> labels = new ArrayList<>();
    byPart(members)
        .forEach(
            (part, models) -> {
              PreparedModel mean = PreparedModel.mean(models);
              List<Instance> held = parts.part(part);
              List<Instance> some = held.subList(0, Math.min(MOST_ROWS, held.size()));
              for (Instance row : HeldScores.taken(mean, some)) {
                answers.add(mean.answer(row.features()));
                labels.add(row.label());
              }
            });
    return ofOne.split(answers, labels.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static Map<Integer, List<PreparedModel>> byPart(List<Averaging.Member> members) {
    return members.stream()
        .collect(
            Collectors.groupingBy(
                Averaging.Member::part,
                TreeMap::new,
                Collectors.mapping(Averaging.Member::before, Collectors.toList())));
  }
}
