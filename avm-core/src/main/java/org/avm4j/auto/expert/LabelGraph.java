package org.avm4j.auto.expert;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.points.RunningScale;

/**
 * Label propagation: classes spread from the latest rows with a label to the latest rows without
 * one. The expert learns from both kinds of rows, and does not answer before the first row without
 * a label.
 *
 * <p>The rows are points of a {@link NearestGraph}. With w the weights of the links of a point, its
 * shares of the classes are
 *
 * <pre>f = (Σ_j w_j f_j + a e) / (Σ_j w_j + a + s)</pre>
 *
 * <p>where s is {@link Constants#LOSS}, e has a 1 for the class of a point with a label, and a is
 * {@link Constants#ANCHOR} for such a point, else 0. So labels spread along the links and fade with
 * each of them. This is the harmonic solution of Zhu, Ghahramani and Lafferty (2003), on a graph of
 * bounded size as in Valko, Kveton, Huang and Ting (2010). It is approached by relaxation: each row
 * renews its own shares, those of its neighbours, and those of some others in turn.
 *
 * <p>Distances are those of a {@link LocalMetric}, which is learned from rows of both kinds.
 */
public final class LabelGraph implements Expert {
  private static final int SLOTS = Constants.LABELLED_ROWS + Constants.RECENT_ROWS;

  private static final int NO_LABEL = -1;

  private final Task.Kind task;
  private final LocalMetric metric;

  /** The index of the class of each point, or {@link #NO_LABEL}; empty before the first row. */
  private int[] own = {};

  /** The rows before they are mapped by the metric. */
  private float[][] rows = {};

  private float[][] shares = {};
  private NearestGraph graph;
  private double[] classes = {};
  private long labelled;
  private long unlabelled;
  private int cursor;

  /** A graph without rows. */
  public LabelGraph(Task.Kind task) {
    this(task, new LocalMetric());
  }

  private LabelGraph(Task.Kind task, LocalMetric metric) {
    this.task = task;
    this.metric = metric;
  }

  @Override
  public String name() {
    return "graph";
  }

  /** Whether a row without a label was observed. */
  @Override
  public boolean isReady() {
    return unlabelled > 0;
  }

  @Override
  public int size() {
    return (int)
        (Math.min(labelled, Constants.LABELLED_ROWS) + Math.min(unlabelled, Constants.RECENT_ROWS));
  }

  /** {@inheritDoc} All rows count alike, whatever their weight. */
  @Override
  public void learn(Moment now, double y, double weight) {
    int place = find(y);
    if (place >= 0) {
      add((int) (labelled++ % Constants.LABELLED_ROWS), now.row(), place);
    }
  }

  @Override
  public boolean observe(Moment now) {
    add(
        (int) (Constants.LABELLED_ROWS + unlabelled++ % Constants.RECENT_ROWS),
        now.row(),
        NO_LABEL);
    return true;
  }

  /** The index of a class, which is added if it is new; -1 if there is no room for it. */
  private int find(double label) {
    int place = 0;
    while (place < classes.length && classes[place] != label) {
      place++;
    }
    if (place == Constants.FEW_INPUTS) {
      return -1;
    }
    if (place == classes.length) {
      classes = Arrays.copyOf(classes, place + 1);
      classes[place] = label + 0.0;
    }
    return place;
  }

  private void add(int slot, Features x, int label) {
    if (graph == null) {
      begin(new NearestGraph(SLOTS));
    }
    if (graph.isFilled(slot)) {
      graph.remove(slot);
    }
    own[slot] = label;
    shares[slot] = new float[classes.length];
    rows[slot] = metric.observe(x);
    if (RunningScale.isRenewed(labelled + unlabelled)) {
      metric.renew();
      place();
      graph.measure();
    }
    NearestGraph.Near near = graph.put(slot, metric.map(rows[slot]));
    for (int i = 0; i < near.slots().length && i < Constants.METRIC_NEIGHBOURS; i++) {
      metric.add(rows[slot], rows[near.slots()[i]]);
    }
    renew(slot);
    for (int neighbour : near.slots()) {
      renew(neighbour);
    }
    for (int i = 0; i < Constants.RENEWED; i++) {
      cursor = (cursor + 1) % SLOTS;
      if (graph.isFilled(cursor)) {
        renew(cursor);
      }
    }
  }

  /** Allocates the arrays that hold what is known about each point. */
  private void begin(NearestGraph points) {
    graph = points;
    own = new int[SLOTS];
    rows = new float[SLOTS][0];
    shares = new float[SLOTS][0];
    Arrays.fill(own, NO_LABEL);
  }

  /** Moves all points to their positions in the present metric. */
  private void place() {
    for (int slot = 0; slot < SLOTS; slot++) {
      if (graph.isFilled(slot)) {
        graph.move(slot, metric.map(rows[slot]));
      }
    }
  }

  /** Renews the shares of a point from those of its neighbours and its own label. */
  private void renew(int slot) {
    double[] sums = new double[classes.length];
    double total = Constants.LOSS;
    for (int i = 0; i < graph.links(slot); i++) {
      double weight = graph.weight(slot, i);
      total += weight;
      add(weight, shares[graph.neighbour(slot, i)], sums);
    }
    if (own[slot] != NO_LABEL) {
      total += Constants.ANCHOR;
      sums[own[slot]] += Constants.ANCHOR;
    }
    if (shares[slot].length < sums.length) {
      shares[slot] = new float[sums.length];
    }
    for (int c = 0; c < sums.length; c++) {
      shares[slot][c] = (float) (sums[c] / total);
    }
  }

  /**
   * Adds weighted shares to sums; a point renewed before a class appeared has no share of that
   * class.
   */
  private static void add(double weight, float[] shares, double[] sums) {
    for (int c = 0; c < shares.length; c++) {
      sums[c] += weight * shares[c];
    }
  }

  /** Writes the shares that a row linked to its nearest points would have, mapped to [-1, 1]. */
  @Override
  public void score(Moment now, double[] labels, double[] into) {
    Arrays.fill(into, 0);
    double[] sums = new double[classes.length];
    if (graph != null) {
      NearestGraph.Near near = graph.nearest(metric.map(metric.offsets(now.row())));
      for (int i = 0; i < near.slots().length; i++) {
        add(near.weight(i), shares[near.slots()[i]], sums);
      }
    }
    double total = Arrays.stream(sums).sum();
    if (total == 0) {
      return;
    }
    for (int c = 0; c < sums.length; c++) {
      if (task == Task.Kind.BINARY) {
        into[0] += classes[c] * sums[c] / total;
      } else {
        int column = Arrays.binarySearch(labels, classes[c]);
        into[column < 0 ? 0 : column] += column < 0 ? 0 : 2 * sums[c] / total;
      }
    }
    for (int c = 0; c < labels.length; c++) {
      into[c] -= 1;
    }
  }

  @Override
  public LabelGraph freeze() {
    return ModelFile.copy(name(), out -> encode(out, new SharedInputs()), in -> decode(in, task));
  }

  /**
   * Appends the numbers of rows with (8) and without labels (8), and the state if there are any
   * rows.
   */
  @Override
  public void encode(Encoder out, SharedInputs shared) {
    out.int64(labelled);
    out.int64(unlabelled);
    if (graph == null) {
      return;
    }
    out.int32(cursor);
    out.counted(classes);
    out.section("metric", metric::encode);
    out.section("links", graph::encode);
    for (int slot = 0; slot < SLOTS; slot++) {
      if (graph.isFilled(slot)) {
        out.int32(own[slot] + 1);
        out.int32(rows[slot].length);
        out.floats(rows[slot], rows[slot].length);
        out.int32(shares[slot].length);
        out.floats(shares[slot], shares[slot].length);
      }
    }
  }

  static LabelGraph decode(Decoder in, Task.Kind task) throws ModelFileException {
    long labelled = in.count("the rows with labels");
    long unlabelled = in.count("the rows without labels");
    if (labelled + unlabelled == 0) {
      return new LabelGraph(task);
    }
    int cursor = in.int32("the point that was renewed last", SLOTS - 1);
    double[] classes = in.counted("the classes of a graph", Constants.FEW_INPUTS);
    LabelGraph read = new LabelGraph(task, in.section("metric", LocalMetric::decode));
    read.begin(in.section("links", section -> NearestGraph.decode(section, SLOTS)));
    read.labelled = labelled;
    read.unlabelled = unlabelled;
    read.cursor = cursor;
    read.classes = classes;
    for (int slot = 0; slot < SLOTS; slot++) {
      long filled =
          slot < Constants.LABELLED_ROWS ? labelled : Constants.LABELLED_ROWS + unlabelled;
      boolean isInUse = slot < filled;
      Decoder.check(read.graph.isFilled(slot) == isInUse, "points must fill their slots", slot);
      if (isInUse) {
        read.own[slot] = in.int32("the class of a point", classes.length) - 1;
        boolean fits = slot < Constants.LABELLED_ROWS == read.own[slot] >= 0;
        Decoder.check(fits, "a point must have a label if its row has one", slot);
        int features = in.int32("the features of a point", Constants.FEW_INPUTS);
        read.rows[slot] = in.floats(features, features);
        int known = in.int32("the shares of a point", classes.length);
        read.shares[slot] = in.floats(known, known);
      }
    }
    read.place();
    return read;
  }
}
