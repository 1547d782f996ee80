package org.avm4j.auto.expert;

import java.util.Arrays;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;

/**
 * A random forest (Breiman 2001) that forgets: decision trees over the latest rows, grown again
 * every {@link Constants#FOREST_EVERY} rows. The trees are grown from samples in which older rows
 * are rarer. If the labels depend on thresholds of single features, trees find these sooner than a
 * kernel.
 *
 * <p>One tree is grown with each row that follows, so that no row waits for all of them. The new
 * trees take the place of the old ones together.
 */
public final class Forest extends InputExpert {
  private static final String NEXT = "next";

  private final RowWindow rows;
  private DecisionTrees trees = DecisionTrees.NONE;
  private long seen;

  /** Grows the trees that come next; null while none are grown. */
  private ForestGrowth growth;

  /** All trees that come next, which wait for their row; null if they are not complete. */
  private DecisionTrees next;

  /** A forest without trees; if there are no features, it never gets any. */
  public Forest(Task.Kind task, Inputs inputs, int features) {
    this(task, inputs, new RowWindow(features, Constants.RECENT_ROWS));
  }

  private Forest(Task.Kind task, Inputs inputs, RowWindow rows) {
    super("forest", task, inputs, true);
    this.rows = rows;
  }

  @Override
  public double memory(long instances) {
    return rows.size();
  }

  /** Stores the row; trees that are due are grown when the forest is asked or learns. */
  @Override
  public void replay(Moment now, double y, double weight) {
    rows.add(now.through(inputs), y);
    seen++;
    if (seen % Constants.FOREST_EVERY == 0 && rows.size() > 0) {
      growth = new ForestGrowth(rows, task, new SplitMix(seen));
    }
  }

  @Override
  public void learn(Moment now, double y, double weight) {
    replay(now, y, weight);
    growDue();
  }

  /** Grows the trees that are due by now. */
  private void growDue() {
    int since = (int) Math.min(seen % Constants.FOREST_EVERY, Constants.FOREST_TREES);
    if (growth != null) {
      growth.growTo(since);
    }
    if (since == Constants.FOREST_TREES && growth != null) {
      next = growth.trees();
      growth = null;
    }
    if (since == Constants.FOREST_TREES && next != null) {
      trees = next;
      next = null;
    }
  }

  /** The number of leaves of all trees. */
  @Override
  public int size() {
    return trees.leaves();
  }

  /**
   * Writes the mean answer of the trees: a number, or the share of each class mapped to [-1, 1].
   */
  @Override
  public void score(Moment now, double[] known, double[] into) {
    growDue();
    Arrays.fill(into, 0);
    if (trees.isEmpty()) {
      return;
    }
    double[] means = trees.means(rows.dense(now.through(inputs)));
    if (task == Task.Kind.MULTICLASS) {
      arrange(means, trees.classes(), known, into);
    } else {
      into[0] = means[0];
    }
  }

  /** A copy of the trees without the window of rows. */
  @Override
  public Forest freeze() {
    growDue();
    Forest same = new Forest(task, inputs, new RowWindow(rows.features(), 0));
    same.trees = trees;
    same.seen = seen;
    return same;
  }

  @Override
  public void encode(Encoder out, SharedInputs shared) {
    shared.encode(inputs, out);
    encodeTrees(out);
  }

  /**
   * Appends everything but the inputs. Trees that are being grown are written complete; they still
   * wait for their row.
   */
  public void encodeTrees(Encoder out) {
    out.section("rows", rows::encode);
    out.int64(seen);
    trees.encode(out);
    if (growth != null) {
      growth.growTo(Constants.FOREST_TREES);
      out.section(NEXT, growth.trees()::encode);
    } else if (next != null) {
      out.section(NEXT, next::encode);
    }
  }

  static Forest decode(Decoder in, SharedInputs shared, Task.Kind task) throws ModelFileException {
    return decode(in, shared.read(in), task);
  }

  /** Reads what {@link #encodeTrees} wrote. */
  public static Forest decode(Decoder in, Inputs inputs, Task.Kind task) throws ModelFileException {
    RowWindow rows =
        in.section("rows", section -> RowWindow.decode(section, Constants.RECENT_ROWS));
    Forest forest = new Forest(task, inputs, rows);
    forest.seen = in.count("the rows of a forest");
    forest.trees = DecisionTrees.decode(in, rows.features());
    forest.next =
        in.optional(NEXT, section -> DecisionTrees.decode(section, rows.features())).orElse(null);
    return forest;
  }
}
