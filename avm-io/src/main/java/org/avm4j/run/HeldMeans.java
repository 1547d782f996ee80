package org.avm4j.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.avm4j.Prediction;
import org.avm4j.conformal.ConformalModel;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.PreparedModel;

/**
 * The mean of several learners, and of trees beside them, as it was before the rows that they held
 * out. Where learners held out different rows, a row is answered by the mean of those that have not
 * learned it, which is a little worse than the mean of all.
 *
 * @param choice the members and their weights
 * @param trees those beside the members, for each part that was held out; empty if there are none
 */
record HeldMeans(Averaging.Choice choice, HeldParts parts, List<TreeTraining.Grown> trees) {
  /** Rows of a part to ask at most; more would take long and tell little more. */
  private static final int MOST_ROWS = 1000;

  /**
   * How sure the mean is, by split conformal prediction. Intervals are a little too wide rather
   * than too narrow where learners held out different rows.
   *
   * @param ofOne what is known of one learner
   * @param whole the mean of all, which makes probabilities of scores
   */
  ConformalModel certainty(ConformalModel ofOne, PreparedModel whole) {
    List<Prediction> answers = new ArrayList<>();
    List<Double> labels = new ArrayList<>();
    byPart()
        .forEach(
            (part, models) -> {
              PreparedModel mean = mean(part, models);
              PreparedModel asked = whole.calibration().map(mean::recalibrated).orElse(mean);
              for (Instance row : HeldScores.taken(asked, parts.some(part, MOST_ROWS))) {
                answers.add(asked.answer(row.features()));
                labels.add(row.label());
              }
            });
    return ofOne.split(answers, labels.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private PreparedModel mean(int part, List<PreparedModel> learners) {
    List<PreparedModel> models = new ArrayList<>(learners);
    double[] weights = choice.weights().ofMembers(learners.size());
    if (!trees.isEmpty()) {
      models.add(trees.get(part).behind());
    }
    return PreparedModel.mean(models, Arrays.copyOf(weights, models.size()));
  }

  private Map<Integer, List<PreparedModel>> byPart() {
    return choice.members().stream()
        .collect(
            Collectors.groupingBy(
                Averaging.Member::part,
                TreeMap::new,
                Collectors.mapping(Averaging.Member::before, Collectors.toList())));
  }
}
