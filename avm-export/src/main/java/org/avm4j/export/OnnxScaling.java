package org.avm4j.export;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;

/** ONNX operators for the scaling of rows. */
final class OnnxScaling {
  private final Graph graph;
  private final int given;

  /** Scales rows of {@code given} features. */
  OnnxScaling(Graph graph, int given) {
    this.graph = graph;
    this.given = given;
  }

  /** The user's rows as scaled for a member. */
  String apply(String row, ExportPlan member) {
    String x = row;
    int width = given;
    for (Scaler scaler : member.scalers()) {
      int d = scaler.dimension();
      x = fit(x, width, d);
      double[] factors = new double[d];
      double[] shifts = new double[d];
      Arrays.setAll(factors, scaler::factor);
      Arrays.setAll(shifts, scaler::shift);
      x = changes(factors, 1) ? graph.add("Mul", x, graph.doubles(factors, 1, d)) : x;
      x = changes(shifts, 0) ? graph.add("Add", x, graph.doubles(shifts, 1, d)) : x;
      String least = graph.scalar(-Scaler.FARTHEST);
      x = graph.add("Clip", List.of(x, least, graph.scalar(Scaler.FARTHEST)));
      x = mapped(x, scaler.metric());
      width = d;
    }
    return fit(x, width, member.scaledWidth());
  }

  private static boolean changes(double[] values, double none) {
    return Arrays.stream(values).anyMatch(value -> value != none);
  }

  /** Multiplies rows by the matrix of a metric, which is symmetric and needs no transposition. */
  private String mapped(String x, Metric metric) {
    if (!metric.isMatrix()) {
      return x;
    }
    int d = metric.dimension();
    double[] entries =
        IntStream.range(0, d).mapToObj(metric::row).flatMapToDouble(Arrays::stream).toArray();
    return graph.add("MatMul", x, graph.doubles(entries, d, d));
  }

  /** Drops the last features, or appends features that are 0. */
  private String fit(String x, int from, int to) {
    if (from > to) {
      long[] first = LongStream.range(0, to).toArray();
      return graph.add("Gather", x, graph.longs(first), Graph.attribute("axis", 1));
    }
    return from == to ? x : graph.add("Pad", x, graph.longs(0, 0, 0, to - from));
  }
}
