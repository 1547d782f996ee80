package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small streams and what Algorithms 1 to 5 make of them, computed by somebody else in double. */
class VectorsTest {
  /** The points are kept as floats; every decision of the vectors stays clear of ties by more. */
  private static final double TOLERANCE = 1e-4;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "binary-hinge-rectangle",
        "binary-hinge-sphere",
        "binary-hinge-sphere-mixed-approximation",
        "binary-hinge-sphere-never",
        "binary-hinge-sphere-sparse40",
        "binary-logistic-rectangle",
        "binary-logistic-sphere",
        "binary-logistic-sphere-laplacian",
        "binary-logistic-sphere-rational-quadratic",
        "binary-smooth-hinge-rectangle",
        "binary-smooth-hinge-sphere",
        "multiclass-hinge-rectangle",
        "multiclass-hinge-sphere",
        "multiclass-logistic-rectangle",
        "multiclass-logistic-sphere",
        "regression-epsilon-insensitive-rectangle-lambda0.05",
        "regression-epsilon-insensitive-sphere-lambda0.05",
        "regression-l1-rectangle-lambda0.05",
        "regression-l1-sphere-lambda0.05",
        "regression-l2-rectangle-lambda0.05",
        "regression-l2-rectangle-lambda1.5",
        "regression-l2-sphere-lambda0.05",
        "regression-l2-sphere-lambda1.5"
      })
  void everyScoreCellAndCoefficientAgrees(String name) throws IOException {
    JsonNode vector = read(name);
    JsonNode expected = vector.get("expected");
    Avm avm = new Avm(options(vector));
    for (int t = 0; t < vector.get("x").size(); t++) {
      Features x = Features.dense(doubles(vector.get("x").get(t)));
      double y = vector.get("y").get(t).asDouble();
      AvmModel before = avm.snapshot(Output.last());
      agree("scores before step " + t, before.score(x), doubles(expected.get("scores").get(t)));
      avm.observe(x, y, 1);
      int took = avm.step(vector.get("approximate").get(t).asInt() == 1);
      assertThat(took).as("step " + t).isEqualTo(expected.get("supportVectorOf").get(t).asInt());
    }
    assertThat(avm.size()).isEqualTo(expected.get("supportVectors").asInt());
    assertThat(avm.cells()).isEqualTo(expected.get("cells").asInt());
    agree(avm, Output.last(), "last", vector);
    agree(avm, Output.average(), "average", vector);
    agree(avm, Output.suffix(vector.get("suffix").asDouble()), "suffix", vector);
  }

  private static void agree(Avm avm, Output output, String name, JsonNode vector) {
    AvmModel model = avm.snapshot(output);
    JsonNode coefficients = vector.at("/expected/coefficients/" + name);
    for (int column = 0; column < model.columns(); column++) {
      int c = column;
      double[] found =
          IntStream.range(0, model.size()).mapToDouble(j -> model.coefficient(c, j)).toArray();
      double[] wanted =
          IntStream.range(0, model.size())
              .mapToDouble(j -> coefficients.get(j).get(c).asDouble())
              .toArray();
      agree("coefficients of " + name, found, wanted);
    }
    JsonNode probes = vector.get("probes");
    for (int i = 0; i < probes.size(); i++) {
      Features probe = Features.dense(doubles(probes.get(i)));
      double[] wanted = doubles(vector.at("/expected/probeScores/" + name).get(i));
      agree("probe " + i + " of " + name, model.score(probe), wanted);
    }
  }

  private static void agree(String what, double[] found, double[] wanted) {
    double scale = Math.max(1, DoubleStream.of(wanted).map(Math::abs).max().orElse(1));
    assertThat(found).as(what).hasSameSizeAs(wanted);
    for (int i = 0; i < wanted.length; i++) {
      assertThat(found[i]).as(what).isCloseTo(wanted[i], within(TOLERANCE * scale));
    }
  }

  private static AvmOptions options(JsonNode vector) {
    double gamma = vector.get("gamma").asDouble();
    double delta = vector.get("delta").asDouble();
    double parameter = vector.path("lossParameter").asDouble();
    AvmOptions.Builder builder =
        switch (vector.get("task").asText()) {
          case "binary" -> AvmOptions.binary();
          case "multiclass" -> AvmOptions.multiclass().task(classes(vector));
          default -> AvmOptions.regression();
        };
    return builder
        .loss(loss(vector.get("loss").asText(), parameter))
        .kernel(kernel(vector.get("kernel").asText(), gamma))
        .coverage(
            vector.get("coverage").asText().equals("sphere")
                ? Coverage.sphere(delta)
                : Coverage.rectangle(delta))
        .output(Output.suffix(vector.get("suffix").asDouble()))
        .regularization(vector.get("lambda").asDouble())
        .yMax(vector.path("yMax").asDouble())
        .build();
  }

  private static Task classes(JsonNode vector) {
    return Task.multiclass(
        IntStream.range(0, vector.get("classes").asInt()).asDoubleStream().toArray());
  }

  private static Loss loss(String name, double parameter) {
    return switch (name) {
      case "hinge" -> Loss.hinge();
      case "smooth-hinge" -> Loss.smoothHinge(parameter);
      case "logistic" -> Loss.logistic();
      case "l1" -> Loss.absolute();
      case "l2" -> Loss.squared();
      default -> Loss.epsilonInsensitive(parameter);
    };
  }

  private static Kernel kernel(String name, double gamma) {
    return switch (name) {
      case "gaussian" -> Kernel.gaussian(gamma);
      case "laplacian" -> Kernel.laplacian(gamma);
      default -> Kernel.rationalQuadratic(gamma);
    };
  }

  private static JsonNode read(String name) throws IOException {
    try (InputStream in = VectorsTest.class.getResourceAsStream("/vectors/" + name + ".json")) {
      return new ObjectMapper().readTree(in);
    }
  }

  private static double[] doubles(JsonNode node) {
    return node.isArray()
        ? StreamSupport.stream(node.spliterator(), false).mapToDouble(JsonNode::asDouble).toArray()
        : new double[] {node.asDouble()};
  }
}
