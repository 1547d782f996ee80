package org.avm4j.internal;

import java.util.Arrays;
import java.util.List;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The columns of coefficients that a learner keeps for its task, and which of them an instance
 * moves. Several classes have a column each, for ever and in order of appearance, while their
 * scores are shown in ascending order of label. Every other task has one column.
 */
public abstract sealed class Columns {
  /** Stands for a column that does not exist. */
  public static final int NONE = -1;

  private Columns() {}

  /** One column, for a task whose answers come from these labels. */
  public static Columns single(double... labels) {
    return new Single(labels);
  }

  /** One column for each class; more may appear. */
  public static Columns perClass(List<Double> declared) {
    PerClass columns = new PerClass();
    declared.forEach(columns::add);
    return columns;
  }

  /** The number of columns. */
  public abstract int count();

  /** The column of a label, or {@link #NONE} if the label is new. */
  public abstract int find(double label);

  /** Adds a column for a label, which must be new, and returns it. */
  public abstract int add(double label);

  /** The column of the score at a place in the order of {@link #labels}. */
  public abstract int at(int place);

  /** The labels that answers are taken from, in ascending order. */
  public abstract double[] labels();

  /**
   * z_t: the column with the largest score besides {@code own}; of equal scores, that of the lowest
   * label. {@link #NONE} if there is no other column.
   */
  public abstract int runnerUp(double[] scores, int own);

  /** Whether an instance with this runner-up has a loss; with a single class it has none. */
  public abstract boolean isContested(int runnerUp);

  /** The number of the class of a label, for counting; the label must be known. */
  public abstract int classNumber(double label);

  /** ±1 for the class of an instance against the rest, or its label if there is one column. */
  public abstract double target(int column, int own, double label);

  /** The label of a column; NaN if the column does not belong to a class. */
  public abstract double label(int column);

  /** The class numbers of these columns; of all classes if there is one column. */
  public abstract int[] classNumbers(int[] columns);

  /** Number of extra columns for classes that may still appear: 1 or 0. */
  public abstract int spare();

  /** The label of each column in order of appearance; empty if there is one column. */
  public abstract double[] appeared();

  /** Columns in the same state that share nothing with these. */
  public abstract Columns copy();

  /** Appends the labels in order of appearance. */
  public final void encode(Encoder out) {
    out.int32(appeared().length);
    for (double label : appeared()) {
      out.float64(label);
    }
  }

  /** Reads what {@link #encode} wrote for a learner with the same options. */
  public final void decode(Decoder in) throws ModelFileException {
    int count = in.int32("the number of classes", Integer.MAX_VALUE);
    int declared = appeared().length;
    for (int i = 0; i < count; i++) {
      double label = in.finite("a class label");
      Decoder.check(spare() == 1, "only a multiclass task must have classes", label);
      int column = i < declared ? find(label) : addNew(label);
      Decoder.check(column == i, "class labels must differ and stand in their order", label);
    }
    Decoder.check(count >= declared, "all declared classes are expected", count);
  }

  private int addNew(double label) {
    return find(label) == NONE ? add(label) : NONE;
  }

  private static final class Single extends Columns {
    private final double[] labels;

    Single(double[] labels) {
      this.labels = labels.clone();
    }

    @Override
    public int count() {
      return 1;
    }

    @Override
    public int find(double label) {
      return 0;
    }

    @Override
    public int add(double label) {
      throw new IllegalStateException("a task with one score has no classes to add: " + label);
    }

    @Override
    public int at(int place) {
      return 0;
    }

    @Override
    public double[] labels() {
      return labels.clone();
    }

    @Override
    public int runnerUp(double[] scores, int own) {
      return NONE;
    }

    @Override
    public boolean isContested(int runnerUp) {
      return true;
    }

    @Override
    public int classNumber(double label) {
      return labels.length > 0 && label > 0 ? 1 : 0;
    }

    @Override
    public double target(int column, int own, double label) {
      return label;
    }

    @Override
    public Columns copy() {
      return this;
    }

    @Override
    public double label(int column) {
      return Double.NaN;
    }

    @Override
    public int[] classNumbers(int[] columns) {
      return new int[] {0, 1};
    }

    @Override
    public int spare() {
      return 0;
    }

    @Override
    public double[] appeared() {
      return new double[0];
    }
  }

  private static final class PerClass extends Columns {
    private double[] labels = {};
    private int[] ascending = {};

    @Override
    public int count() {
      return labels.length;
    }

    @Override
    public int find(double label) {
      int place = place(label);
      return place < count() && labels[ascending[place]] == label ? ascending[place] : NONE;
    }

    @Override
    public int add(double label) {
      int column = labels.length;
      int place = place(label);
      labels = Arrays.copyOf(labels, column + 1);
      labels[column] = label + 0.0;
      int[] wider = Arrays.copyOf(ascending, column + 1);
      System.arraycopy(ascending, place, wider, place + 1, column - place);
      wider[place] = column;
      ascending = wider;
      return column;
    }

    @Override
    public int at(int place) {
      return ascending[place];
    }

    @Override
    public double[] labels() {
      return Arrays.stream(ascending).mapToDouble(column -> labels[column]).toArray();
    }

    @Override
    public int runnerUp(double[] scores, int own) {
      int best = NONE;
      for (int column : ascending) {
        if (column != own && (best == NONE || scores[column] > scores[best])) {
          best = column;
        }
      }
      return best;
    }

    @Override
    public boolean isContested(int runnerUp) {
      return runnerUp != NONE;
    }

    @Override
    public int classNumber(double label) {
      return find(label);
    }

    @Override
    public double target(int column, int own, double label) {
      return column == own ? 1 : -1;
    }

    @Override
    public Columns copy() {
      PerClass copy = new PerClass();
      copy.labels = labels;
      copy.ascending = ascending;
      return copy;
    }

    @Override
    public double label(int column) {
      return labels[column];
    }

    @Override
    public int[] classNumbers(int[] columns) {
      return columns;
    }

    @Override
    public int spare() {
      return 1;
    }

    @Override
    public double[] appeared() {
      return labels;
    }

    /** The first place whose label is not below this one. */
    private int place(double label) {
      int from = 0;
      int to = ascending.length;
      while (from < to) {
        int middle = (from + to) >>> 1;
        if (labels[ascending[middle]] < label) {
          from = middle + 1;
        } else {
          to = middle;
        }
      }
      return from;
    }
  }
}
