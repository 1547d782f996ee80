package org.avm4j.tree;

import org.avm4j.Avm;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;
import org.avm4j.points.CoreSet;
import org.avm4j.points.FrozenMachine;

/**
 * A region of an {@link AvmTree}, with a machine that corrects the scores of the regions above it.
 * Only leaves learn. A region that was split is frozen, and its children learn the remaining
 * residual.
 */
final class Region {
  /** Approximate window over which a region is judged, in instances of its own. */
  static final double HORIZON = 500;

  /**
   * Each refused split doubles the number of instances before the next attempt, at most this number
   * of times.
   */
  static final int MOST_REFUSALS = 40;

  /** Smallest spread of a region, as a fraction of its parent's. */
  static final double LEAST_SPREAD = 1.0 / 16;

  static final double LEAST_ROOT_SPREAD = 1e-12;

  private static final String FOLDED = "folded";

  private static final double MOST_ROOT_SPREAD = 1e60;

  final Region parent;
  final double meanSquare;
  final int depth;
  final long born;
  final Gate gate;
  final Gate mix;
  long seen;
  long replayed;
  long foldedAt;
  double lossBefore;
  double lossAfter;
  int refusals;
  Avm learner;
  FrozenMachine frozen;
  Router router;
  Region[] children;
  RecentRows kept;

  Region(Region parent, double meanSquare, long born) {
    this(parent, meanSquare, born, new Gate(), new Gate());
  }

  private Region(Region parent, double meanSquare, long born, Gate gate, Gate mix) {
    this.parent = parent;
    this.meanSquare = meanSquare;
    this.born = born;
    this.gate = gate;
    this.mix = mix;
    depth = parent == null ? 0 : parent.depth + 1;
  }

  boolean isLeaf() {
    return children == null;
  }

  int size() {
    return learner == null ? frozen.size() : learner.size();
  }

  CoreSet core() {
    return learner == null ? frozen.core() : learner.parts().state().core();
  }

  /** The child that an instance belongs to. */
  Region child(Features x) {
    return children[router.route(x)];
  }

  /** Writes the score of each column. */
  void score(Features x, double[] into) {
    if (learner == null) {
      frozen.score(x, into);
    } else {
      learner.parts().scoreColumns(x, into);
    }
  }

  void addClass(double label) {
    if (learner == null) {
      frozen = frozen.withColumn();
    } else {
      learner.parts().columnOf(label);
    }
  }

  /** Adds the effect of its correction on one instance. */
  void judge(Correction correction, double keep) {
    lossBefore = keep * lossBefore + correction.before;
    lossAfter = keep * lossAfter + correction.after;
    gate.add(correction.num, correction.den, keep);
  }

  /** The forgetting factor of its window. */
  double keep() {
    return 1 - 1 / Math.min(Math.max(seen, 1), HORIZON);
  }

  /** Adds the counts and the judgement of the same region of another tree. */
  void take(Region its) {
    double part = its.seen / Math.max(1.0, seen + its.seen);
    lossBefore += part * (its.lossBefore - lossBefore);
    lossAfter += part * (its.lossAfter - lossAfter);
    seen += its.seen;
    replayed += its.replayed;
    refusals = Math.max(refusals, its.refusals);
    gate.merge(its.gate);
    mix.merge(its.mix);
  }

  /** The loss that its correction saves at time t, per instance of the whole stream. */
  double savings(long t) {
    return Math.max(0, lossBefore - lossAfter) * rate(t);
  }

  /** The loss that is left in this region at time t, per instance of the whole stream. */
  double lossLeft(long t) {
    return lossAfter * rate(t);
  }

  private double rate(long t) {
    return share(t) / Math.max(1, Math.min(seen, HORIZON));
  }

  /**
   * Its share of the stream since it was created, not counting the instances that it was created
   * with.
   */
  double share(long t) {
    return (seen - replayed) / Math.max(1.0, t - born);
  }

  void encode(Encoder out) {
    out.float64(meanSquare);
    out.int64(born);
    out.int64(seen);
    out.int64(replayed);
    out.float64(lossBefore);
    out.float64(lossAfter);
    out.int32(refusals);
    gate.encode(out);
    mix.encode(out);
    out.bool(learner != null);
    if (learner == null) {
      out.section("frozen", frozen::encode);
    } else {
      out.section("learner", learner::encode);
    }
    out.bool(router != null);
    out.optional("router", router, Router::encode);
    out.bool(kept != null);
    out.optional("kept", kept, RecentRows::encode);
    if (foldedAt > 0) {
      out.section(FOLDED, section -> section.int64(foldedAt));
    }
  }

  static Region decode(Decoder in, Region parent, TreeOptions options, Columns columns)
      throws ModelFileException {
    double meanSquare = in.finite("the spread of a region");
    double least = parent == null ? LEAST_ROOT_SPREAD : LEAST_SPREAD * parent.meanSquare;
    double most = parent == null ? MOST_ROOT_SPREAD : parent.meanSquare;
    boolean isWithin = meanSquare >= least && meanSquare <= most;
    Decoder.check(isWithin, "a spread must be from " + least + " to " + most, meanSquare);
    long born = in.count("the birth of a region");
    long seen = in.count("the instances of a region");
    long replayed = in.count("the instances that a region began with");
    Decoder.check(replayed <= seen, "a region must have seen what it began with", replayed);
    double lossBefore = in.finite("a loss");
    double lossAfter = in.finite("a loss");
    int refusals = in.int32("the refused splits", MOST_REFUSALS);
    Region region = new Region(parent, meanSquare, born, Gate.decode(in), Gate.decode(in));
    region.seen = seen;
    region.replayed = replayed;
    region.lossBefore = lossBefore;
    region.lossAfter = lossAfter;
    region.refusals = refusals;
    if (in.bool()) {
      region.learner = in.section("learner", Avm::decode);
      options.checkBelowRoot(region.learner, columns);
    } else {
      int width = columns.count() + columns.spare();
      region.frozen = in.section("frozen", s -> FrozenMachine.decode(s, width));
    }
    region.router = in.bool() ? in.section("router", Router::decode) : null;
    int rows = 2 * (parent == null ? options.machine().maxSize() : options.size());
    Task task = options.machine().task();
    region.kept =
        in.bool() ? in.section("kept", s -> RecentRows.decode(s, rows, task, columns)) : null;
    region.foldedAt = in.optional(FOLDED, s -> s.count("when a region was folded")).orElse(0L);
    Decoder.check(region.foldedAt <= seen, "a region must have seen its fold", region.foldedAt);
    if (region.router != null) {
      region.children = new Region[region.router.ways()];
    }
    return region;
  }
}
