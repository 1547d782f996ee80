package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_node;
import libsvm.svm_parameter;
import libsvm.svm_problem;
import org.avm4j.app.TableShape.Kind;
import org.avm4j.app.TableShape.Truth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Raw tables, end to end with no flag but {@code --label}: train, predict without the label,
 * evaluate. The reference is libsvm with a Gaussian kernel, which sees the numbers and categories
 * behind the table, encoded by hand: whoever reads the table wrong falls far behind it.
 */
@Tag("slow")
class TableShapesTest {
  private static final int TRAIN = 500;
  private static final int TEST = 300;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void aRawTableIsLearnedAsWellAsItsTruth(TableShape shape) throws IOException {
    List<Truth> train = shape.truths(TRAIN, 1);
    List<Truth> test = shape.truths(TEST, 2);
    String table = file("train.csv", shape.text(train));
    String model = folder.resolve("model.avm").toString();
    Shell.Result trained = Shell.run("train", table, "--label", shape.label, "-m", model);
    assertThat(trained.code()).as(trained.err()).isZero();
    Shell.Result predicted =
        Shell.run("predict", file("new.csv", withoutLabel(shape, test)), "-m", model, "-q");
    assertThat(predicted.code()).as(predicted.err()).isZero();
    assertThat(predicted.out().lines()).hasSize(TEST);
    Shell.Result measured =
        Shell.run("evaluate", file("test.csv", shape.text(test)), "-m", model, "--json");
    assertThat(measured.code()).as(measured.err()).isZero();
    double ours = quality(shape, measured.out(), test);
    double reference = reference(shape, train, test);
    assertThat(ours)
        .as(shape.text(test).lines().limit(4).toList().toString())
        .isGreaterThan(reference - margin(shape));
  }

  /** Some tables have columns that say nothing, or letters in place of numbers. */
  private static double margin(TableShape shape) {
    return switch (shape) {
      case PASSENGERS, MUSHROOMS, BIKES, HOUSES -> 13;
      default -> 6;
    };
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  /** The table without the column of its label. */
  private static String withoutLabel(TableShape shape, List<Truth> test) {
    String text = shape.text(test);
    String delimiter =
        shape == TableShape.CREDIT
            ? " "
            : text.contains("\t")
                ? "\t"
                : text.contains(";") ? ";" : shape == TableShape.BARS ? "\\|" : ", ?";
    int columns =
        shape.header == null ? text.lines().findFirst().orElseThrow().split(delimiter).length : 0;
    int place =
        shape.header == null
            ? Integer.parseInt(shape.label) > 0 ? 0 : columns - 1
            : List.of(
                    shape
                        .header
                        .replace("Price, old", "Price old")
                        .replace("\"", "")
                        .split(delimiter))
                .indexOf(shape.label);
    String separator = delimiter.equals("\\|") ? "|" : delimiter.equals(", ?") ? "," : delimiter;
    StringBuilder without = new StringBuilder();
    text.lines()
        .forEach(line -> without.append(cut(line, delimiter, separator, place)).append('\n'));
    return without.toString();
  }

  private static String cut(String line, String delimiter, String separator, int place) {
    String[] fields = line.split("(?:" + delimiter + ")(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1);
    StringBuilder rest = new StringBuilder();
    for (int i = 0; i < fields.length; i++) {
      if (i != place) {
        rest.append(rest.length() == 0 ? "" : separator).append(fields[i]);
      }
    }
    return rest.toString();
  }

  /** Accuracy in percent, or 100 R². */
  private static double quality(TableShape shape, String json, List<Truth> test) {
    if (shape.kind != Kind.NUMBERS) {
      return figure(json, "accuracy");
    }
    double rmse = figure(json, "rmse");
    double scale = shape == TableShape.SHELLS ? 2.5 : 10;
    return 100 * (1 - rmse * rmse / (scale * scale * variance(test)));
  }

  private static double figure(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\" : ([-0-9.E]+)").matcher(json);
    assertThat(found.find()).as(json).isTrue();
    return Double.parseDouble(found.group(1));
  }

  private static double variance(List<Truth> test) {
    double mean = test.stream().mapToDouble(t -> t.noisy).average().orElseThrow();
    return test.stream()
        .mapToDouble(t -> (t.noisy - mean) * (t.noisy - mean))
        .average()
        .orElseThrow();
  }

  private static double reference(TableShape shape, List<Truth> train, List<Truth> test) {
    svm_parameter parameter = new svm_parameter();
    parameter.svm_type =
        shape.kind == Kind.NUMBERS ? svm_parameter.EPSILON_SVR : svm_parameter.C_SVC;
    parameter.kernel_type = svm_parameter.RBF;
    parameter.gamma = 0.15;
    parameter.C = 3;
    parameter.p = 0.1;
    parameter.eps = 1e-3;
    parameter.cache_size = 50;
    svm_problem problem = new svm_problem();
    problem.l = train.size();
    problem.x = train.stream().map(TableShapesTest::nodes).toArray(svm_node[][]::new);
    problem.y = train.stream().mapToDouble(t -> target(shape, t)).toArray();
    svm.svm_set_print_string_function(text -> {});
    svm_model model = svm.svm_train(problem, parameter);
    double errors = 0;
    for (Truth t : test) {
      double answer = svm.svm_predict(model, nodes(t));
      double error = answer - target(shape, t);
      errors += shape.kind == Kind.NUMBERS ? error * error : error == 0 ? 0 : 1;
    }
    double mean = errors / test.size();
    return 100 * (1 - (shape.kind == Kind.NUMBERS ? mean / variance(test) : mean));
  }

  private static double target(TableShape shape, Truth t) {
    return switch (shape.kind) {
      case NUMBERS -> t.noisy;
      case SORTED -> t.z < -1 ? 0 : t.z < 1 ? 1 : 2;
      case CLASSES -> t.isPositive() ? 1 : -1;
    };
  }

  private static svm_node[] nodes(Truth t) {
    double[] x = t.features();
    svm_node[] nodes = new svm_node[x.length];
    for (int i = 0; i < x.length; i++) {
      nodes[i] = new svm_node();
      nodes[i].index = i + 1;
      nodes[i].value = x[i];
    }
    return nodes;
  }
}
