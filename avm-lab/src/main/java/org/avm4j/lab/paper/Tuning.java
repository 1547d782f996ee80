package org.avm4j.lab.paper;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.avm4j.Predictor;
import org.avm4j.data.Instance;
import org.avm4j.lab.baseline.Baselines;
import org.avm4j.spec.GridSearch;
import org.avm4j.spec.GridSearch.Axis;
import org.avm4j.spec.Judge;
import org.avm4j.spec.Judges;
import org.avm4j.spec.PaperGrids;

/**
 * Finds the best point of the paper's grids for a method, by the same procedure for all methods. An
 * online method learns a sample of the training rows in one order, AVM in three, and its
 * prequential error decides. A batch method learns four fifths of its sample and answers the last
 * fifth. δ, the budget and the number of random features are those of the paper. To limit the time,
 * the sample is small, and the number of random features and the budget of costly methods are
 * reduced.
 *
 * <p>λ is searched as λN. In classification only signs count, and N is the number of rows in the
 * sample, so that λN can be used for all rows. In regression the size of the first steps, 1/(λt),
 * counts, and N is the number of all training rows, so that a search is like the beginning of a
 * run.
 *
 * <p>The paper holds out a fifth for all methods. But the last iterate of an online method varies
 * strongly, so a fifth of a small sample says little about it.
 */
public final class Tuning {
  private static final int MOST = 300;
  private static final List<Contender> COSTLY =
      List.of(
          Contender.NOGD, Contender.LLSVM, Contender.PROJECTRON, Contender.PROJECTRON_PLUS_PLUS);
  private static final long SEED = 1;

  /** The axes in alphabetical order, which decides between equally good points. */
  private static final List<Axis> AXES =
      List.of(
          Axis.of("cost", PaperGrids.cost()),
          Axis.of("eta", PaperGrids.eta()),
          Axis.of("gamma", PaperGrids.gamma()),
          Axis.of("nlambda", PaperGrids.lambda(1)));

  private final DataSet set;
  private final Samples samples;

  /**
   * The result of a search.
   *
   * @param settings the best point of the grid
   * @param metric its error: mistakes in percent, or RMSE
   * @param rows the number of rows in the sample
   */
  public record Found(Settings settings, double metric, int rows) {}

  /** Tunes on these rows. */
  public Tuning(DataSet set, Samples samples) {
    this.set = set;
    this.samples = samples;
  }

  /**
   * Finds the best point of the grid for a method, on a sample of at most {@code rows} rows; in
   * case of a tie, the first one.
   */
  public Found find(Contender contender, int rows) {
    int most = Math.min(rows, samples.train().size());
    List<Instance> sample = List.copyOf(Samples.shuffled(samples.train(), SEED).subList(0, most));
    List<Axis> axes = AXES.stream().filter(axis -> isUsed(contender, axis.option())).toList();
    GridSearch search = new GridSearch(axes, judge(contender.searchedAs(), sample));
    GridSearch.Trial best =
        Collections.min(
            search.run(Runnable::run, trial -> {}),
            Comparator.comparingDouble(GridSearch.Trial::metric));
    return new Found(Settings.NONE.with(best.point()), best.metric(), most);
  }

  /** Whether a setting is searched; the Perceptron family has no η in classification. */
  private boolean isUsed(Contender contender, String key) {
    List<Contender> perceptrons = List.of(Contender.RBP, Contender.FORGETRON, Contender.PROJECTRON);
    boolean takesWholeSteps = perceptrons.contains(contender) && !set.task().isRegression();
    return contender.keys().contains(key) && !(key.equals("eta") && takesWholeSteps);
  }

  private Judge judge(Contender contender, List<Instance> sample) {
    if (contender.isBatch()) {
      return Judges.holdout(set.task(), (point, rows) -> train(contender, point, rows), sample);
    }
    List<List<Instance>> orders = new ArrayList<>(List.of(sample));
    for (int order = 2; order <= orders(contender); order++) {
      orders.add(Samples.shuffled(sample, order));
    }
    int n = set.task().isRegression() ? samples.train().size() : sample.size();
    return Judges.prequential(
        set.task(),
        point -> contender.online(set.task(), settings(contender, point), n, SEED),
        orders,
        0);
  }

  private Predictor train(Contender contender, Map<String, Double> point, List<Instance> rows) {
    Settings settings = settings(contender, point);
    return Baselines.create(contender.batch(set.task(), settings, SEED)).train(rows);
  }

  private Settings settings(Contender contender, Map<String, Double> point) {
    return cut(contender, set.settings()).with(Settings.NONE.with(point)).only(contender.keys());
  }

  /** The number of orders; with steps of 1/(λt) the first answers depend strongly on the order. */
  private static int orders(Contender contender) {
    return contender.isAvm() ? 3 : 1;
  }

  /** Reduces the budget and the number of features of costly methods. */
  private static Settings cut(Contender contender, Settings given) {
    int budget = given.whole("budget", 0);
    int features = given.whole("features", 0);
    Settings cut =
        COSTLY.contains(contender) ? given.with("budget", Math.min(budget, MOST)) : given;
    return cut.with("features", Math.min(features, 2 * MOST));
  }

  /** The methods of the paper that can be tuned on this data. */
  public static List<Contender> contenders(DataSet set) {
    List<Contender> all = new ArrayList<>();
    for (Contender contender : Contender.values()) {
      boolean takesPart =
          Arrays.stream(Study.values())
              .anyMatch(study -> set.suits(study) && contender.takesPart(study, set.task()));
      if (takesPart && !contender.isOurs()) {
        all.add(contender);
      }
    }
    return all;
  }
}
