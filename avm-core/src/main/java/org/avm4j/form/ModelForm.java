package org.avm4j.form;

import java.util.List;
import java.util.Optional;
import org.avm4j.Features;
import org.avm4j.Predictor;
import org.avm4j.internal.ScaleFactor;

/**
 * The computation of a frozen model, in a form that exporters can write. Scores are in the order of
 * {@link Predictor#classes}; features and labels are those after the preparation, if there is one.
 */
public sealed interface ModelForm {
  /**
   * Relative difference up to which squared distances count as equal. It is far above the rounding
   * of doubles, so that every program that computes in doubles finds the same ties, and far below
   * meaningful differences in data.
   */
  double SAME_DISTANCE = 1e-9;

  /** The number of features that the scores depend on. */
  int dimension();

  /** Calls the method of the visitor that is for this form. */
  <T, E extends Exception> T accept(Visitor<T, E> visitor) throws E;

  /** The simplest form that gives the same scores. */
  default ModelForm simplest() {
    return this;
  }

  /**
   * An operation on forms, with a method for each kind of form.
   *
   * @param <T> the type of the result
   * @param <E> the type of the exception that the operation may throw
   */
  interface Visitor<T, E extends Exception> {
    /** For one kernel expansion. */
    default T machine(Machine form) throws E {
      return other(form);
    }

    /** For a tree of machines. */
    default T tree(Tree form) throws E {
      return other(form);
    }

    /** For votes of pairs of classes. */
    default T votes(Votes form) throws E {
      return other(form);
    }

    /** For the distance to the nearest instances. */
    default T density(Density form) throws E {
      return other(form);
    }

    /** For boosted decision trees. */
    default T boosted(Boosted form) throws E {
      return other(form);
    }

    /** For clusters. */
    default T cells(Cells form) throws E {
      return other(form);
    }

    /** For all forms that have no method of their own. */
    T other(ModelForm form) throws E;
  }

  private static int features(KernelExpansion machine) {
    int linear = machine.columns() == 0 ? 0 : machine.linear(0).length - 1;
    return Math.max(machine.dimension(), linear);
  }

  /**
   * One kernel expansion.
   *
   * @param machine gives the scores
   */
  record Machine(KernelExpansion machine) implements ModelForm {
    @Override
    public int dimension() {
      return ModelForm.features(machine);
    }

    @Override
    public <T, E extends Exception> T accept(Visitor<T, E> visitor) throws E {
      return visitor.machine(this);
    }
  }

  /**
   * A tree of machines. With t the sum of gate times score over the nodes on the path of x, p the
   * {@linkplain Node#part part} of the leaf that it ends in, and l the scores of the live machine,
   * the scores are l + p (t - l); without a live machine t, and without a tree l.
   *
   * @param live learns all instances beside the tree
   * @param root the node where all paths start
   */
  record Tree(Optional<KernelExpansion> live, Optional<Node> root) implements ModelForm {
    @Override
    public int dimension() {
      return Math.max(live.map(ModelForm::features).orElse(0), root.map(Node::dimension).orElse(0));
    }

    /** {@inheritDoc} A tree that did not grow is its live machine. */
    @Override
    public ModelForm simplest() {
      return root.isEmpty() && live.isPresent() ? new Machine(live.get()) : this;
    }

    @Override
    public <T, E extends Exception> T accept(Visitor<T, E> visitor) throws E {
      return visitor.tree(this);
    }
  }

  /**
   * A region of a tree. An instance goes on to the child with the nearest centre; of centres that
   * are equally near by {@link #SAME_DISTANCE}, to the first. It stays in a region without
   * children.
   *
   * @param gate the factor of the scores of the machine
   * @param part the weight of the tree in the mixture, for paths that end here
   * @param machine corrects the scores of the regions above
   * @param centres the centre of each child
   * @param children the regions below
   */
  record Node(
      double gate,
      double part,
      KernelExpansion machine,
      List<Features> centres,
      List<Node> children) {
    /** The number of features that matter here or below. */
    int dimension() {
      int here = centres.stream().mapToInt(Features::dimension).max().orElse(0);
      int below = children.stream().mapToInt(Node::dimension).max().orElse(0);
      return Math.max(ModelForm.features(machine), Math.max(here, below));
    }
  }

  /**
   * Votes of pairs of classes. The score of class c is its lead plus one for each pair that it
   * wins.
   *
   * @param decisions a score for each pair; above 0 the first class of the pair wins, else the
   *     second
   * @param pairs the classes of each pair
   * @param leads the lead of each class, less than 1
   */
  record Votes(KernelExpansion decisions, List<Pair> pairs, List<Double> leads)
      implements ModelForm {
    @Override
    public int dimension() {
      return ModelForm.features(decisions);
    }

    @Override
    public <T, E extends Exception> T accept(Visitor<T, E> visitor) throws E {
      return visitor.votes(this);
    }
  }

  /**
   * Two classes by their places in the order of the scores.
   *
   * @param first the class that wins if the score of the pair is above 0
   * @param second wins elsewhere
   */
  record Pair(int first, int second) {}

  /**
   * The distance to the nearest instances with a total weight of {@code mass}, each taken to be at
   * the centre of its cell: score² = 1/mass Σ_j m_j ‖z - c_j‖², 0 ≤ m_j ≤ n_j, Σ_j m_j = mass, as
   * small as can be. A score from the threshold on is an anomaly.
   *
   * @param scales how feature i becomes z_i
   * @param centres c_j
   * @param counts n_j
   * @param mass the total weight of the nearest instances that count
   * @param threshold the least score of an anomaly
   */
  record Density(
      List<FeatureScale> scales,
      List<Features> centres,
      List<Double> counts,
      double mass,
      double threshold)
      implements ModelForm {
    @Override
    public int dimension() {
      return scales.size();
    }

    @Override
    public <T, E extends Exception> T accept(Visitor<T, E> visitor) throws E {
      return visitor.density(this);
    }
  }

  /**
   * Boosted decision trees. The scores are the constants, and tree t adds the number of the leaf
   * that x belongs to to the score at the place t modulo the number of scores.
   *
   * @param constants what the scores start from
   * @param trees the trees
   */
  record Boosted(List<Double> constants, List<Thresholds> trees) implements ModelForm {
    @Override
    public int dimension() {
      return 1
          + trees.stream()
              .flatMap(tree -> tree.nodes().stream())
              .mapToInt(Threshold::feature)
              .max()
              .orElse(-1);
    }

    @Override
    public <T, E extends Exception> T accept(Visitor<T, E> visitor) throws E {
      return visitor.boosted(this);
    }
  }

  /**
   * A decision tree. An instance starts at the first node.
   *
   * @param nodes the nodes, children after their parents
   */
  record Thresholds(List<Threshold> nodes) {}

  /**
   * A node of a decision tree. An instance goes left if its feature is below the number; if its
   * feature is 0, the node decides.
   *
   * @param feature the feature that decides; -1 for a leaf
   * @param number the threshold, or the value of a leaf
   * @param zeroGoesLeft where 0 goes
   * @param left the place of the left child, which the right one follows
   */
  record Threshold(int feature, double number, boolean zeroGoesLeft, int left) {}

  /**
   * Cells with the numbers of their clusters. An instance belongs to the cluster of the cell whose
   * centre is nearest to z, if that is within the reach of the cell; else to none, which is -1.
   *
   * @param scales how feature i becomes z_i
   * @param centres c_j
   * @param weights the weight of the instances in each cell
   * @param reaches the largest distance from each centre
   * @param numbers the number of the cluster of each cell; -1 for noise
   */
  record Cells(
      List<FeatureScale> scales,
      List<Features> centres,
      List<Double> weights,
      List<Double> reaches,
      List<Integer> numbers)
      implements ModelForm {
    @Override
    public int dimension() {
      return scales.size();
    }

    @Override
    public <T, E extends Exception> T accept(Visitor<T, E> visitor) throws E {
      return visitor.cells(this);
    }
  }

  /**
   * The map z = (x - origin) factor, kept within ±1e6. A feature that was constant has the factor
   * 0; {@link #factor(double)} is then the factor that it would have if x were its next value.
   *
   * @param origin where z is 0
   * @param factor what a difference is multiplied by; 0 if the feature was constant
   * @param rows the number of rows seen
   * @param count the number of rows in which the feature was not 0
   * @param mean the mean over those rows
   * @param absolutes the sum of absolute deviations
   */
  record FeatureScale(
      double origin, double factor, long rows, long count, double mean, double absolutes) {
    /** The value that became z; the origin if the feature was constant. */
    public double original(double z) {
      return factor > 0 ? origin + z / factor : origin;
    }

    /** The factor on the difference from the origin, for this value. */
    public double factor(double value) {
      return factor > 0 ? factor : ScaleFactor.with(value, rows, count, mean, absolutes);
    }
  }
}
