package org.avm4j.lab.paper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One row of a table: the results of a method in the paper and in our runs.
 *
 * @param label the name of the method
 * @param contender our implementation of the method
 * @param paper the row of the paper, if it has one
 * @param ours the runs made here, perhaps none
 * @param study the study
 */
record Comparison(
    String label, Contender contender, Optional<PaperTables.Row> paper, Summary ours, Study study) {

  /** How our figure compares with the paper's. */
  enum Verdict {
    /** The intervals mean ± deviation overlap, to the decimals that the paper prints. */
    WITHIN("within"),
    BETTER("better"),
    WORSE("worse"),
    /** One of the two figures is missing. */
    NONE("");

    private final String word;

    Verdict(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /** All rows of a data set, in the order of the paper, ours last. */
  static List<Comparison> of(Study study, DataSet set, SettingsTable settings, Results results)
      throws IOException {
    List<Comparison> rows = new ArrayList<>();
    for (Contender contender : Contender.values()) {
      Optional<PaperTables.Row> paper = PaperTables.find(study, set, contender.label());
      Summary ours = new Summary(List.of());
      Optional<Settings> recorded = settings.find(set, contender);
      if (contender.takesPart(study, set.task()) && recorded.isPresent()) {
        Experiment first = Experiment.of(study, set, contender, recorded.get(), Settings.NONE, 1);
        ours = new Summary(results.all(first));
      }
      if (paper.isPresent() || !ours.isEmpty()) {
        rows.add(new Comparison(contender.label(), contender, paper, ours, study));
      }
    }
    return rows;
  }

  private boolean hasBoth() {
    return ours.isDone() && paper.isPresent() && paper.get().hasValue();
  }

  Verdict verdict() {
    if (!hasBoth()) {
      return Verdict.NONE;
    }
    double half = 0.5 * Math.pow(10, -paper.get().decimals());
    double gap = Math.abs(difference()) - paper.get().spread() - ours.deviation() - half;
    if (gap <= 0) {
      return Verdict.WITHIN;
    }
    return difference() > 0 == study.higherIsBetter() ? Verdict.BETTER : Verdict.WORSE;
  }

  /** Our figure minus the paper's; NaN if one is missing. */
  double difference() {
    return hasBoth() ? ours.metric() - paper.get().number() : Double.NaN;
  }

  /**
   * How much larger our model is than the paper's, in percent; NaN if the comparison is
   * meaningless.
   */
  double sizeDifference() {
    boolean hasSize = paper.isPresent() && !paper.get().size().isEmpty() && ours.isDone();
    return hasSize && contender.isAvm()
        ? 100 * (ours.mean(Outcome::size) / Double.parseDouble(paper.get().size()) - 1)
        : Double.NaN;
  }
}
