package org.avm4j.auto;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.avm4j.Status;
import org.avm4j.Status.Standing;
import org.avm4j.Task;
import org.avm4j.auto.AutoOptions.Choice;
import org.avm4j.auto.constants.Constants;
import org.avm4j.auto.expert.InstanceCodec;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.form.StatusBuilder;
import org.avm4j.pipeline.LabelSurvey;
import org.avm4j.tree.AvmTree;

/**
 * Everything that {@link AutoAvm} has learned, and that a file of kind {@code avm-auto} holds.
 *
 * <pre>
 * «options»          what is given and what is chosen
 * first answer (8)   missing in version 1
 * instances (8)
 * «first»            the first rows ({@link InstanceCodec})
 * «race»             {@link Race}
 * «laps»             n× standing ({@link StandingCodec})
 * «later»            if there are any: later rows, and behind the section their values (8)
 * «experts»          if there are any: {@link Ensemble}
 * «settings-search»  if one runs: {@link Search}; or «search», empty: it starts again
 * «origin»           if there is one: {@link Candidate}
 * «contradiction»    {@link Contradiction}; missing in files of earlier builds
 * «former»           if there is one: {@link Former}
 * </pre>
 */
final class AutoState {
  private static final String EXPERTS = "experts";

  /** Experts in files of earlier builds. They are not read; new experts replace them. */
  private static final String EARLIER_EXPERTS = "ensemble";

  private static final String SEARCH = "settings-search";

  private static final String ORIGIN = "origin";

  private static final String CONTRADICTION = "contradiction";

  private static final String FORMER = "former";

  /** An unfinished search in files of earlier builds; it is started again. */
  private static final String EARLIER_SEARCH = "search";

  AutoOptions options;
  final double firstAnswer;
  final StoredRows kept = new StoredRows();
  final List<Standing> standings = new ArrayList<>();
  final LabelSurvey survey = new LabelSurvey();

  /** Whether labels are the numbers of names; this is not saved. */
  BooleanSupplier areNames;

  Race race;

  /** The experts beside the race; null if there are none. */
  Ensemble ensemble;

  Contradiction contradiction = new Contradiction();

  /** Race and experts before labels contradicted them; null if they do not. */
  Former former;

  /** The search in progress; null if there is none. */
  Search search;

  /**
   * Whether the file of an earlier build held an unfinished search, which starts again with the
   * next row.
   */
  boolean isSearchLeft;

  /**
   * The settings with which a search starts, from a learner of the same rows in another order; null
   * if a search starts with all candidates.
   */
  Candidate origin;

  long t;

  /** The state of an untrained learner. */
  AutoState(AutoOptions options, double firstAnswer, BooleanSupplier areNames) {
    this.options = options;
    this.firstAnswer = firstAnswer;
    this.areNames = areNames;
    race = Race.empty(task(), firstAnswer);
  }

  boolean isTaskOpen() {
    return options.isFree(Choice.TASK);
  }

  /** The task that is given, or else the one that the labels suggest. */
  Task task() {
    return isTaskOpen() ? survey.task(areNames.getAsBoolean()) : options.base().task();
  }

  void keepFirst(Instance instance) {
    kept.addFirst(instance);
    survey.add(instance.label());
  }

  /** Starts experts beside the race if they are due; returns whether it did. */
  boolean startExperts() {
    boolean areDue = ensemble == null && t > Constants.WARM_UP && options.followsChange();
    if (areDue) {
      ensemble = race.experts(kept.first(), options.delay()).startAt(t - 1, null);
    }
    return areDue;
  }

  /** Whether a second search is still to come, or begins now. */
  boolean maySearchAgain() {
    return t <= Constants.MANY_ROWS && kept.hasRoom() && options.learnsMetric();
  }

  /** The number of vectors, rows and leaves that the answer depends on. */
  int size() {
    return race.best().size() + (ensemble == null ? 0 : ensemble.size());
  }

  Status status() {
    String scaling = race.settings().scaling().word();
    Status.Automatic mode =
        new Status.Automatic(scaling, options.freeWords(), race.size(), List.copyOf(standings));
    Status lead = StatusBuilder.within(race.best().status(), mode, t);
    String word = isTree() ? "tree" : "machine";
    return ensemble == null
        ? lead
        : StatusBuilder.withChange(lead, ensemble.change(word), t, size());
  }

  private boolean isTree() {
    return race.best().inspect(AvmTree.class).isPresent();
  }

  AutoState copy() {
    return ModelFile.copy(AutoAvm.KIND, this::encode, AutoState::decode);
  }

  void encode(Encoder out) {
    out.section("options", options::encode);
    out.float64(firstAnswer);
    out.int64(t);
    out.section("first", section -> InstanceCodec.encode(kept.first(), section));
    out.section("race", race::encode);
    out.section("laps", section -> section.list(standings, StandingCodec::encode));
    kept.encodeLater(out);
    out.optional(EXPERTS, ensemble, Ensemble::encode);
    if (search != null) {
      out.section(SEARCH, search::encode);
    } else if (isSearchLeft) {
      out.section(EARLIER_SEARCH, nothing -> {});
    }
    out.optional(ORIGIN, origin, Candidate::encode);
    out.section(CONTRADICTION, contradiction::encode);
    out.optional(FORMER, former, Former::encode);
  }

  static AutoState decode(Decoder in) throws ModelFileException {
    AutoOptions options = in.section("options", AutoOptions::decode);
    double answer = in.version() == 1 ? 0 : in.finite("the first answer");
    AutoState state = new AutoState(options, answer, () -> false);
    state.t = in.count("the instances");
    in.section("first", InstanceCodec::decode).forEach(state::keepFirst);
    state.race = in.section("race", Race::decode);
    in.section(
        "laps",
        laps -> state.standings.addAll(laps.list("the standings", 1 << 20, StandingCodec::decode)));
    state.kept.decodeLater(in);
    state.decodeSearch(in);
    return state;
  }

  private void decodeSearch(Decoder in) throws ModelFileException {
    in.skipIfPresent(EARLIER_EXPERTS);
    ensemble = in.optional(EXPERTS, file -> Ensemble.decode(file, options.delay())).orElse(null);
    boolean isForRace = ensemble == null || ensemble.isFor(race.task());
    Decoder.check(isForRace, "experts must have the task of the race", race.task());
    if (in.skipIfPresent(EARLIER_SEARCH)) {
      isSearchLeft = !isTree() && t == kept.all().size();
    }
    search = in.optional(SEARCH, s -> Search.decode(s, options, race, kept.all())).orElse(null);
    origin = in.optional(ORIGIN, Candidate::decode).orElse(null);
    in.optional(CONTRADICTION, Contradiction::decode).ifPresent(found -> contradiction = found);
    former = in.optional(FORMER, file -> Former.decode(file, options.delay())).orElse(null);
    boolean fits = former == null || ensemble != null && ensemble.isFor(former.race().task());
    Decoder.check(fits, "a copy must have the task of the race", race.task());
    if (search == null && !isSearchLeft && !maySearchAgain()) {
      kept.forgetLater();
    }
  }
}
