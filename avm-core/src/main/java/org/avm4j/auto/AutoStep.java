package org.avm4j.auto;

import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.auto.constants.Constants;
import org.avm4j.data.Instance;

/**
 * A learning step of {@link AutoAvm}: the experts judge and learn a row beside the race, and the
 * searches go on. The scores that a row got when it was answered are not computed again.
 */
final class AutoStep {
  private final AutoState state;
  private final SearchSchedule searches;
  private Features measured;
  private boolean isMeasuredLate;
  private double[] scores = {};

  AutoStep(AutoState state, SearchSchedule searches) {
    this.state = state;
    this.searches = searches;
  }

  /** Learns a row that was checked. */
  void learn(Features x, double y, double weight) {
    boolean isSurprise = searches.isSurprise(y);
    if (!isSurprise) {
      state.race.checkLabel(y);
    }
    state.t++;
    searches.keep(new Instance(x.copy(), y, weight), isSurprise);
    if (searches.isGathering()) {
      return;
    }
    if (isSurprise || state.origin != null && state.t == Constants.WARM_UP) {
      measured = null;
      searches.restart();
    } else {
      learnBeside(x, y, weight);
      measured = null;
      learnInRace(x, y, weight);
      searches.advance();
    }
  }

  /** Lets the experts judge the row and learn it. */
  private void learnBeside(Features x, double y, double weight) {
    if (state.startExperts()) {
      measured = null;
    }
    if (state.ensemble != null) {
      scores(x, true);
      reconsider(x, y);
      state.ensemble.learn(state.race.labels().transform(y), weight);
      if (state.ensemble.isLeadOutdated()) {
        state.race.plant();
      }
    }
  }

  /**
   * Keeps a copy of race and experts when labels begin to contradict their answers, and lets it
   * return when the labels turn out to have been wrong. The first row of a class contradicts
   * nothing, and a copy that does not know all classes never returns.
   */
  private void reconsider(Features x, double y) {
    double error = state.ensemble.error(state.race.labels().transform(y));
    boolean isFirst = error > 0 && !state.race.knows(y);
    boolean begins = !isFirst && state.contradiction.begins(error);
    if (state.former == null) {
      if (begins && searches.isFound()) {
        state.former = Former.of(state);
      }
      return;
    }
    Former.Advice advice = state.former.judge(x, y, error, state.options.delay() > 0);
    boolean knowsAll = state.race.classes().length == state.former.race().classes().length;
    if (advice == Former.Advice.RETURN && knowsAll) {
      state.race = state.former.race();
      state.ensemble = state.former.experts();
      state.contradiction = state.former.contradiction();
    }
    if (advice != Former.Advice.KEEP) {
      state.former = null;
    }
  }

  private void learnInRace(Features x, double y, double weight) {
    OnlineLearner before = state.race.best();
    state.race.learn(x, y, weight);
    if (state.ensemble != null && before != state.race.best()) {
      state.ensemble.leadChanged();
    }
  }

  /** Lets the experts learn a row without a label; returns whether any of them did. */
  boolean observe(Features x) {
    measured = null;
    Ensemble experts = state.survey.labels().size() > 1 ? state.ensemble : null;
    if (experts != null && state.former != null) {
      state.former.observe(x, state.kept.first());
    }
    return experts != null && experts.observe(x, state.kept.first(), state.race.labels());
  }

  /**
   * The scores of the mixture for a row, before labels are mapped back; cached for the latest row.
   *
   * @param isLearned whether they are those that the row had when it was answered
   */
  double[] scores(Features x, boolean isLearned) {
    boolean isLate = isLearned && state.options.delay() > 0;
    if (!x.equals(measured) || isLate != isMeasuredLate) {
      double[] lead = state.race.learnedScores(x);
      scores =
          state.ensemble == null
              ? lead
              : state.ensemble.combine(x, lead, state.race.learnedClasses(), isLate);
      measured = x.copy();
      isMeasuredLate = isLate;
    }
    return scores;
  }

  /** Changes the number of rows that are answered between a row and its label. */
  void labelsComeLate(int rows) {
    state.options = state.options.withDelay(rows);
    measured = null;
    state.former = null;
    searches.finish();
    if (state.ensemble != null) {
      state.ensemble.labelsComeLate(rows);
    }
  }
}
