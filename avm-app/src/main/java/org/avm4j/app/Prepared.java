package org.avm4j.app;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.data.Decimal;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;
import org.avm4j.data.Schema;
import org.avm4j.spec.Survey;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;

/**
 * Data that has been looked at and can now be learned from. Files are read twice: the first pass
 * finds the task, the ranges and the number of rows. Of standard input the first rows, a warm-up,
 * serve for that, and are then learned from like all others.
 */
final class Prepared {
  private static final Scaler UNSCALED = new Scaler(Scaling.NONE);

  private final InputOptions options;
  private final boolean needsLabels;
  private final Schema schema = new Schema();
  private final Survey survey;
  private final List<Instance> warmUp = new ArrayList<>();
  private Input pipe;
  private Input current;
  private long rejected;
  private long rejectedBefore;
  private boolean hasProbabilities;

  Prepared(InputOptions options, Scaling scaling, int warmUpRows) throws IOException {
    this(options, scaling, warmUpRows, true);
  }

  Prepared(InputOptions options, Scaling scaling, int warmUpRows, boolean needsLabels)
      throws IOException {
    this.options = options;
    this.needsLabels = needsLabels;
    survey = new Survey(scaling);
    Input input = options.open(schema);
    if (options.isPipe()) {
      pipe = input;
      warmUp(input, warmUpRows);
    } else {
      look(input.ahead(UNSCALED));
    }
    if (survey.rows() == 0) {
      throw new Failure(Failure.BAD_DATA, String.join(" ", options.data) + ": no rows to read");
    }
  }

  private void look(Input input) throws IOException {
    try (input) {
      while (input.next()) {
        if (isLabelled(input)) {
          survey.add(input.features(), input.label());
        }
      }
    }
  }

  /** Leaves out a row without a label, or stops there. */
  private boolean isLabelled(Input input) throws IOException {
    boolean isLabelled = !needsLabels || !Double.isNaN(input.label());
    if (!isLabelled) {
      input.reject("a label is expected");
    }
    return isLabelled;
  }

  private void warmUp(Input input, int rows) throws IOException {
    while (warmUp.size() < rows && input.next()) {
      if (isLabelled(input)) {
        survey.add(input.features(), input.label());
        warmUp.add(new Instance(input.features().copy(), input.label()));
      }
    }
  }

  Survey survey() {
    return survey;
  }

  Schema schema() {
    return schema;
  }

  /** The number of rows, 0 if nobody knows. */
  long rows() {
    return pipe == null ? survey.rows() : 0;
  }

  boolean isPipe() {
    return pipe != null;
  }

  Task task(LearnerOptions learner) {
    return learner.task(survey, !schema.labels().isEmpty());
  }

  /** From now on learners give probabilities. */
  void giveProbabilities() {
    hasProbabilities = true;
  }

  private Calibration calibration(LearnerOptions learner) {
    if (!hasProbabilities) {
      return null;
    }
    if (learner.isAnomaly() || task(learner) instanceof Task.Regression) {
      String task = learner.isAnomaly() ? "anomaly" : "regression";
      throw new Failure(
          Failure.USAGE, "--probability needs classes to be predicted, the task is " + task);
    }
    return new Calibration();
  }

  /** A new learner for rows that are scaled already; it may go its way in another thread. */
  Pipeline pipelineOfScaled(LearnerOptions learner) {
    Preparation unscaled = new Preparation(schema, UNSCALED, preparation(learner).labels());
    return new Pipeline(unscaled, create(learner), calibration(learner));
  }

  private OnlineLearner create(LearnerOptions learner) {
    return learner.isAnomaly()
        ? learner.detector()
        : learner.create(task(learner), survey, rows(), learned(learner));
  }

  /** The label that is learned for the text of a class. */
  ToDoubleFunction<String> learned(LearnerOptions learner) {
    return text -> labels(learner).learned(label(text));
  }

  private double label(String text) {
    List<String> names = schema.labels();
    double label = names.isEmpty() ? Decimal.parse(text) : names.indexOf(text);
    if (!(names.isEmpty() ? Double.isFinite(label) : label >= 0)) {
      String known = names.isEmpty() ? "numbers" : String.join(", ", names);
      throw new Failure(
          Failure.USAGE, "there is no class '" + text + "', the labels so far are " + known);
    }
    return label;
  }

  /** What stands between this data and the learner. */
  Preparation preparation(LearnerOptions learner) {
    return new Preparation(schema, survey.scaler(), labels(learner));
  }

  /** The second-order step has no bias, so numbers are centred for it. */
  private Labels labels(LearnerOptions learner) {
    if (learner.isAnomaly()) {
      return new Labels.Plain();
    }
    Task task = task(learner);
    if (task instanceof Task.Binary) {
      return survey.pair();
    }
    boolean isCentred =
        task instanceof Task.Regression && learner.isSecondOrder() && !learner.isAutomatic();
    return isCentred ? survey.standardLabels() : new Labels.Plain();
  }

  /**
   * All rows from the first, scaled; of standard input this can be had once. The first look has
   * learned all names that are in files.
   */
  InstanceReader open(Scaler scaler) {
    current = (pipe == null ? options.open(schema.frozen()) : pipe).ahead(scaler);
    return new Labelled(pipe == null ? current : new Rows(warmUp, pipe, scaler));
  }

  /** All rows in memory. */
  List<Instance> all() throws IOException {
    return first(Integer.MAX_VALUE);
  }

  private List<Instance> first(int rows) throws IOException {
    List<Instance> first = new ArrayList<>();
    try (InstanceReader reader = open(UNSCALED)) {
      while (first.size() < rows && reader.next()) {
        first.add(new Instance(reader.features().copy(), reader.label()));
      }
    }
    return first;
  }

  /** The first rows, scaled, which can still be read after this; of standard input the warm-up. */
  List<Instance> sample(int rows) throws IOException {
    return scaled(pipe == null ? first(rows) : warmUp);
  }

  /** These rows scaled, with their labels as they are. */
  List<Instance> scaled(List<Instance> rows) {
    return rows.stream()
        .map(row -> new Instance(survey.scaler().apply(row.features()).copy(), row.label()))
        .toList();
  }

  /** Leaves out the row just read, or stops there. */
  void reject(String reason) throws IOException {
    current.reject(reason);
    rejected++;
  }

  /** How many rows the learner refused. */
  long rejected() {
    return rejected;
  }

  /** So many rows were refused before this run went on. */
  void rejected(long before) {
    rejected = before;
    rejectedBefore = before;
  }

  /** How many lines were left out of the rows opened last. */
  long badLines() {
    return current.badLines() + rejectedBefore;
  }

  /** How many rows were left out because a value was missing. */
  long skipped() {
    return current.skipped();
  }

  /** Why the first of them was. */
  String firstBadLine() {
    return current.firstBadLine();
  }

  /** Rows that have a label; the first look has spoken of the others. */
  private final class Labelled implements InstanceReader {
    private final InstanceReader rows;

    Labelled(InstanceReader rows) {
      this.rows = rows;
    }

    @Override
    public boolean next() throws IOException {
      boolean found = rows.next();
      while (found && needsLabels && Double.isNaN(rows.label())) {
        current.reject("a label is expected");
        found = rows.next();
      }
      return found;
    }

    @Override
    public Features features() {
      return rows.features();
    }

    @Override
    public double label() {
      return rows.label();
    }

    @Override
    public long line() {
      return rows.line();
    }

    @Override
    public void close() throws IOException {
      rows.close();
    }
  }
}
