package org.avm4j.form;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.avm4j.Status;
import org.avm4j.Status.Automatic;
import org.avm4j.Status.Change;
import org.avm4j.Status.Drift;
import org.avm4j.Status.TreeShape;

/** Gathers the status of a predictor. */
public final class StatusBuilder {
  private final long instances;
  private final int size;
  private Map<String, Object> settings;
  private int cells;
  private int supportVectors;
  private double diameter;
  private long atLimit;
  private boolean forgets;
  private double memory;
  private long drifts;
  private List<Drift> lastDrifts;
  private double threshold;
  private Optional<Automatic> automatic;
  private Optional<TreeShape> tree;
  private Optional<Change> change;

  /** Starts with what every predictor has: nothing forgotten, every vector a support vector. */
  public StatusBuilder(long instances, int size, Map<String, Object> settings) {
    this(Status.of(instances, size, settings), instances, size);
  }

  private StatusBuilder(Status from, long instances, int size) {
    this.instances = instances;
    this.size = size;
    settings = from.settings();
    cells = from.cells();
    supportVectors = from.supportVectors();
    diameter = from.diameter();
    atLimit = from.atLimit();
    forgets = from.forgets();
    memory = from.memory();
    drifts = from.drifts();
    lastDrifts = from.lastDrifts();
    threshold = from.threshold();
    automatic = from.automatic();
    tree = from.tree();
    change = from.change();
  }

  /** A status with other settings. */
  public static Status withSettings(Status status, Map<String, Object> other) {
    StatusBuilder builder = new StatusBuilder(status, status.instances(), status.size());
    builder.settings = other;
    return builder.build();
  }

  /** A status with a given number of vectors. */
  public static Status withSize(Status status, int vectors) {
    return new StatusBuilder(status, status.instances(), vectors).build();
  }

  /**
   * A status with how a stream that changes is followed, all instances of the stream, and the
   * vectors that this takes.
   */
  public static Status withChange(Status status, Change how, long allInstances, int allVectors) {
    StatusBuilder builder = new StatusBuilder(status, allInstances, allVectors);
    builder.change = Optional.of(how);
    return builder.build();
  }

  /** A status with what automatic mode chose, and drifts counted from the start of the stream. */
  public static Status within(Status status, Automatic mode, long allInstances) {
    StatusBuilder builder = new StatusBuilder(status, allInstances, status.size());
    long earlier = allInstances - status.instances();
    builder.memory = status.forgets() ? status.memory() : allInstances;
    builder.lastDrifts = status.lastDrifts().stream().map(drift -> later(drift, earlier)).toList();
    builder.automatic = Optional.of(mode);
    return builder.build();
  }

  /** The same drift of a stream that began a given number of instances earlier. */
  private static Drift later(Drift drift, long earlier) {
    return new Drift(drift.instance() + earlier, drift.before(), drift.after(), drift.memory());
  }

  /** The numbers of cells and of support vectors, and the diameter of the cells. */
  public StatusBuilder cells(int count, int support, double delta) {
    cells = count;
    supportVectors = support;
    diameter = delta;
    return this;
  }

  /** How often the size cap was met. */
  public StatusBuilder atLimit(long times) {
    atLimit = times;
    return this;
  }

  /** The memory of a model that forgets, in instances, and the drifts that it found. */
  public StatusBuilder memory(double rows, long found, List<Drift> last) {
    forgets = true;
    memory = rows;
    drifts = found;
    lastDrifts = last;
    return this;
  }

  /** The score from which on an instance is an anomaly. */
  public StatusBuilder threshold(double score) {
    threshold = score;
    return this;
  }

  /** The shape of the tree of machines. */
  public StatusBuilder tree(TreeShape shape) {
    tree = Optional.of(shape);
    return this;
  }

  /** The status. */
  public Status build() {
    return new Status(
        instances,
        size,
        cells,
        supportVectors,
        diameter,
        atLimit,
        forgets,
        memory,
        drifts,
        lastDrifts,
        threshold,
        settings,
        automatic,
        tree,
        change);
  }
}
