package org.avm4j.auto;

import java.util.Optional;
import org.avm4j.Model;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Labels;

/**
 * The searches of automatic mode: when one starts, with which rows, and what its result changes. A
 * search starts when the number of instances has doubled or a label contradicts the task; it
 * continues with each later instance. A table has fewer searches.
 */
final class SearchSchedule {
  private final AutoState state;

  /**
   * Result of a last search that was made early for {@link #settled}; null if a row was learned
   * since.
   */
  private Race early;

  SearchSchedule(AutoState state) {
    this.state = state;
  }

  /** Whether a label contradicts the task so far, so that the search starts again. */
  boolean isSurprise(double y) {
    boolean isUnsettled = state.origin == null && state.survey.labels().size() < 2;
    boolean isAccepted =
        state.race.labels().accepts(y)
            && (state.search == null || state.search.start().labels().accepts(y));
    return (state.isTaskOpen() || isUnsettled)
        && (!isAccepted || state.isTaskOpen() && isNewKind(y));
  }

  /** Whether a label suggests that labels taken for classes are in fact numbers. */
  private boolean isNewKind(double y) {
    Task now = state.race.task();
    Task next = state.search == null ? now : state.search.start().task();
    boolean hasClasses = now.kind() == Task.Kind.MULTICLASS || next.kind() == Task.Kind.MULTICLASS;
    return hasClasses && !state.areNames.getAsBoolean() && !state.survey.mayBeClass(y);
  }

  /** Whether rows are only stored, because there are too few for the search. */
  boolean isGathering() {
    return state.origin != null && state.t < Constants.WARM_UP;
  }

  /** Whether the learner was found by a search, and no search runs whose result replaces it. */
  boolean isFound() {
    return state.t > Constants.WARM_UP && (state.search == null || state.search.isForRival());
  }

  /** Stores the first instances, and later ones while a search runs or is still to come. */
  void keep(Instance instance, boolean isSurprise) {
    early = null;
    boolean isComplete = state.kept.all().size() == state.t - 1;
    if (state.t <= Constants.WARM_UP || isSurprise) {
      state.keepFirst(instance);
    } else if (state.search != null || state.isSearchLeft || state.maySearchAgain() && isComplete) {
      state.kept.addLater(instance);
    }
  }

  /** Searches at once, with the first rows alone. */
  void restart() {
    state.kept.forgetLater();
    takeOver(newSearch().finish());
  }

  /** Starts a search if one is due, and does the next slice of a running one. */
  void advance() {
    boolean isDue = Race.startsAt(state.t, state.task()) && !isNeedless();
    boolean hasRoom = state.kept.hasRoom();
    if (state.search != null && state.search.isForRival() && !hasRoom) {
      state.search = null;
    } else if (isDue || !hasRoom) {
      finish();
    }
    if (isDue || state.isSearchLeft) {
      state.isSearchLeft = false;
      state.search = newSearch();
    } else if (isSecondSearchDue()) {
      state.search = newSearch(true, Optional.of(state.race.settings()));
    }
    if (state.search != null && state.search.goOn(state.kept.all().size())) {
      takeOver(state.search);
    }
    if (state.search == null && !state.maySearchAgain()) {
      state.kept.forgetLater();
    }
  }

  /**
   * Whether the settings of a search with the present rows would not last: a table is searched
   * again with the first {@link Constants#WARM_UP} rows, or with all rows if there are fewer.
   */
  private boolean isNeedless() {
    return state.options.tableRows() > 0
        && state.t > Constants.POINTS
        && state.t < Constants.WARM_UP;
  }

  private boolean isSecondSearchDue() {
    long table = state.options.tableRows();
    return state.t == Constants.MANY_ROWS
        && (table == 0 || table >= Constants.MOST_ROWS)
        && state.search == null
        && state.kept.all().size() == state.t
        && LearnerFactory.dimension(state.kept.all()) <= Constants.MOST_INPUTS;
  }

  private Search newSearch() {
    boolean isFinal = state.kept.first().size() >= Constants.WARM_UP && !state.options.isGiven();
    return newSearch(isFinal, Optional.empty());
  }

  private Search newSearch(boolean isFinal, Optional<Candidate> present) {
    Task task = state.task();
    boolean areGiven = state.origin != null && !state.isTaskOpen() && !task.isRegression();
    Labels labels = areGiven || present.isPresent() ? state.race.labels() : state.survey.of(task);
    int rows = state.kept.all().size();
    Optional<Candidate> origin = Optional.ofNullable(state.origin);
    SearchStart start = new SearchStart(task, labels, rows, isFinal, present, origin);
    return new Search(start, state.options, state.race, state.kept.all());
  }

  /** Runs a search in progress to its end. */
  void finish() {
    if (state.search != null) {
      takeOver(state.search.finish());
    }
  }

  /** Puts the result of a search to use. */
  private void takeOver(Search found) {
    state.search = null;
    found.standings().forEach(state.standings::add);
    if (found.isForRival()) {
      found.found().stream().limit(1).forEach(state.race::challenge);
    } else {
      state.former = null;
      state.race = found.race();
      state.ensemble = found.beside(state.ensemble, state.t);
    }
  }

  /** The model if no row follows; the state does not change. */
  Model settled() {
    AutoState settled = isEarly() ? state : finished();
    return (isEarly() ? earlyRace() : settled.race).snapshot(settled.ensemble);
  }

  /** The race if no row follows; the state does not change. */
  Race settledRace() {
    return isEarly() ? earlyRace() : finished().race;
  }

  /** Whether the last search is still to come, and there are enough instances for it. */
  private boolean isEarly() {
    return state.t >= Constants.POINTS && state.t < Constants.WARM_UP && !state.options.isGiven();
  }

  private Race earlyRace() {
    early = early == null ? newSearch(true, Optional.empty()).finishRace() : early;
    return early;
  }

  /** The state, or a copy in which the running search is finished. */
  private AutoState finished() {
    if (state.search == null || state.search.isForRival()) {
      return state;
    }
    AutoState copy = state.copy();
    new SearchSchedule(copy).finish();
    return copy;
  }
}
