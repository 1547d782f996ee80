package org.avm4j.auto.constants;

import java.util.List;

/**
 * The tuned numbers of automatic mode. If a value was measured, its Javadoc gives the measurement;
 * the others are round numbers. The arena ({@code ./avm-bench/run arena}) can leave out whole parts
 * and so shows what each of them contributes.
 *
 * <p>Limits that only serve to reject forged files, and tiny numbers that avoid a division by zero,
 * are not here but in the code that needs them.
 */
public final class Constants {

  // --- how many rows ---

  /** Rows that are enough to choose all settings; also the trial of an expert after a rest. */
  public static final int WARM_UP = 2048;

  /** The most rows for judging settings; also the window for comparing answer and lead. */
  public static final int SEARCH_ROWS = 2 * WARM_UP;

  /** Rows before the second search, rows that a rival has to win, and sample of boosted trees. */
  public static final int MANY_ROWS = 4 * WARM_UP;

  /** The most rows stored for a search. */
  public static final int MOST_ROWS = 8 * WARM_UP;

  /** Rows between two reviews of the experts. */
  public static final int REVIEW = WARM_UP / 2;

  /** Window for weighting experts, in rows: averages out chance, and follows a change. */
  public static final double WINDOW = REVIEW;

  /**
   * The number of latest rows that neighbours and the forest remember, and of latest rows without
   * labels that the graph remembers. On 20,000 generated digits with 1 % of the labels, the error
   * of the graph alone is 39.2 % without unlabelled rows, 27.6 % with 1,000 and 24.1 % with 2,000.
   */
  public static final int RECENT_ROWS = 2000;

  /** The number of latest labelled rows that the graph remembers. */
  public static final int LABELLED_ROWS = RECENT_ROWS / 2;

  /**
   * Windows of the machines that forget, in rows. All see the latest label as an input; the last
   * two also exist without it.
   */
  public static final List<Integer> HORIZONS = List.of(50, 100, 300, 1000);

  /** Lags of numeric labels that a linear expert sees: the latest three, and a day of hours. */
  public static final List<Integer> LAGS = List.of(1, 2, 3, 24);

  // --- how large ---

  /**
   * The number of points of a machine that forgets, of the kernel expert and of a trial; also the
   * fewest rows from which anything is concluded. On metrotraffic, 10,000 rows, the error of the
   * mixture is 758 with 64 points in the kernel expert, 735 with 128, and 719 with 256 at four
   * times the cost.
   */
  public static final int POINTS = 128;

  /** The number of points of a machine that forgets and sees the latest label. */
  public static final int FEW_POINTS = POINTS / 2;

  /** The most feature values stored for a search. */
  public static final long MOST_VALUES = (long) MOST_ROWS * POINTS;

  /** The most inputs of learners with a dense matrix: linear models, linear parts, metrics. */
  public static final int MOST_INPUTS = 512;

  /** The most features of experts that compare rows or pairs of features; the most class inputs. */
  public static final int FEW_INPUTS = 64;

  /** The most frozen models of the past; a new one replaces the oldest. */
  public static final int MOST_FROZEN = 4;

  // --- how sure ---

  /** Standard errors of a clear difference; also deviations beyond which an error is large. */
  public static final double SURE = 3;

  /**
   * Standard errors by which a learner must be better to replace another; also the limit on errors
   * and inputs, in deviations, so that no single row decides.
   */
  public static final double VERY_SURE = 2 * SURE;

  /** A number farther from the mean than this, in deviations, is an outlier. */
  public static final double OUTLIER = 2 * VERY_SURE;

  /**
   * Probability of a false alarm when the error is watched: that of {@link #SURE} standard errors.
   */
  public static final double FALSE_ALARM = 0.0027;

  /** The weight of the hinge loss of an answer; a mistake has weight 1. */
  public static final double PART_OF_MARGIN = 0.1;

  /**
   * A negligible fraction. Experts may rest as long as the loss of the stack grows by at most this
   * fraction in total: with 0.01 the error on a generated stream of moving centres is 4 % higher,
   * and the time the same. It is also the smallest weight of a feature, because a feature that is
   * not needed yet may be needed later.
   */
  public static final double NEGLIGIBLE = 0.001;

  // --- work, in multiplications ---

  /** The fixed part of the work of a step, whatever the size of the learner. */
  public static final long LEAST_WORK = 1 << 12;

  /** Work of all experts for one row, unless there are many inputs. */
  public static final long WORK_OF_EXPERTS = 1 << 17;

  /** The work of a slice of a search, a few milliseconds. */
  public static final long SLICE = 1 << 22;

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

  /**
   * Folds of the cross-validation. With 4 folds, thirty streams of 1,000 rows have 4 % more error
   * in nine tenths of the time.
   */
  public static final int FOLDS = 8;

  /** The most rounds in which widths, or metrics, are tried. */
  public static final int ROUNDS = 4;

  /** Ratio of losses below which a metric or a linear part is adopted. */
  public static final double CLEARLY = 0.98;

  /**
   * Factor on the loss of a metric that weights features; that of a matrix has the factor twice.
   * With the factor once for both, streams whose rule changes have 10 % more mistakes.
   */
  public static final double HANDICAP = 1.1;

  /** Approximate number of rows at which gradients for a metric are taken. */
  public static final int GRADIENTS = SEARCH_ROWS / 8;

  /** Powers to which relevances are raised: that of recursive feature machines, and half of it. */
  public static final List<Double> POWERS = List.of(0.5, 0.25);

  /** Widths of Gaussian kernels to try, as γ times the mean squared distance. */
  public static final List<Double> GAUSSIAN = List.of(0.1, 0.4, 1.5, 6.0);

  /** Widths of Laplacian kernels to try, as γ times the mean distance. */
  public static final List<Double> LAPLACIAN = List.of(0.5, 2.0);

  /**
   * Trees over all classes whose gains say which features matter; at least {@link #ROUNDS} each.
   */
  public static final int GAIN_TREES = 40;

  /** The shrinkage of those trees. */
  public static final double GAIN_SHRINKAGE = 0.3;

  // --- boosted trees ---

  /**
   * The most inputs of boosted trees. With 512, w8a (300 features) and slice_sub (385) have no
   * lower error and take up to four times as long.
   */
  public static final int BOOSTED_INPUTS = 256;

  /** The depth of a boosted tree. */
  public static final int DEPTH = 6;

  /** The most rounds of boosting: with more rows each round may explain less. */
  public static final int BOOSTING_ROUNDS = (int) Math.sqrt(MANY_ROWS);

  /** The most boosted trees; with many classes, fewer rounds with a larger shrinkage. */
  public static final int BOOSTED_TREES = 1024;

  /** The most scores, rows times classes, of boosted trees; they determine the memory. */
  public static final long BOOSTED_SCORES = (long) MANY_ROWS * POINTS;

  /** The sum of the shrinkages of all rounds. */
  public static final double BOOSTING_STEPS = 10;

  /** The fraction of the rows and of the columns that each boosted tree is grown from. */
  public static final double BOOSTING_PART = 0.8;

  // --- the forest ---

  /** Rows after which the trees of the forest are grown again. */
  public static final int FOREST_EVERY = 160;

  /** The number of trees in the forest. */
  public static final int FOREST_TREES = 12;

  /**
   * The mean age of a tree's rows. With 200, 600 and 2,000 in turn the error is the same on the
   * median of 24 streams; thresholds on changing columns have 4 % more, ijcnn1 has 3 % less.
   */
  public static final double FOREST_AGE = 600;

  /** The number of bins of a feature. */
  public static final int FOREST_BINS = 32;

  // --- neighbours, machines, the kernel expert ---

  /** The fewest rows whose labels are averaged: the neighbours of a row, the rows of a leaf. */
  public static final int FEW_ROWS = 5;

  /**
   * The width of the kernel expert, as γ times the mean squared distance. On metrotraffic, 10,000
   * rows, the error of the mixture is 735; with width 1.5 it is 759, and 769 without this expert.
   */
  public static final double KERNEL_WIDTH = GAUSSIAN.get(1);

  /**
   * Points of the kernel expert that are the latest rows. With 8 of them the error on the same rows
   * is 738, with 96 it is 751.
   */
  public static final int LATEST_POINTS = POINTS / 4;

  /**
   * The prior of a machine, from which a search starts. For numbers, whose labels have less noise,
   * a search starts from a tenth of it.
   */
  public static final double PRIOR = 0.1;

  /**
   * Distance of rows that differ only in the latest label, as a fraction of the mean distance:
   * small, because the linear part of a machine uses the label and not the kernel.
   */
  public static final double LABEL_PART = 0.3;

  // --- the graph of rows without labels ---

  /**
   * Number of links of a point. On 20,000 rows of letter.scale with 5 % of the labels, the error of
   * the graph alone is 35.7 % with 7 links, 37.0 % with 10 and 39.6 % with 15.
   */
  public static final int LINKS = 7;

  /** The weight of the label of a row: that of all its links together, each of 1 or less. */
  public static final double ANCHOR = LINKS;

  /** Fading of labels per link. With 0, labels flood whole regions; 0.1 to 1 are alike. */
  public static final double LOSS = 0.3;

  /** Points whose shares are renewed with each row: all of them once in the shortest horizon. */
  public static final int RENEWED = (LABELLED_ROWS + RECENT_ROWS) / HORIZONS.get(0);

  /** Neighbours of a new row whose differences to it the metric learns. */
  public static final int METRIC_NEIGHBOURS = LINKS / 2;

  /**
   * Ridge of the local metric, so that directions in which neighbours hardly differ do not get an
   * unbounded weight. With 5 % of the labels, the error of the graph alone is 26.9 % on
   * letter.scale and 13.9 % on generated digits with a ridge of 0.3, and 28.9 % and 12.1 % with 1.
   */
  public static final double METRIC_RIDGE = 0.5;

  private Constants() {}
}
