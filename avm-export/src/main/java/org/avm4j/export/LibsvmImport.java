package org.avm4j.export;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Model;
import org.avm4j.Update;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.models.OneClassModel;
import org.avm4j.models.VotingModel;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;

/**
 * Reads a model file of LIBSVM as a model of this library: C-SVC and ν-SVC of two or more classes,
 * ε-SVR and ν-SVR, and one-class machines, with the kernel {@code rbf}. Three and more classes are
 * still decided by votes of pairs. A row outside the one class, -1 in LIBSVM, is an anomaly, 1, in
 * this library. Probabilities are not read.
 */
public final class LibsvmImport {
  private static final Set<String> CLASSES = Set.of("c_svc", "nu_svc");
  private static final Set<String> NUMBERS = Set.of("epsilon_svr", "nu_svr");
  private static final Set<String> ONE_CLASS = Set.of("one_class");

  /** A diameter so small that only exact duplicates share a cell. */
  private static final double DUPLICATES = 1e-6;

  private static final int MORE_POINTS = 500;

  private final LibsvmFile file;

  private LibsvmImport(LibsvmFile file) {
    this.file = file;
  }

  /**
   * Reads a model.
   *
   * @param range a range file of {@code svm-scale} that rows are scaled by first; null for none
   * @throws BadDataException if a file breaks its format; the message names file and line
   */
  public static PreparedModel read(Path file, Path range) throws IOException {
    Scaler scaler = range == null ? Scaler.none() : RangeFile.read(range);
    try (InputStream in = Files.newInputStream(file)) {
      return read(file.toString(), in, scaler);
    }
  }

  /** Reads a model from a stream; the name is for messages. */
  public static PreparedModel read(String name, InputStream in, Scaler scaler) throws IOException {
    return new LibsvmImport(new LibsvmFile(name, in)).read(scaler);
  }

  /**
   * A learner that continues from an imported model by the second-order step: the support vectors
   * are its first core points, and at most 500 more may be added.
   */
  public static Pipeline warmStart(Model imported) {
    AvmModel model =
        imported
            .inspect(AvmModel.class)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a warm start needs a model of two classes or of regression"));
    AvmOptions options =
        model
            .provenance()
            .options()
            .change()
            .maxSize(model.size() + MORE_POINTS, Limit.APPROXIMATE)
            .build();
    return new Pipeline(PreparedModel.of(imported).preparation(), Avm.from(model, options));
  }

  private PreparedModel read(Scaler scaler) throws IOException {
    file.readHeader();
    boolean hasClasses = file.isOneOf("svm_type", CLASSES);
    if (!hasClasses && !file.isOneOf("svm_type", NUMBERS) && !file.isOneOf("svm_type", ONE_CLASS)) {
      throw file.wrong("svm_type", "c_svc, nu_svc, one_class, epsilon_svr or nu_svr");
    }
    if (!file.isOneOf("kernel_type", Set.of("rbf"))) {
      throw file.wrong("kernel_type", "rbf");
    }
    double gamma = file.number("gamma");
    if (!(gamma > 0)) {
      throw file.wrong("gamma", "a number above 0");
    }
    int classes = file.count("nr_class", 1, 2, hasClasses ? VotingModel.MOST_CLASSES : 2);
    file.readVectors(classes - 1);
    if (hasClasses) {
      return classes == 2 ? binary(gamma, scaler) : votes(gamma, scaler, classes);
    }
    return file.isOneOf("svm_type", NUMBERS) ? regression(gamma, scaler) : oneClass(gamma, scaler);
  }

  /** LIBSVM answers its first label if the sum is above 0; in this library +1 is the higher. */
  private PreparedModel binary(double gamma, Scaler scaler) throws BadDataException {
    double first = file.number("label", 1);
    double second = file.number("label", 2);
    if (first == second) {
      throw file.wrong("label", "two different labels");
    }
    double sign = first > second ? 1 : -1;
    AvmOptions options = options(AvmOptions.binary(), gamma);
    Labels labels = new Labels.Pair(Math.min(first, second), Math.max(first, second));
    return prepared(options, sign, scaler, labels);
  }

  private PreparedModel regression(double gamma, Scaler scaler) throws BadDataException {
    return prepared(options(AvmOptions.regression(), gamma), 1, scaler, new Labels.Plain());
  }

  private static AvmOptions options(AvmOptions.Builder builder, double gamma) {
    return builder
        .kernel(Kernel.gaussian(gamma))
        .coverage(Coverage.sphere(DUPLICATES))
        .update(Update.newton(Update.DEFAULT_PRIOR, 0))
        .build();
  }

  private PreparedModel prepared(AvmOptions options, double sign, Scaler scaler, Labels labels)
      throws BadDataException {
    AvmModel model =
        AvmModel.of(options, file.vectors(), file.column(0, sign), -sign * file.number("rho"));
    return new PreparedModel(new Preparation(new Schema(), scaler, labels), model);
  }

  /**
   * LIBSVM answers -1 if the sum is at most rho. The score here is rho minus the sum, so it is at
   * least 0 for these rows.
   */
  private PreparedModel oneClass(double gamma, Scaler scaler) throws BadDataException {
    OneClassModel model =
        OneClassModel.of(
            Kernel.gaussian(gamma), file.vectors(), file.column(0, -1), file.number("rho"));
    return plain(model, scaler);
  }

  private PreparedModel votes(double gamma, Scaler scaler, int classes) throws BadDataException {
    double[] labels = new double[classes];
    int[] counts = new int[classes];
    for (int a = 0; a < classes; a++) {
      labels[a] = file.number("label", a + 1);
      counts[a] = file.count("nr_sv", a + 1, 0, file.vectors().size());
    }
    if (Arrays.stream(labels).distinct().count() < classes) {
      throw file.wrong("label", "a different label for each class");
    }
    if (Arrays.stream(counts).sum() != file.vectors().size()) {
      throw file.wrong("nr_sv", "numbers that add up to " + file.vectors().size());
    }
    double[] biases = new double[classes * (classes - 1) / 2];
    for (int pair = 0; pair < biases.length; pair++) {
      biases[pair] = -file.number("rho", pair + 1);
    }
    double[][] columns = new double[classes - 1][];
    Arrays.setAll(columns, c -> file.column(c, 1));
    Kernel kernel = Kernel.gaussian(gamma);
    return plain(VotingModel.of(kernel, labels, counts, file.vectors(), columns, biases), scaler);
  }

  private static PreparedModel plain(Model model, Scaler scaler) {
    return new PreparedModel(new Preparation(new Schema(), scaler, new Labels.Plain()), model);
  }
}
