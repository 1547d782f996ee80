package org.avm4j.export;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Task;
import org.avm4j.codec.AtomicFile;
import org.avm4j.data.Decimal;
import org.avm4j.data.Scaler;
import org.avm4j.form.KernelExpansion;
import org.avm4j.form.ModelForm;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.Scaling;

/**
 * Exports a model as a LIBSVM model file: C-SVC for classes, ε-SVR for regression, one-class for
 * anomalies, with the Gaussian kernel. The scaling is written to a range file of {@code svm-scale},
 * so that
 *
 * <pre>svm-scale -r FILE.range test &gt; test.scaled; svm-predict test.scaled FILE answers</pre>
 *
 * gives the labels of the model.
 *
 * <p>LIBSVM decides between two classes by the sign of a sum, and a sum of 0 goes to the second of
 * them. The higher label is written second, so that a score of 0 means the higher label in both
 * programs. Several classes are decided by votes of pairs: with f_c the score of a class, the sum
 * of the pair (a, b) is f_a - f_b, for which every vector is written once for each class in whose
 * score it has weight. Classes are in descending order in the file, so that ties go to the lowest
 * label.
 */
public final class LibsvmExport {
  private final ExportPlan plan;
  private final KernelExpansion machine;
  private final double gamma;

  private LibsvmExport(Model model) {
    plan = ExportPlan.of(model);
    machine = machine(plan);
    gamma = gamma(machine);
    checkLinear();
    checkLabels();
    checkScaling();
  }

  /**
   * Writes the model and, if it has one, its scaling to a file beside it.
   *
   * @return the range file that was written, if any: the name of the model and {@code .range}
   */
  public static Optional<Path> write(Model model, Path file) throws IOException {
    LibsvmExport export = new LibsvmExport(model);
    Optional<Path> range = rangeFile(model, file);
    AtomicFile.write(file, export.modelText().getBytes(StandardCharsets.US_ASCII));
    if (range.isPresent()) {
      AtomicFile.write(range.get(), export.rangeText().getBytes(StandardCharsets.US_ASCII));
    }
    return range;
  }

  /** The range file that {@link #write} would write, if any. */
  public static Optional<Path> rangeFile(Model model, Path file) {
    boolean isScaled =
        PreparedModel.of(model).detached().preparations().stream()
            .anyMatch(p -> !p.scaler().isIdentity());
    return isScaled
        ? Optional.of(file.resolveSibling(file.getFileName() + ".range"))
        : Optional.empty();
  }

  private static KernelExpansion machine(ExportPlan plan) {
    if (plan.isMean()) {
      throw refused("a mean of several models");
    }
    return plan.form()
        .accept(
            new ModelForm.Visitor<KernelExpansion, RuntimeException>() {
              @Override
              public KernelExpansion machine(ModelForm.Machine form) {
                return form.machine();
              }

              @Override
              public KernelExpansion votes(ModelForm.Votes form) {
                throw refused("an imported one that decides by votes");
              }

              @Override
              public KernelExpansion density(ModelForm.Density form) {
                throw refused("an anomaly detector");
              }

              @Override
              public KernelExpansion cells(ModelForm.Cells form) {
                throw refused("a clustering");
              }

              @Override
              public KernelExpansion other(ModelForm form) {
                throw refused("a tree of machines");
              }
            });
  }

  private static IllegalArgumentException refused(String found) {
    return new IllegalArgumentException(
        "a LIBSVM file holds a single machine, but this model is "
            + found
            + "; train a single machine, or export ONNX");
  }

  private static double gamma(KernelExpansion machine) {
    if (machine.kernel().word().equals("gaussian")) {
      return machine.kernel().gamma();
    }
    throw new IllegalArgumentException(
        "LIBSVM has no "
            + machine.kernel().word()
            + " kernel; train with the Gaussian kernel, or export ONNX");
  }

  private void checkLinear() {
    for (int c = 0; c < machine.columns(); c++) {
      double[] linear = machine.linear(c);
      if (IntStream.range(1, linear.length).anyMatch(i -> linear[i] != 0)) {
        throw new IllegalArgumentException(
            "LIBSVM models have no linear part; train without one, or export ONNX");
      }
    }
  }

  private void checkLabels() {
    for (double label : plan.model().classes()) {
      if (label != Math.rint(label) || Math.abs(label) > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "class labels of LIBSVM must be whole numbers, found " + Decimal.text(label));
      }
    }
    if (plan.task() != Task.Kind.REGRESSION && plan.model().classes().length < 2) {
      throw new IllegalArgumentException(
          "LIBSVM needs two classes, but the model has learned only one");
    }
  }

  private void checkScaling() {
    if (plan.scalers().size() > 1) {
      throw new IllegalArgumentException(
          "svm-scale can scale rows once, but this model scales them twice; train with a single"
              + " --scale, or export ONNX");
    }
    if (plan.scalers().stream().anyMatch(scaler -> scaler.metric().isMatrix())) {
      throw new IllegalArgumentException(
          "svm-scale scales each feature separately, but this model combines features; train with"
              + " --metric none, or export ONNX");
    }
  }

  private String modelText() {
    return switch (plan.task()) {
      case REGRESSION -> regression();
      case BINARY -> binary();
      case ANOMALY -> oneClass();
      default -> multiclass();
    };
  }

  private String regression() {
    double factor = plan.scoreFactor();
    List<Vector> vectors = vectors(j -> new double[] {factor * machine.coefficient(0, j)});
    double rho = -(factor * bias(0) + plan.scoreShift());
    return text("epsilon_svr", 2, List.of(rho), List.of(), List.of(vectors));
  }

  /** LIBSVM answers -1 if the sum is at most rho; in this library that is an anomaly. */
  private String oneClass() {
    List<Vector> vectors = vectors(j -> new double[] {-machine.coefficient(0, j)});
    return text("one_class", 2, List.of(bias(0)), List.of(), List.of(vectors));
  }

  private String binary() {
    List<Vector> all = vectors(j -> new double[] {-machine.coefficient(0, j)});
    List<Vector> lower = all.stream().filter(vector -> vector.coefficients[0] > 0).toList();
    List<Vector> higher = all.stream().filter(vector -> vector.coefficients[0] <= 0).toList();
    double[] classes = plan.model().classes();
    return text(
        "c_svc", 2, List.of(bias(0)), List.of(classes[0], classes[1]), List.of(lower, higher));
  }

  private String multiclass() {
    int n = plan.model().classes().length;
    List<Double> labels = new ArrayList<>();
    List<List<Vector>> byClass = new ArrayList<>();
    List<Double> rho = new ArrayList<>();
    for (int a = 0; a < n; a++) {
      int place = a;
      labels.add(plan.model().classes()[n - 1 - a]);
      byClass.add(vectors(j -> votes(place, machine.coefficient(n - 1 - place, j), n)));
      for (int b = a + 1; b < n; b++) {
        rho.add(bias(n - 1 - b) - bias(n - 1 - a));
      }
    }
    return text("c_svc", n, rho, labels, byClass);
  }

  /** The coefficients of a vector of class a in its n - 1 pairs: positive if a comes first. */
  private static double[] votes(int a, double coefficient, int n) {
    double[] votes = new double[n - 1];
    for (int pair = 0; pair < n - 1; pair++) {
      votes[pair] = pair < a ? -coefficient : coefficient;
    }
    return votes;
  }

  /** The bias of a score, with the prior that decides rows far from all vectors. */
  private double bias(int column) {
    return Remainder.bias(machine, column) + plan.model().priorScores()[column];
  }

  private record Vector(Features features, double[] coefficients) {
    boolean hasWeight() {
      return IntStream.range(0, coefficients.length).anyMatch(i -> coefficients[i] != 0);
    }

    String text() {
      StringBuilder line = new StringBuilder();
      for (double coefficient : coefficients) {
        line.append(number(coefficient)).append(' ');
      }
      for (int i = 0; i < features.count(); i++) {
        line.append(features.index(i) + 1).append(':');
        line.append(number(features.value(i))).append(' ');
      }
      return line.append('\n').toString();
    }
  }

  private List<Vector> vectors(IntFunction<double[]> coefficients) {
    return IntStream.range(0, machine.size())
        .mapToObj(j -> new Vector(machine.vector(j), coefficients.apply(j)))
        .filter(Vector::hasWeight)
        .toList();
  }

  private String text(
      String type, int classes, List<Double> rho, List<Double> labels, List<List<Vector>> vectors) {
    StringBuilder text = new StringBuilder();
    text.append("svm_type ").append(type).append("\nkernel_type rbf\n");
    text.append("gamma ").append(number(gamma)).append('\n');
    text.append("nr_class ").append(classes).append('\n');
    text.append("total_sv ").append(vectors.stream().mapToInt(List::size).sum()).append('\n');
    text.append("rho ").append(joined(rho)).append('\n');
    if (!labels.isEmpty()) {
      text.append("label ").append(joined(labels)).append('\n');
      text.append("nr_sv ");
      text.append(vectors.stream().map(all -> "" + all.size()).collect(Collectors.joining(" ")));
      text.append('\n');
    }
    text.append("SV\n");
    vectors.forEach(all -> all.forEach(vector -> text.append(vector.text())));
    return text.toString();
  }

  private static String joined(List<Double> numbers) {
    return numbers.stream().map(LibsvmExport::number).collect(Collectors.joining(" "));
  }

  private static String number(double value) {
    return Decimal.text(value);
  }

  /** The range of each feature: the values that are scaled to the lower and the upper end. */
  private String rangeText() {
    Scaler scaler = plan.scalers().get(0);
    double lower = scaler.scaling() == Scaling.UNIT ? 0 : -1;
    StringBuilder text = new StringBuilder("x\n" + number(lower) + " 1\n");
    for (int i = 0; i < scaler.dimension(); i++) {
      double factor = scaler.factor(i);
      double min = factor == 0 ? 0 : (lower - scaler.shift(i)) / factor;
      double max = factor == 0 ? 0 : (1 - scaler.shift(i)) / factor;
      text.append(i + 1).append(' ');
      text.append(number(min)).append(' ').append(number(max)).append('\n');
    }
    return text.toString();
  }
}
