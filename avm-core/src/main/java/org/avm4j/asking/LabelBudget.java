package org.avm4j.asking;

import java.util.Arrays;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;

/**
 * Decides for which rows of a stream a label is asked: the less sure an answer is, the more often,
 * and for some rows at random, within a budget (Žliobaitė et al. 2014, Active learning with
 * drifting streaming data).
 *
 * <pre>{@code
 * LabelBudget budget = new LabelBudget(new AskOptions(0.05), 1);
 * if (budget.ask(learner.answer(x))) {
 *   learner.learn(x, labelOf(x));
 * }
 * }</pre>
 *
 * <p>An answer is unsure if its two best classes have nearly the same score. Its margin is compared
 * with the latest {@value #WINDOW} margins: the rank, from 0 for the least sure to 1, is drawn
 * uniformly among ties, so that it is uniform in [0, 1] while the stream does not change. With s
 * the share of rows to ask for, and k = {@value #STEEPNESS}, or 1/s - 1 if that is less, the label
 * of a row of rank r is asked for with the probability
 *
 * <pre>s (1 + k) (1 - r)^k</pre>
 *
 * <p>which is at most 1, and s on average. A part of the rows is asked for with the probability s
 * instead, whatever the rank, and so are all rows whose answers are numbers, which have no margin.
 *
 * <p>The budget is a bucket of {@value #TOKENS} tokens, half full at the start. Each row adds its
 * share of a token, each label takes one. The share s is that of the budget times twice the level
 * of the bucket, from 0 if it is empty to twice the budget if it is full; a row that finds it full
 * is asked for in any case, and so is the first row, since nothing is known before it. The level
 * tends to one half, where it begins: the labels of the first n rows differ from n times the share
 * by at most half the bucket, and by nothing on average; those of any n consecutive rows by at most
 * the bucket.
 *
 * <p>It belongs to one thread. In a file: both shares (8 each), the state of the generator (8), the
 * tokens (8), the numbers of rows and labels (8 each), the number of margins (4), and these from
 * the oldest to the latest (8 each).
 */
public final class LabelBudget {
  /**
   * The number of latest margins that a new one is compared with; short enough to follow a change.
   */
  static final int WINDOW = 512;

  /** Largest difference between the labels of consecutive rows and their budget. */
  static final int TOKENS = 16;

  /**
   * Power of the fall of the probability with the rank: the mean rank of the rows that are asked
   * for is 1 / (2 + k), a tenth. With 4 errors are about the same. Where the least sure rows alone
   * were asked for, four of 24 streams were worse by more than 3 % than with random labels.
   */
  static final double STEEPNESS = 8;

  private final AskOptions options;
  private final double[] margins = new double[WINDOW];
  private long generator;
  private double tokens = TOKENS / 2.0;
  private long rows;
  private long labels;

  /** An unspent budget. */
  public LabelBudget(AskOptions options, long seed) {
    this.options = options;
    generator = seed;
  }

  /** The number of rows that were answered. */
  public long rows() {
    return rows;
  }

  /** The number of labels that were asked for. */
  public long labels() {
    return labels;
  }

  /** Decides whether to ask for the label of a row, and counts the row. */
  public boolean ask(Prediction answer) {
    boolean isAsked = isWorthAsking(answer);
    count(answer, isAsked);
    return isAsked;
  }

  /** Whether {@link #ask} would ask for the label of a row; nothing changes. */
  public boolean isWorthAsking(Prediction answer) {
    SplitMix random = new SplitMix(generator);
    double uniform = random.getAsDouble();
    boolean isRandom = random.getAsDouble() < options.randomShare();
    double share = Math.min(1, options.share() * 2 * tokens / TOKENS);
    double rank = rank(margin(answer), uniform);
    boolean isDrawn = random.getAsDouble() < (isRandom ? share : probability(rank, share));
    boolean isFull = tokens + options.share() > TOKENS;
    return isFull || rows == 0 || tokens + options.share() >= 1 && isDrawn;
  }

  /** The probability of asking for a row of some rank if a share of all rows is asked for. */
  private static double probability(double rank, double share) {
    double power = Math.min(STEEPNESS, 1 / share - 1);
    return share * (1 + power) * StrictMath.pow(1 - rank, power);
  }

  /**
   * Counts a row that was answered.
   *
   * @param isAsked whether its label was asked for
   */
  public void count(Prediction answer, boolean isAsked) {
    SplitMix random = new SplitMix(generator);
    random.nextLong();
    random.nextLong();
    random.nextLong();
    generator = random.state();
    margins[(int) (rows % WINDOW)] = margin(answer);
    rows++;
    labels += isAsked ? 1 : 0;
    double left = tokens + options.share() - (isAsked ? 1 : 0);
    tokens = Math.max(0, Math.min(TOKENS, left));
  }

  /** The place among the latest margins, from 0 to 1; among equal ones it is drawn. */
  private double rank(double margin, double uniform) {
    int count = (int) Math.min(rows, WINDOW);
    int below = 0;
    int equal = 1;
    for (int i = 0; i < count; i++) {
      below += margins[i] < margin ? 1 : 0;
      equal += margins[i] == margin ? 1 : 0;
    }
    return (below + uniform * equal) / (count + 1);
  }

  /** How far the best class is ahead of the next; 0 where no class is known, and for numbers. */
  private static double margin(Prediction answer) {
    double[] scores = answer.scores();
    if (Double.isNaN(answer.label()) || answer.classes().length < 2) {
      return 0;
    }
    if (scores.length == 1) {
      return Math.abs(scores[0]);
    }
    Arrays.sort(scores);
    return scores[scores.length - 1] - scores[scores.length - 2];
  }

  /** Appends the whole state. */
  public void encode(Encoder out) {
    out.float64(options.share());
    out.float64(options.randomShare());
    out.int64(generator);
    out.float64(tokens);
    out.int64(rows);
    out.int64(labels);
    int count = (int) Math.min(rows, WINDOW);
    out.int32(count);
    for (long row = rows - count; row < rows; row++) {
      out.float64(margins[(int) (row % WINDOW)]);
    }
  }

  /** What {@link #encode} appended. */
  public static LabelBudget decode(Decoder in) throws ModelFileException {
    double share = in.finite("the share of labels");
    double randomShare = in.finite("the share of random labels");
    Decoder.check(share > 0 && share <= 1, "a share of labels must be above 0", share);
    Decoder.check(
        randomShare >= 0 && randomShare <= 1, "a random share must be from 0 to 1", randomShare);
    LabelBudget budget = new LabelBudget(new AskOptions(share, randomShare), in.int64());
    budget.tokens = in.finite("the tokens");
    Decoder.check(budget.tokens >= 0 && budget.tokens <= TOKENS, "tokens must fit", budget.tokens);
    budget.rows = in.count("the rows answered");
    budget.labels = in.count("the labels asked for");
    int count = in.int32("the margins", WINDOW);
    Decoder.check(count == Math.min(budget.rows, WINDOW), "margins must be of rows", count);
    for (long row = budget.rows - count; row < budget.rows; row++) {
      budget.margins[(int) (row % WINDOW)] = in.finite("a margin");
    }
    return budget;
  }
}
