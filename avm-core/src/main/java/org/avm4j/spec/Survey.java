package org.avm4j.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Task;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.data.Schema;
import org.avm4j.explain.UsualValues;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.LabelSurvey;
import org.avm4j.pipeline.Labels;
import org.avm4j.table.Scaling;
import org.avm4j.theory.PairwiseDistances;

/**
 * A first pass over the data before anything is learned: numbers of rows and features, labels,
 * ranges for scaling, and a random sample for the scale of distances. Rows are added one by one;
 * only the sample is stored.
 */
public final class Survey {
  private static final int SAMPLE = 300;

  private final ScalerFit fit;
  private Scaler scaler;
  private final SplitMix random = new SplitMix(1);
  private final List<Features> sample = new ArrayList<>();
  private final UsualValues usual = new UsualValues();
  private final LabelSurvey labels = new LabelSurvey();
  private long rows;
  private long entries;
  private int dimension;
  private double largest;
  private double lowestLabel = Double.POSITIVE_INFINITY;
  private double highestLabel = Double.NEGATIVE_INFINITY;
  private PairwiseDistances distances;

  /** A survey of data to be scaled in this way. */
  public Survey(Scaling scaling) {
    fit = new ScalerFit(scaling);
  }

  /** Adds a row; a label of NaN means that there is none. */
  public void add(Features x, double label) {
    rows++;
    entries += x.count();
    dimension = Math.max(dimension, x.dimension());
    for (int i = 0; i < x.count(); i++) {
      largest = Math.max(largest, Math.abs(x.value(i)));
    }
    fit.observe(x);
    usual.add(x);
    addLabel(label);
    addToSample(x);
  }

  /** The number of rows. */
  public long rows() {
    return rows;
  }

  /** The number of features. */
  public int dimension() {
    return dimension;
  }

  /** The number of entries that are not 0. */
  public long entries() {
    return entries;
  }

  /** The largest absolute value. */
  public double largest() {
    return largest;
  }

  /** The distinct labels in ascending order; of very many, about the first thousand. */
  public SortedSet<Double> labels() {
    return labels.labels();
  }

  /** The lowest label of all. */
  public double lowestLabel() {
    return lowestLabel;
  }

  /** The highest label of all. */
  public double highestLabel() {
    return highestLabel;
  }

  /** The scaler for all rows; call this after the last row. */
  public synchronized Scaler scaler() {
    scaler = scaler == null ? fit.scaler() : scaler;
    return scaler;
  }

  /** The row that has the usual value in every column. */
  Features usual(Schema schema) {
    return usual.row(schema);
  }

  /** The task that the labels suggest. */
  public Task task(boolean namedLabels) {
    return labels.task(namedLabels);
  }

  /** The reason for the {@link #task}, as a text for people. */
  public String reason(boolean namedLabels) {
    return labels.reason(namedLabels);
  }

  /** The two labels of a binary task. */
  public Labels.Pair pair() {
    return labels.pair();
  }

  double meanLabel() {
    return labels.mean();
  }

  /** The map of labels to mean 0 and deviation 1, or only to mean 0 if all are equal. */
  Labels standardLabels() {
    return labels.standard();
  }

  /** The distances between scaled rows. */
  public synchronized PairwiseDistances distances() {
    if (distances == null) {
      distances = measured();
    }
    return distances;
  }

  private PairwiseDistances measured() {
    List<Features> scaled = sample.stream().map(scaler()::apply).toList();
    return scaled.size() < 2 ? new PairwiseDistances(1, 0) : PairwiseDistances.of(scaled);
  }

  /** γ such that the argument of the kernel is about 1 at the mean distance of two rows. */
  public double gamma(Kernel kernel) {
    return distances().gamma(kernel, 1);
  }

  /** The smallest diameter that the heuristic of Section 9.2 finds plausible. */
  public double diameter() {
    return Math.max(distances().least(), 1e-12);
  }

  private void addLabel(double label) {
    if (Double.isNaN(label)) {
      return;
    }
    labels.add(label);
    lowestLabel = Math.min(lowestLabel, label);
    highestLabel = Math.max(highestLabel, label);
  }

  private void addToSample(Features x) {
    if (sample.size() < SAMPLE) {
      sample.add(x.copy());
    } else {
      long at = (long) (random.getAsDouble() * rows);
      if (at < SAMPLE) {
        sample.set((int) at, x.copy());
      }
    }
  }
}
