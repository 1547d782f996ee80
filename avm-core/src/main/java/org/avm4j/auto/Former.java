package org.avm4j.auto;

import java.util.List;
import org.avm4j.Features;
import org.avm4j.auto.aggregate.PairedTest;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;

/**
 * A copy of the race and the experts from the moment when labels began to contradict their answers.
 * It answers the rows that follow, but does not learn them.
 *
 * <p>If labels agree with the copy again, those in between were wrong. It then takes the place of
 * the present race and experts if its answers, since the labels began to agree, were better by more
 * than a standard error; otherwise it is dropped. If labels do not agree with the copy within
 * {@link Constants#WARM_UP} rows, the rule has changed, and it is dropped, too.
 */
final class Former {
  private final Race race;
  private final Ensemble experts;
  private final Contradiction contradiction;
  private final PairedTest lead = new PairedTest();
  private long age;

  /** What to do with the copy. */
  enum Advice {
    KEEP,
    RETURN,
    DROP
  }

  private Former(Race race, Ensemble experts, Contradiction contradiction) {
    this.race = race;
    this.experts = experts;
    this.contradiction = contradiction;
  }

  /** A copy of what a learner has now. */
  static Former of(AutoState state) {
    Former now = new Former(state.race, state.ensemble, state.contradiction);
    return ModelFile.copy(AutoAvm.KIND, now::encode, in -> decode(in, state.options.delay()));
  }

  Race race() {
    return race;
  }

  Ensemble experts() {
    return experts;
  }

  Contradiction contradiction() {
    return contradiction;
  }

  /**
   * Answers a row and compares the answer with the label.
   *
   * @param error the error of the present answer, from 0 to 1
   * @param isLate whether labels are hidden that were not known when the row was answered
   */
  Advice judge(Features x, double y, double error, boolean isLate) {
    experts.combine(x, race.learnedScores(x), race.learnedClasses(), isLate);
    double label = race.labels().transform(y);
    double own = experts.error(label);
    boolean isOver = contradiction.ends(own);
    lead.add(error - own);
    if (isOver) {
      return lead.z() > 1 ? Advice.RETURN : Advice.DROP;
    }
    if (!contradiction.isSuspected()) {
      lead.clear();
    }
    experts.see(label);
    return ++age < Constants.WARM_UP ? Advice.KEEP : Advice.DROP;
  }

  /** Lets the copy learn a row without a label, whatever the labels of others are. */
  void observe(Features x, List<Instance> first) {
    experts.observe(x, first, race.labels());
  }

  /** Appends the copy, its lead over the present answers, and its age in rows (8). */
  void encode(Encoder out) {
    out.section("race", race::encode);
    out.section("experts", experts::encode);
    contradiction.encode(out);
    lead.encode(out);
    out.int64(age);
  }

  static Former decode(Decoder in, int delay) throws ModelFileException {
    Race race = in.section("race", Race::decode);
    Ensemble experts = in.section("experts", file -> Ensemble.decode(file, delay));
    Decoder.check(
        experts.isFor(race.task()), "experts must have the task of the race", race.task());
    Former read = new Former(race, experts, Contradiction.decode(in));
    read.lead.decode(in);
    read.age = in.count("the age of the copy");
    return read;
  }
}
