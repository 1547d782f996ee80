package org.avm4j;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.KernelExpansion;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;
import org.avm4j.form.StatusBuilder;
import org.avm4j.internal.Rules;
import org.avm4j.math.Vectors;
import org.avm4j.points.CorePoints;
import org.avm4j.points.CoreSet;
import org.avm4j.points.Differentiable;
import org.avm4j.points.Gradients;
import org.avm4j.points.KernelRow;

/**
 * A frozen predictor f(x) = Σ_j b_j K(c_j, x): an immutable value that any number of threads may
 * use while its learner continues to learn.
 */
public final class AvmModel implements Model, OpenModel, KernelExpansion, Differentiable {
  /** The kind of a file that holds a model. */
  public static final String KIND = "avm-model";

  private final CoreSet core;
  private final double[] classes;
  private final double factor;
  private final double[][] coefficients;
  private final double[][] linear;
  private final Provenance provenance;
  private final AtomicReference<Scratch> spare = new AtomicReference<>();

  /** What one thread needs while it scores. */
  private record Scratch(KernelRow row, double[] scores) {}

  /** A model of these vectors; the type of their set is not exported. */
  public AvmModel(
      CoreSet core,
      double[] classes,
      double factor,
      double[][] coefficients,
      double[][] linear,
      Provenance provenance) {
    this.core = core;
    this.classes = classes;
    this.factor = factor;
    this.coefficients = coefficients;
    this.linear = linear;
    this.provenance = provenance;
  }

  /** Where the model comes from. */
  public Provenance provenance() {
    return provenance;
  }

  @Override
  public Task task() {
    return provenance.options().task();
  }

  @Override
  public boolean hasLogits() {
    return provenance.options().loss().hasLogits();
  }

  @Override
  public ModelForm form() {
    return new ModelForm.Machine(this);
  }

  @Override
  public void addGradient(Features x, double[][] into) {
    new Gradients(core, kernel(), coefficients, linear).add(x, factor, 1, into);
  }

  @Override
  public Kernel kernel() {
    return provenance.options().kernel();
  }

  @Override
  public List<CorePoint> corePoints(int most) {
    List<CorePoint> points = new ArrayList<>();
    for (int j = 0; j < size(); j++) {
      points.add(corePoint(j));
    }
    return CorePoints.largest(points, most);
  }

  @Override
  public List<Neighbour> nearest(Features x, int most) {
    KernelRow row = new KernelRow(core, kernel());
    row.measure(x);
    return CorePoints.nearest(row, most, this::corePoint);
  }

  @Override
  public Status status() {
    AvmOptions options = provenance.options();
    return new StatusBuilder(provenance.instances(), size(), options.settings())
        .cells(provenance.cells(), provenance.supportVectors(), options.coverage().diameter())
        .atLimit(provenance.atLimit())
        .build();
  }

  @Override
  public int columns() {
    return coefficients.length;
  }

  @Override
  public double[] classes() {
    return classes.clone();
  }

  @Override
  public int size() {
    return core.size();
  }

  @Override
  public int dimension() {
    return core.dimension();
  }

  @Override
  public Features vector(int j) {
    return core.vector(j);
  }

  @Override
  public double[] linear(int column) {
    return linear[column].clone();
  }

  @Override
  public double coefficient(int column, int j) {
    return factor * coefficients[column][j];
  }

  @Override
  public void score(Features x, double[] scores) {
    Scratch scratch = take();
    score(x, scratch.row, scores);
    spare.set(scratch);
  }

  private Scratch take() {
    Scratch scratch = spare.getAndSet(null);
    return scratch == null
        ? new Scratch(new KernelRow(core, kernel()), new double[columns()])
        : scratch;
  }

  private void score(Features x, KernelRow row, double[] scores) {
    double[] k = row.measure(x);
    for (int c = 0; c < coefficients.length; c++) {
      scores[c] = factor * Vectors.dot(coefficients[c], k, core.size()) + row.linear(linear[c]);
    }
  }

  @Override
  public Prediction answer(Features x) {
    double[] scores = score(x);
    return new Prediction(task().predict(scores, classes), classes, scores);
  }

  @Override
  public double predict(Features x) {
    Scratch scratch = take();
    score(x, scratch.row, scratch.scores);
    double answer = provenance.options().task().predict(scratch.scores, classes);
    spare.set(scratch);
    return answer;
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.section("provenance", section -> AvmCodec.encode(section, provenance));
    out.counted(classes);
    out.section("core", core::encode);
    out.float64(factor);
    out.int32(columns());
    for (double[] column : coefficients) {
      out.doubles(column, core.size());
    }
    if (provenance.options().update().linear() > Update.NO_LINEAR_PART) {
      out.section("linear", section -> section.rows(linear));
    }
  }

  /** The model that {@link #encode} appended. */
  public static AvmModel decode(Decoder in) throws ModelFileException {
    Provenance provenance = in.section("provenance", AvmCodec::decodeProvenance);
    Task task = provenance.options().task();
    double[] classes = decodeClasses(in, task);
    CoreSet core = in.section("core", CoreSet::decode);
    double factor = in.finite("the factor");
    int columns = in.int32("the columns", Integer.MAX_VALUE);
    int expected = task.kind() == Task.Kind.MULTICLASS ? classes.length : 1;
    Decoder.check(columns == expected, "there must be one column for each class", columns);
    double[][] coefficients = in.rows(columns, core.size());
    int features = provenance.options().update().linear();
    double[][] linear =
        features == Update.NO_LINEAR_PART
            ? new double[columns][0]
            : in.section("linear", s -> s.rows(columns, features + 1));
    return new AvmModel(core, classes, factor, coefficients, linear, provenance);
  }

  private static double[] decodeClasses(Decoder in, Task task) throws ModelFileException {
    double[] classes = in.counted("the classes", Integer.MAX_VALUE);
    Decoder.checkAscending("class labels", classes);
    boolean isFree = task.kind() == Task.Kind.MULTICLASS;
    boolean fits = isFree || Arrays.equals(classes, task.columns().labels());
    Decoder.check(fits, "class labels must be those of the task", Arrays.toString(classes));
    return classes;
  }

  /**
   * A model of one score from another source: f(x) = Σ_j b_j K(c_j, x) + β₀.
   *
   * @param options the task and the kernel; the update must have a {@linkplain Update#linear linear
   *     part} of β₀ alone
   */
  public static AvmModel of(
      AvmOptions options, List<Features> vectors, double[] coefficients, double bias) {
    Rules.require(
        options.task().kind() != Task.Kind.MULTICLASS && options.update().linear() == 0,
        "a model of one score needs a task with one score and an update with a bias alone",
        options);
    Rules.check(
        vectors.size() == coefficients.length,
        "the numbers of coefficients and vectors must be equal",
        coefficients.length);
    CoreSet core = CoreSet.of(vectors);
    Provenance made =
        new Provenance(ModelFile.libraryVersionOfThis(), options, 0, core.size(), core.size(), 0);
    return new AvmModel(
        core,
        options.task().columns().labels(),
        1,
        new double[][] {coefficients.clone()},
        new double[][] {{bias}},
        made);
  }

  /** Loads a model from a file; if the file holds a learner, a snapshot of it. */
  public static AvmModel load(Path file) throws IOException {
    return ModelFile.open(file)
        .read(Map.of(KIND, AvmModel::decode, Avm.KIND, in -> Avm.decode(in).snapshot()));
  }

  /** A description of one line: kind and size. */
  @Override
  public String toString() {
    return status().summary();
  }
}
