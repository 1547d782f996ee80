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
 * The mean of several learners and boosted trees as it was before they learned their held-out rows.
 * If learners held out different rows, a row is answered by the mean of those that have not learned
 * it, which is a little worse than the mean of all.
 *
 * @param choice the members and their weights
 * @param trees the boosted trees for each held-out part; empty if there are none
 */
record HeldMeans(Averaging.Choice choice, HeldParts parts, List<TreeTraining.Grown> trees) {
  /** Maximum number of rows of a part that are answered; more would take long and add little. */
  private static final int MOST_ROWS = 1000;

  /**
   * The certainty of the mean, by split conformal prediction. If learners held out different rows,
   * intervals are a little too wide.
   *
   * @param ofOne the certainty of one learner
   * @param whole the mean of all, whose calibration is used
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
