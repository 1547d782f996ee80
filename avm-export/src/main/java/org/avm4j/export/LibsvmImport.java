package org.avm4j.export;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Update;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Decimal;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;

/**
 * A model file of LIBSVM as a model of ours: C-SVC and ν-SVC of two classes, ε-SVR and ν-SVR, with
 * the kernel {@code rbf}. LIBSVM decides several classes by votes of pairs, which no model here
 * does: such a file is refused. Its probabilities are left out.
 */
public final class LibsvmImport {
  private static final Set<String> CLASSES = Set.of("c_svc", "nu_svc");
  private static final Set<String> NUMBERS = Set.of("epsilon_svr", "nu_svr");

  /** A diameter so small that only exact duplicates share a cell. */
  private static final double DUPLICATES = 1e-6;

  private static final int MORE_POINTS = 500;
  private static final double LARGEST = 1e100;

  private final String name;
  private final BufferedReader in;
  private final Map<String, String[]> header = new HashMap<>();
  private final Map<String, Long> lineOf = new HashMap<>();
  private final List<Features> vectors = new ArrayList<>();
  private final List<Double> coefficients = new ArrayList<>();
  private long line;

  private LibsvmImport(String name, InputStream in) {
    this.name = name;
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
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
    return new LibsvmImport(name, in).read(scaler);
  }

  /**
   * A learner that goes on from an imported model, by the second-order step: the support vectors
   * are its first core points, and at most 500 more may come.
   */
  public static Pipeline warmStart(PreparedModel imported) {
    AvmModel model =
        imported
            .expansion()
            .orElseThrow(() -> new IllegalArgumentException("the model is no kernel expansion"));
    AvmOptions options =
        model
            .provenance()
            .options()
            .change()
            .maxSize(model.size() + MORE_POINTS, Limit.APPROXIMATE)
            .build();
    return new Pipeline(imported.preparation(), Avm.from(model, options));
  }

  private PreparedModel read(Scaler scaler) throws IOException {
    readHeader();
    boolean isRegression = isOneOf("svm_type", NUMBERS);
    if (!isRegression && !isOneOf("svm_type", CLASSES)) {
      throw wrong("svm_type", "c_svc, nu_svc, epsilon_svr or nu_svr");
    }
    if (!isOneOf("kernel_type", Set.of("rbf"))) {
      throw wrong("kernel_type", "rbf");
    }
    double gamma = number("gamma");
    if (!(gamma > 0)) {
      throw wrong("gamma", "a number above 0");
    }
    if (number("nr_class") != 2) {
      throw wrong("nr_class", "2, for several classes are decided by votes of pairs");
    }
    readVectors();
    return isRegression ? regression(gamma, scaler) : binary(gamma, scaler);
  }

  private void readHeader() throws IOException {
    for (String text = next(); !text.strip().equals("SV"); text = next()) {
      String[] words = text.strip().split("[ \t]+");
      header.put(words[0], words);
      lineOf.put(words[0], line);
    }
  }

  private String next() throws IOException {
    String text = in.readLine();
    if (text == null) {
      throw new BadDataException(name, line + 1, "the file ends before its line 'SV'");
    }
    line++;
    return text;
  }

  private boolean isOneOf(String key, Set<String> words) throws BadDataException {
    return words.contains(value(key));
  }

  private double number(String key) throws BadDataException {
    return number(key, 1);
  }

  private double number(String key, int place) throws BadDataException {
    String[] words = words(key);
    double number = words.length > place ? Decimal.parse(words[place]) : Double.NaN;
    if (!(Math.abs(number) <= LARGEST)) {
      throw wrong(key, "a number within ±1e100");
    }
    return number;
  }

  private String value(String key) throws BadDataException {
    String[] words = words(key);
    return words.length > 1 ? words[1] : "";
  }

  private String[] words(String key) throws BadDataException {
    String[] words = header.get(key);
    if (words == null) {
      throw new BadDataException(name, line, "expected a line '" + key + "' before 'SV'");
    }
    return words;
  }

  private BadDataException wrong(String key, String expected) {
    String[] words = header.get(key);
    String found = words.length > 1 ? words[1] : "";
    return new BadDataException(
        name,
        lineOf.get(key),
        key + " must be " + expected + ", found " + BadDataException.quote(found));
  }

  private void readVectors() throws IOException {
    for (String text = in.readLine(); text != null; text = in.readLine()) {
      line++;
      if (!text.isBlank()) {
        addVector(text.strip().split("[ \t]+"));
      }
    }
    double announced = number("total_sv");
    if (announced != vectors.size() || vectors.isEmpty()) {
      throw wrong("total_sv", "the number of lines after 'SV', which is " + vectors.size());
    }
  }

  private void addVector(String[] words) throws BadDataException {
    double coefficient = Decimal.parse(words[0]);
    if (!(Math.abs(coefficient) <= LARGEST)) {
      throw bad("a coefficient", words[0]);
    }
    Features.Buffer row = new Features.Buffer();
    for (int i = 1; i < words.length; i++) {
      addEntry(words[i], row);
    }
    coefficients.add(coefficient);
    vectors.add(row.features().copy());
  }

  private void addEntry(String word, Features.Buffer row) throws BadDataException {
    int colon = word.indexOf(':');
    double index = colon < 0 ? Double.NaN : Decimal.parse(word.substring(0, colon));
    double value = colon < 0 ? Double.NaN : Decimal.parse(word.substring(colon + 1));
    boolean isIndex = index == Math.rint(index) && index > row.features().dimension();
    if (!isIndex || index > Features.MAX_DIMENSION || !(Math.abs(value) <= 1e15)) {
      throw bad("index:value with ascending indices from 1 and values within ±1e15", word);
    }
    row.add((int) index - 1, value);
  }

  private BadDataException bad(String expected, String found) {
    return new BadDataException(
        name, line, "expected " + expected + ", found " + BadDataException.quote(found));
  }

  /** LIBSVM answers its first label where the sum is above 0; the higher label is +1 here. */
  private PreparedModel binary(double gamma, Scaler scaler) throws BadDataException {
    double first = number("label", 1);
    double second = number("label", 2);
    if (first == second) {
      throw wrong("label", "two different labels");
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
        .kernel(new Kernel.Gaussian(gamma))
        .coverage(new Coverage.Sphere(DUPLICATES))
        .update(new Update.Newton(Update.Newton.DEFAULT_PRIOR, 0))
        .build();
  }

  private PreparedModel prepared(AvmOptions options, double sign, Scaler scaler, Labels labels)
      throws BadDataException {
    double[] signed = coefficients.stream().mapToDouble(b -> sign * b).toArray();
    AvmModel model = AvmModel.of(options, vectors, signed, -sign * number("rho"));
    return new PreparedModel(new Preparation(new Schema(), scaler, labels), model);
  }
}
