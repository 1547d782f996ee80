package org.avm4j.auto.constants;

import java.util.List;

/**
 * The numbers of automatic mode that were chosen and might be others. Where a value was measured,
 * the measurement stands beside it; the others are round numbers. Whole parts can be left out in
 * the arena ({@code ./avm-bench/run arena}), which tells what each is worth.
 *
 * <p>Not here are limits that only tell forged files, and tiny numbers that avoid a division by
 * zero: they stand beside the code that needs them.
 */
public final class Constants {

  // --- how many rows ---

  /** The rows that tell enough for all settings. An expert that wakes up works this long. */
  public static final int WARM_UP = 2048;

  /** The most rows on which settings are judged; the answer is compared with the lead over them. */
  public static final int SEARCH_ROWS = 2 * WARM_UP;

  /**
   * After these rows there is a second search. A rival has as long to win. Boosted trees grow from
   * a sample of this size.
   */
  public static final int MANY_ROWS = 4 * WARM_UP;

  /** The most rows that are kept for a search, and the longest rest of an expert. */
  public static final int MOST_ROWS = 8 * WARM_UP;

  /** Rows between two reviews of the experts. */
  public static final int REVIEW = WARM_UP / 2;

  /** The rows over which experts are weighted: they average out chance and follow a change. */
  public static final double WINDOW = 1000;

  /**
   * The latest rows that neighbours, a forest and, without labels, a graph remember. Of 20,000
   * generated digits with 1 % of the labels, the graph alone is wrong on 39.2 % without such rows,
   * on 27.6 % with 1,000 and on 24.1 % with 2,000.
   */
  public static final int RECENT_ROWS = 2000;

  /** The latest rows with a label that the graph remembers. */
  public static final int LABELLED_ROWS = RECENT_ROWS / 2;

  /** The rows to which the machines that forget look back. Only the last two do without labels. */
  public static final List<Integer> HORIZONS = List.of(50, 100, 300, 1000);

  /** The labels of numbers that a linear expert sees: the latest ones, and that of a day before. */
  public static final List<Integer> LAGS = List.of(1, 2, 3, 24);

  // --- how large ---

  /**
   * The points of a machine that forgets, of the kernel expert and of a trial, and the rows below
   * which nothing can be told. On metrotraffic, 10,000 rows, the error of the mixture is 758 with
   * 64 points in the kernel expert, 735 with 128 and 719 with 256, at four times the cost of 128.
   */
  public static final int POINTS = 128;

  /** The points of a machine that forgets and sees the latest label. */
  public static final int FEW_POINTS = POINTS / 2;

  /** The most values of features that are kept for a search. */
  public static final long MOST_VALUES = (long) MOST_ROWS * POINTS;

  /** The most inputs of whatever has a dense matrix: linear models, linear parts, metrics. */
  public static final int MOST_INPUTS = 512;

  /**
   * The most features of what looks at many rows or at all pairs of features, and the most classes
   * that have an input of their own.
   */
  public static final int FEW_INPUTS = 64;

  /** The models of the past that are kept; then the oldest gives way. */
  public static final int MOST_FROZEN = 4;

  // --- how sure ---

  /** Standard errors by which one learner is clearly better than another, and an error is large. */
  public static final double SURE = 3;

  /** Standard errors by which a learner has to give way to another. */
  public static final double VERY_SURE = 2 * SURE;

  /** Errors and inputs beyond this many deviations count as this, so that no row decides alone. */
  public static final double FARTHEST = 5;

  /** A number beyond this many deviations is an outlier. */
  public static final double OUTLIER = 2 * FARTHEST;

  /** Probability of a false alarm when the error is watched. */
  public static final double FALSE_ALARM = 0.002;

  /** The weight of the hinge loss of an answer, beside 1 for a mistake. */
  public static final double PART_OF_MARGIN = 0.1;

  /** Squared deviations by which the stack is drawn towards its first member. */
  public static final double STACK_RIDGE = 3;

  /**
   * A part that hardly counts. Experts may rest as long as that raises the loss of the stack by at
   * most this in all: with 0.01 the error on a generated stream of moving centres is 4 % higher,
   * and the time the same. No feature has less weight: one that is not needed yet may be later.
   */
  public static final double NEGLIGIBLE = 0.001;

  // --- work, in multiplications ---

  /** Work of a step that does not depend on the size of a learner. */
  public static final long LEAST_WORK = 1 << 12;

  /** Work for a row of the cheap experts beside the learner, unless there are many inputs. */
  public static final long WORK_OF_CHEAP = 1 << 15;

  /** Work for a row of all experts beside a tree, unless there are many inputs. */
  public static final long WORK_OF_ALL = 1 << 17;

  /** Work of boosted trees for a row while they grow, unless a single tree takes more. */
  public static final long WORK_OF_BOOSTING = 1 << 20;

  /** The work of a slice of a search, a few milliseconds. */
  public static final long SLICE = 1 << 22;

  /** The size of a tree counts up to this: it asks one region only. */
  public static final int MOST_IN_TREE = 256;

  /**
   * Multiplications that take as long as one addition to a histogram, which is not vectorised: 3.9
   * to 6.0 on 4,096 rows of four data sets.
   */
  public static final long WORK_OF_ADDITION = 4;

  /**
   * Multiplications that take as long as sorting one value into its bin: 210 to 410 on the same
   * data.
   */
  public static final long WORK_OF_SORTING = 256;

  // --- the search for settings ---

  /** With 4 folds thirty streams of 1,000 rows have 4 % more error, in nine tenths of the time. */
  public static final int FOLDS = 8;

  /** The most rounds in which widths, or metrics, are tried. */
  public static final int ROUNDS = 4;

  /** Ratio of losses below which a metric or a linear part is worth having. */
  public static final double CLEARLY = 0.98;

  /** Widths follow the distances of this number of rows. */
  public static final int DISTANCES = 200;

  /** Gradients for a metric are taken at about this number of rows. */
  public static final int GRADIENTS = SEARCH_ROWS / 8;

  /** The step of recursive feature machines, and half of it. */
  public static final List<Double> POWERS = List.of(0.5, 0.25);

  /** Widths of Gaussian kernels that are tried, as γ times the mean squared distance. */
  public static final List<Double> GAUSSIAN = List.of(0.1, 0.4, 1.5, 6.0);

  /** The same for Laplacian kernels. */
  public static final List<Double> LAPLACIAN = List.of(0.5, 2.0);

  /** The trees that tell which features matter, over all classes, and the fewest for each. */
  public static final int GAIN_TREES = 40;

  /** The shrinkage of those trees. */
  public static final double GAIN_SHRINKAGE = 0.3;

  // --- boosted trees ---

  /**
   * The most inputs. With 512, w8a (300 features) and slice_sub (385) have no lower error, and take
   * up to four times the time.
   */
  public static final int BOOSTED_INPUTS = 256;

  /** The depth of a boosted tree. */
  public static final int DEPTH = 6;

  /** The most rounds of boosting. */
  public static final int BOOSTING_ROUNDS = 90;

  /** The most boosted trees: with many classes there are fewer rounds, which learn more each. */
  public static final int BOOSTED_TREES = 1024;

  /** No trees are grown for more scores, rows times classes: memory is in proportion to them. */
  public static final long BOOSTED_SCORES = (long) MANY_ROWS * POINTS;

  /** The sum of the shrinkages of all rounds. */
  public static final double BOOSTING_STEPS = 10;

  /** The part of the rows and of the columns that a boosted tree is grown from. */
  public static final double BOOSTING_PART = 0.8;

  // --- the forest ---

  /** Rows after which the trees are grown anew. */
  public static final int FOREST_EVERY = 160;

  /** The trees of the forest. */
  public static final int FOREST_TREES = 12;

  /**
   * The mean age of a tree's rows. With 200, 600 and 2,000 in turn the error is the same on the
   * median of 24 streams; thresholds on changing columns have 4 % more, ijcnn1 has 3 % less.
   */
  public static final double FOREST_AGE = 600;

  /** The bins of a feature. */
  public static final int FOREST_BINS = 32;

  /** The depth of a tree. */
  public static final int FOREST_DEPTH = 10;

  /** The fewest rows of a leaf. */
  public static final int FOREST_LEAF = 4;

  // --- neighbours, machines, the kernel expert ---

  /** Neighbours whose labels are averaged. */
  public static final int NEAREST = 5;

  /**
   * The width of the kernel expert, as γ times the mean squared distance. On metrotraffic, 10,000
   * rows, the error of the mixture is 735; with width 1.5 it is 759, with width 0.1 and a prior of
   * 0.1 it is 746, and 769 without this expert.
   */
  public static final double KERNEL_WIDTH = GAUSSIAN.get(1);

  /** The prior of the kernel expert. */
  public static final double KERNEL_PRIOR = 1;

  /** Its points that are the latest rows: 738 with 8 of them on the same rows, 751 with 96. */
  public static final int LATEST_POINTS = POINTS / 4;

  /** The prior of a machine that forgets. */
  public static final double MACHINE_PRIOR = 0.1;

  /** γ of a machine with the latest label, as a part of that of the learner that leads. */
  public static final double NARROWNESS_WITH_LABEL = 0.25;

  /**
   * Two rows that differ in the latest label alone are this part of the mean distance apart, so
   * that the kernel hardly sees it: it is the linear part of a machine that makes use of it.
   */
  public static final double LABEL_PART = 0.3;

  // --- the graph of rows without labels ---

  /**
   * Links of a point. Of 20,000 rows of letter.scale with 5 % of the labels, 35.7 % are answered
   * wrongly by the graph alone with 7 links, 37.0 % with 10 and 39.6 % with 15.
   */
  public static final int LINKS = 7;

  /** How much more a near link counts than a far one. */
  public static final double SHARPNESS = 2;

  /**
   * The weight of the label of a row against those of its neighbours, each of which is 1 or less.
   */
  public static final double ANCHOR = 10;

  /**
   * What is lost from link to link. With 0 single labels flood whole regions; 0.1 to 1 are alike.
   */
  public static final double LOSS = 0.3;

  /** Points whose shares are renewed with each row, so that all are once in about 50 rows. */
  public static final int RENEWED = 60;

  /** Neighbours of a new row whose differences to it the metric learns. */
  public static final int METRIC_NEIGHBOURS = 3;

  /**
   * What keeps directions in which neighbours hardly differ from counting without end. With 5 % of
   * the labels and 0.3 the graph alone is wrong on 26.9 % of letter.scale and 13.9 % of generated
   * digits, with 1 on 28.9 and 12.1 %.
   */
  public static final double METRIC_RIDGE = 0.5;

  private Constants() {}
}
