package org.avm4j.auto.aggregate;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Ablation;

/**
 * Combines the scores of several members: a {@link Mixture} of them all and of their {@link Stack}.
 * On any stretch of the stream the mixture is hardly worse than the best of them; the stack finds
 * weighted sums that are better than any single member. The first member answers alone as long as
 * no other member is ahead of it.
 */
public final class Aggregation {
  private static final String LIMIT = "limit";

  private final Task.Kind task;
  private final int members;
  private final boolean hasStack;
  private final HuberLoss huber;
  private Mixture mixture;
  private Stack stack;

  /** The limit on labels; null for classes. */
  private LabelLimit limit;

  private double[][] scores = {};
  private double[] stacked = {};
  private double[] answer = {};
  private double[] classes = {};

  /**
   * An aggregation in which nothing is known about the members.
   *
   * @param hasStack whether the stack takes part; with few members it is no better than their mean
   */
  public Aggregation(Task.Kind task, int members, boolean hasStack) {
    this.task = task;
    this.hasStack = hasStack && !Ablation.lacks(Ablation.Part.STACK);
    this.members = members;
    huber = new HuberLoss(task);
    mixture = new Mixture(members + 1);
    stack = new Stack(task, members);
    limit = task == Task.Kind.REGRESSION ? new LabelLimit() : null;
  }

  /**
   * Combines scores.
   *
   * @param all the scores by member and column; 0 for a member that does not take part
   * @param labels the labels of the columns in ascending order; empty where there is one column
   * @return the answer, valid until the next call
   */
  public double[] combine(double[][] all, double[] labels) {
    int columns = all[0].length;
    if (answer.length != columns || scores.length == 0) {
      scores = new double[members + 1][columns];
      answer = new double[columns];
      stacked = scores[members];
    }
    classes = labels;
    for (int k = 0; k < members; k++) {
      System.arraycopy(all[k], 0, scores[k], 0, columns);
      huber.limit(scores[k]);
    }
    stack.combine(scores, stacked);
    huber.limit(stacked);
    mixture.combine(scores, answer);
    return answer;
  }

  /**
   * Learns the label of the row that was combined last.
   *
   * @param absent the members that do not take part
   * @return whether the label has a column, so that something was learned
   */
  public boolean learn(double y, double weight, boolean[] absent) {
    if (answer.length == 0) {
      return false;
    }
    double label = limit == null ? y : limit.apply(y, answer[0]);
    if (!huber.hold(label, answer, classes)) {
      return false;
    }
    double[] gains = new double[members + 1];
    for (int k = 0; k <= members; k++) {
      boolean takesPart = k < members ? !absent[k] : hasStack;
      gains[k] = takesPart ? huber.gain(answer, scores[k]) : 0;
    }
    mixture.learn(gains, weight);
    stack.learn(scores, stacked, label, classes, weight);
    if (limit != null) {
      limit.learn(label, answer[0]);
    }
    return true;
  }

  /** The loss of a member: 1 for a wrong class; for numbers the squared error, up to a bound. */
  public double loss(int member, double y) {
    return loss(scores[member], y);
  }

  /** The same for the combined answer. */
  public double loss(double y) {
    return loss(answer, y);
  }

  private double loss(double[] found, double y) {
    return switch (task) {
      case REGRESSION ->
          Math.min(Constants.VERY_SURE * Constants.VERY_SURE, (found[0] - y) * (found[0] - y));
      case BINARY -> (found[0] >= 0) == (y > 0) ? 0 : 1;
      case MULTICLASS, ANOMALY, CLUSTER -> classes[largest(found)] == y ? 0 : 1;
    };
  }

  /** The same as a number from 0 to 1; 0 without an answer. */
  public double error(double y) {
    if (answer.length == 0) {
      return 0;
    }
    double loss = loss(y);
    return task == Task.Kind.REGRESSION ? loss / (loss + 1) : loss;
  }

  /** The index of the largest value; of equal ones the first. */
  private static int largest(double[] values) {
    int largest = 0;
    for (int i = 1; i < values.length; i++) {
      largest = values[i] > values[largest] ? i : largest;
    }
    return largest;
  }

  /** The member with the largest weight, or the number of members if it is the stack. */
  public int heaviest() {
    return largest(mixture.weights());
  }

  /** How the scores of members are combined now. */
  public Blend blend() {
    return new Blend(mixture.weights(), stack.weights());
  }

  /** Whether the first member has all the weight. */
  public boolean isFirstAlone() {
    return mixture.isFirstAlone();
  }

  /**
   * Removes members that the stack does not need, the least useful first.
   *
   * @param mayLeave the members that may be removed
   * @param share the fraction of its loss by which the stack may become worse in total
   * @return the removed members; what was known about them is forgotten
   */
  public List<Integer> dispensable(boolean[] mayLeave, double share) {
    List<Integer> found = new ArrayList<>();
    stack.solve();
    double allowed = share * stack.distance();
    boolean[] asked = mayLeave.clone();
    for (int least = leastUseful(asked); least >= 0; least = leastUseful(asked)) {
      allowed -= stack.worth(least);
      if (allowed < 0) {
        break;
      }
      found.add(least);
      asked[least] = false;
      forget(least);
      stack.solve();
    }
    return found;
  }

  private int leastUseful(boolean[] asked) {
    int least = -1;
    for (int k = 0; k < members; k++) {
      least = asked[k] && (least < 0 || stack.worth(k) < stack.worth(least)) ? k : least;
    }
    return least;
  }

  /** Forgets everything about a member, whose place becomes empty or is taken by another one. */
  public void forget(int member) {
    mixture.forget(member);
    stack.forget(member);
  }

  /** Takes over what another aggregation knows about the first members and the stack. */
  public void takeOver(Aggregation other, int count) {
    mixture.takeOver(other.mixture, count);
    stack.takeOver(other.stack, count);
    limit = other.limit;
  }

  /** Appends what is known about the members. */
  public void encode(Encoder out) {
    mixture.encode(out);
    stack.encode(out);
    out.optional(LIMIT, limit, LabelLimit::encode);
  }

  /** Reads what {@link #encode} wrote. */
  public static Aggregation decode(Decoder in, Task.Kind task, int members, boolean hasStack)
      throws ModelFileException {
    Aggregation all = new Aggregation(task, members, hasStack);
    all.mixture = Mixture.decode(in, members + 1);
    all.stack = Stack.decode(in, task, members);
    if (all.limit != null) {
      all.limit = in.optional(LIMIT, LabelLimit::decode).orElse(all.limit);
    }
    return all;
  }
}
