package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.avm4j.Task;
import org.avm4j.auto.aggregate.Aggregation;
import org.avm4j.auto.aggregate.Blend;
import org.avm4j.auto.constants.Constants;
import org.avm4j.auto.expert.Expert;
import org.avm4j.auto.expert.Experts;
import org.avm4j.auto.expert.Frozen;
import org.avm4j.auto.expert.MachineExpert;
import org.avm4j.auto.expert.Moment;
import org.avm4j.auto.expert.SharedInputs;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;

/**
 * The experts of an ensemble, and which of them work or rest. Places count from 1, because place 0
 * of an aggregation belongs to the lead. After the experts that learn there is room for frozen
 * models of the past, which are kept when the stream changes.
 */
final class Roster {
  /**
   * No limit on how much worse the stack may become: used if the answer is no better than that of
   * the lead.
   */
  private static final double ALL = Double.POSITIVE_INFINITY;

  private static final String CHECKPOINT = "checkpoint";

  private final List<Expert> experts;

  /** The number of experts that are not models of the past. */
  private final int learning;

  /** Checkpoints of the newest expert at the latest two reviews, the older one first. */
  private final List<Frozen> checkpoints = new ArrayList<>();

  private RestSchedule schedule;
  private long frozen;

  /** A roster in which all experts work. */
  Roster(List<Expert> experts) {
    this(new ArrayList<>(experts), experts.size());
  }

  private Roster(List<Expert> experts, int learning) {
    this.experts = experts;
    this.learning = learning;
    startAt(0);
  }

  /** Puts all experts on trial from instance t on. */
  void startAt(long t) {
    schedule = new RestSchedule(places(), t);
  }

  /**
   * The number of places: one for the lead, one for each expert, and room for models of the past.
   */
  int places() {
    return 1 + learning + Constants.MOST_FROZEN;
  }

  /** The last place that is not empty. */
  int filled() {
    return experts.size();
  }

  /** The number of models of the past. */
  int frozen() {
    return experts.size() - learning;
  }

  Expert get(int place) {
    return experts.get(place - 1);
  }

  /** The place of the expert that knows all rows since the error last rose. */
  int newest() {
    return learning;
  }

  /** Whether there are experts that forget; the last of them is the newest. */
  boolean hasForgetting() {
    return get(newest()) instanceof MachineExpert;
  }

  boolean works(int place) {
    return place <= experts.size() && !schedule.rests(place) && get(place).isReady();
  }

  /** Whether the expert at a place takes part in the answers. */
  boolean answers(int place) {
    return works(place) && get(place).canAnswer();
  }

  /** Whether any costly expert works. */
  boolean runs() {
    return IntStream.rangeClosed(1, learning).anyMatch(m -> works(m) && get(m).isCostly());
  }

  /** The number of leading experts of the same kinds in both rosters. */
  int common(Roster other) {
    return (int)
        IntStream.rangeClosed(1, Math.min(learning, other.learning))
            .takeWhile(m -> get(m).name().equals(other.get(m).name()))
            .count();
  }

  /** Writes the scores of all experts, from place 1 on; 0 for experts that do not answer. */
  void score(Moment now, double[] classes, double[][] scores) {
    for (int m = 1; m <= experts.size(); m++) {
      if (answers(m)) {
        get(m).score(now, classes, scores[m]);
      } else {
        Arrays.fill(scores[m], 0);
      }
    }
  }

  void learn(Moment now, double y, double weight) {
    for (int m = 1; m <= experts.size(); m++) {
      if (works(m)) {
        get(m).learn(now, y, weight);
      }
    }
  }

  /** Lets all experts that are ready learn a stored row. */
  void replay(Moment now, double y, double weight) {
    experts.stream().filter(Expert::isReady).forEach(expert -> expert.replay(now, y, weight));
  }

  /**
   * Lets experts learn a row without a label.
   *
   * @param begin teaches earlier rows with labels to an expert that is not ready yet
   * @return whether any expert used the row
   */
  boolean observe(Supplier<Moment> row, Consumer<Expert> begin) {
    boolean isUsed = false;
    for (Expert expert : experts) {
      if (!expert.isReady()) {
        begin.accept(expert);
      }
      isUsed |= expert.observe(row.get());
    }
    return isUsed;
  }

  /**
   * Replaces those of the first {@code count} experts that are not ready by the other roster's; the
   * others follow theirs.
   */
  void takeOver(Roster other, int count) {
    for (int m = 1; m <= count; m++) {
      if (get(m).isReady()) {
        get(m).follow(other.get(m));
      } else {
        experts.set(m - 1, other.get(m));
      }
    }
  }

  /**
   * Reacts to a rise of the error: keeps an older checkpoint, and wakes all experts.
   *
   * @return the place of the kept model, or 0 if none is kept
   */
  int change(long t, boolean keepsPast) {
    schedule.wakeAll(t);
    if (checkpoints.size() < 2 || !keepsPast) {
      return 0;
    }
    int place = (int) (1 + learning + frozen++ % Constants.MOST_FROZEN);
    if (place > experts.size()) {
      experts.add(checkpoints.get(0));
    } else {
      experts.set(place - 1, checkpoints.get(0));
    }
    schedule.wake(place, t);
    checkpoints.clear();
    return place;
  }

  /** Takes a periodic checkpoint of the newest expert. */
  void checkpoint() {
    checkpoints.add((Frozen) get(newest()).freeze());
    if (checkpoints.size() > 2) {
      checkpoints.remove(0);
    }
  }

  /**
   * Sends experts to rest that the answer does not need, and wakes those that have rested long
   * enough.
   *
   * @param isWorth whether the answer is better than that of the lead
   */
  void review(long t, Aggregation aggregation, boolean isWorth) {
    boolean[] mayRest = new boolean[places()];
    for (int m = 1; m <= experts.size(); m++) {
      boolean isFree = m != aggregation.heaviest() && get(m).isCostly();
      mayRest[m] = isFree && schedule.mayRest(m, t);
    }
    List<Integer> dispensable =
        aggregation.dispensable(mayRest, isWorth ? Constants.NEGLIGIBLE : ALL);
    for (int m = 1; m <= experts.size(); m++) {
      if (dispensable.contains(m)) {
        schedule.rest(m, t);
      } else if (schedule.mayRest(m, t)) {
        schedule.stay(m);
      } else if (schedule.isDue(m, t)) {
        schedule.wake(m, t);
      }
    }
  }

  /** The places that an answer depends on; the lead, place 0, comes first. */
  int[] needed(Blend blend) {
    return IntStream.rangeClosed(0, experts.size()).filter(m -> m == 0 || blend.needs(m)).toArray();
  }

  void encode(Encoder out) {
    SharedInputs shared = new SharedInputs();
    experts.forEach(expert -> Experts.take(expert, shared));
    checkpoints.forEach(model -> Experts.take(model, shared));
    out.section("inputs", shared::encode);
    out.int32(learning);
    out.list(experts, (expert, to) -> to.section("expert", s -> Experts.encode(expert, s, shared)));
    out.list(
        checkpoints, (model, to) -> to.section(CHECKPOINT, s -> Experts.encode(model, s, shared)));
    out.section("schedule", schedule::encode);
    out.int64(frozen);
  }

  static Roster decode(Decoder in, Task.Kind task) throws ModelFileException {
    SharedInputs shared = in.section("inputs", SharedInputs::decode);
    int learning = in.int32("the experts that learn", EnsembleModel.MOST_EXPERTS);
    ModelFile.Content<Expert> reader = section -> Experts.decodeLive(section, shared, task);
    int most = learning + Constants.MOST_FROZEN;
    List<Expert> experts = in.list("the experts", most, each -> each.section("expert", reader));
    boolean areThere = learning > 0 && experts.size() >= learning;
    Decoder.check(areThere, "there must be experts", experts.size());
    Roster roster = new Roster(experts, learning);
    int kept = roster.hasForgetting() ? 2 : 0;
    for (Expert model :
        in.list("the checkpoints", kept, each -> each.section(CHECKPOINT, reader))) {
      Decoder.check(model instanceof Frozen, "a checkpoint must be a model", model.name());
      roster.checkpoints.add((Frozen) model);
    }
    roster.schedule =
        in.section("schedule", section -> RestSchedule.decode(section, roster.places()));
    roster.frozen = in.count("the models of the past");
    boolean arePast = roster.frozen() == Math.min(roster.frozen, Constants.MOST_FROZEN);
    Decoder.check(arePast, "models of the past must be there", roster.frozen);
    return roster;
  }
}
