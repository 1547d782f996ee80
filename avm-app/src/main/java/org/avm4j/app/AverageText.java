package org.avm4j.app;

import java.util.List;
import java.util.stream.Collectors;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.Average;

/** Formats how a model averages several learners and boosted trees. */
final class AverageText {
  private static final List<String> OF_ONE_LEARNER =
      List.of("cells", "support vectors", "tree", "size", "at the size cap");

  private AverageText() {}

  /** Adds the number of averaged learners, and replaces the rows of the first one by theirs. */
  static void addTo(Report report, Average average, PreparedModel mean) {
    report.values().put("learners", average.learners());
    report.putAfter("instances", "learners", text(average, mean.threshold().isPresent()));
    List<PreparedModel> members = mean.members();
    if (!members.isEmpty()) {
      report.rows().keySet().removeAll(OF_ONE_LEARNER);
      List<PreparedModel> learners = members.subList(0, average.learners());
      String chosen =
          learners.stream()
              .map(member -> StatusText.kernel(member.status()))
              .distinct()
              .collect(Collectors.joining("; "));
      report.rows().computeIfPresent("chosen", (name, first) -> learners.isEmpty() ? null : chosen);
      report.putAfter(learners.isEmpty() ? "learners" : "chosen", "size", SizeText.of(mean));
    }
    if (average.rounds() > 0) {
      report
          .values()
          .put("trees", Json.members("rounds", average.rounds(), "share", average.share()));
      report.putAfter("learners", "boosted trees", trees(average));
    }
  }

  private static String trees(Average average) {
    return Text.format(
        "%,d rounds, with %.0f %% of the weight in the answer",
        average.rounds(), 100 * average.share());
  }

  private static String text(Average average, boolean hasThreshold) {
    if (average.learners() == 0) {
      return "none; boosted trees alone are better";
    }
    if (average.tried() == 1) {
      return average.rounds() > 0 ? "one" : "one; the others did not finish";
    }
    String best = average.learners() == 1 ? "best" : "mean of the best " + average.learners();
    String all = average.learners() == average.tried() ? "mean" : best;
    String text = Text.format("the %s of %d", all, average.tried());
    return average.estimate().isTelling() && !hasThreshold
        ? text
            + "; the error of a single one is "
            + FigureText.rounded(
                average.estimate().name(), average.alone(), average.estimate().margin())
        : text;
  }
}
