package org.avm4j.export;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.AttributeProto.AttributeType;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Builds an ONNX graph node by node. Methods that add a node return the name of its result. */
final class Graph {
  static final TensorProto.DataType BOOL = TensorProto.DataType.BOOL;
  static final TensorProto.DataType DOUBLE = TensorProto.DataType.DOUBLE;
  static final TensorProto.DataType FLOAT = TensorProto.DataType.FLOAT;
  static final TensorProto.DataType INT64 = TensorProto.DataType.INT64;
  static final TensorProto.DataType STRING = TensorProto.DataType.STRING;

  /** The domain of the operators for machine learning. */
  static final String ML = "ai.onnx.ml";

  /** The name of the dimension for the number of rows, which is variable. */
  private static final String ROWS = "N";

  /** The dimension of a shape that has an entry for each row. */
  static final long EACH = -1;

  /** A dimension of size 1. */
  static final long ONE = 1;

  private final GraphProto.Builder graph = GraphProto.newBuilder();
  private final AtomicInteger names;

  Graph() {
    this(new AtomicInteger());
  }

  private Graph(AtomicInteger names) {
    this.names = names;
  }

  GraphProto.Builder proto() {
    return graph;
  }

  String add(String operator, List<String> inputs, AttributeProto... attributes) {
    return add("", operator, fresh(operator), inputs, attributes);
  }

  String add(String operator, String input, AttributeProto... attributes) {
    return add(operator, List.of(input), attributes);
  }

  String add(String operator, String first, String second, AttributeProto... attributes) {
    return add(operator, List.of(first, second), attributes);
  }

  /** Adds an operator of a domain; the result gets the given name. */
  String add(
      String domain,
      String operator,
      String result,
      List<String> inputs,
      AttributeProto... attributes) {
    add(domain, operator, List.of(result), inputs, attributes);
    return result;
  }

  private void add(
      String domain,
      String operator,
      List<String> results,
      List<String> inputs,
      AttributeProto... attributes) {
    graph.addNode(
        NodeProto.newBuilder()
            .setName("node_" + results.get(0))
            .setDomain(domain)
            .setOpType(operator)
            .addAllInput(inputs)
            .addAllOutput(results)
            .addAllAttribute(List.of(attributes)));
  }

  String[] addTwo(String operator, List<String> inputs, AttributeProto... attributes) {
    String[] results = {fresh(operator), fresh(operator)};
    add("", operator, List.of(results), inputs, attributes);
    return results;
  }

  /** A graph for a branch of {@link #addIf}, which can use all values of this one. */
  Graph branch() {
    return new Graph(names);
  }

  /** Adds an if-else of two graphs; the types of the results are inferred. */
  String[] addIf(String condition, Graph yes, List<String> ifYes, Graph no, List<String> ifNo) {
    String[] results = ifYes.stream().map(any -> fresh("if")).toArray(String[]::new);
    add(
        "",
        "If",
        List.of(results),
        List.of(condition),
        attribute("then_branch", yes, ifYes),
        attribute("else_branch", no, ifNo));
    return results;
  }

  private AttributeProto attribute(String name, Graph inner, List<String> results) {
    results.forEach(result -> inner.graph.addOutput(ValueInfoProto.newBuilder().setName(result)));
    return inner(name, inner);
  }

  private AttributeProto inner(String name, Graph inner) {
    return attribute(name, AttributeType.GRAPH).setG(inner.graph.setName(fresh(name))).build();
  }

  /** A graph for the body of a loop, which can use all values of this one. */
  Graph inner() {
    Graph inner = new Graph(names);
    inner.innerInput(INT64);
    inner.innerInput(BOOL);
    return inner;
  }

  /** Declares a loop variable of this shape, and returns its name in the body. */
  String innerInput(TensorProto.DataType type, long... shape) {
    String name = fresh("step");
    graph.addInput(value(name, type, "", shape));
    return name;
  }

  /**
   * Adds a do-while loop.
   *
   * @param inner the body
   * @param start the initial values of the loop variables
   * @param goesOn the condition for another step, computed in the body
   * @param ends the values of the loop variables after a step
   * @return the final values of the loop variables
   */
  List<String> addLoop(Graph inner, List<String> start, String goesOn, List<String> ends) {
    inner.graph.addOutput(typed(goesOn, inner.graph.getInput(1)));
    for (int i = 0; i < ends.size(); i++) {
      inner.graph.addOutput(typed(ends.get(i), inner.graph.getInput(2 + i)));
    }
    List<String> inputs = new ArrayList<>(List.of("", truth()));
    inputs.addAll(start);
    List<String> results = start.stream().map(any -> fresh("loop")).toList();
    add("", "Loop", results, inputs, inner("body", inner));
    return results;
  }

  private static ValueInfoProto typed(String name, ValueInfoProto as) {
    return as.toBuilder().setName(name).build();
  }

  private String truth() {
    String name = fresh("constant");
    graph.addInitializer(
        TensorProto.newBuilder().setName(name).setDataType(BOOL.getNumber()).addInt32Data(1));
    return name;
  }

  /** A new name; the prefix keeps it apart from column names. */
  String fresh(String word) {
    return "avm/" + word.toLowerCase(Locale.ROOT) + "_" + names.getAndIncrement();
  }

  String cast(String value, TensorProto.DataType type) {
    return add("Cast", value, attribute("to", type.getNumber()));
  }

  /** A constant of shape [1], which is broadcast to any shape. */
  String number(double value) {
    return doubles(new double[] {value});
  }

  /** A constant without dimensions. */
  String scalar(double value) {
    return constant(DOUBLE, bytes(8).putDouble(value), new long[0]);
  }

  /** A float constant of shape [1], which is broadcast to any shape. */
  String floatNumber(float value) {
    return constant(FLOAT, bytes(4).putFloat(value), new long[] {1});
  }

  /** A float constant without dimensions. */
  String floatScalar(float value) {
    return constant(FLOAT, bytes(4).putFloat(value), new long[0]);
  }

  /** An integer constant without dimensions. */
  String longScalar(long value) {
    return longs(new long[] {value}, new long[0]);
  }

  String doubles(double[] values, long... shape) {
    ByteBuffer bytes = bytes(8L * values.length);
    for (double value : values) {
      bytes.putDouble(value);
    }
    return constant(DOUBLE, bytes, shape(values.length, shape));
  }

  String doubles(List<Double> values, long... shape) {
    return doubles(values.stream().mapToDouble(Double::doubleValue).toArray(), shape);
  }

  String longs(long... values) {
    return longs(values, values.length);
  }

  String longs(long[] values, long... shape) {
    ByteBuffer bytes = bytes(8L * values.length);
    for (long value : values) {
      bytes.putLong(value);
    }
    return constant(INT64, bytes, shape);
  }

  String texts(List<String> values) {
    String name = fresh("constant");
    TensorProto.Builder tensor =
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(STRING.getNumber())
            .addDims(values.size());
    values.forEach(value -> tensor.addStringData(ByteString.copyFromUtf8(value)));
    graph.addInitializer(tensor);
    return name;
  }

  private static long[] shape(int count, long[] given) {
    return given.length == 0 ? new long[] {count} : given;
  }

  private static ByteBuffer bytes(long size) {
    if (size > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("the model is too large for ONNX, whose limit is 2 GB");
    }
    return ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private String constant(TensorProto.DataType type, ByteBuffer bytes, long[] shape) {
    String name = fresh("constant");
    graph.addInitializer(
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(type.getNumber())
            .addAllDims(LongStream.of(shape).boxed().toList())
            .setRawData(ByteString.copyFrom(bytes.flip())));
    return name;
  }

  /** Declares an input of the graph, with any number of rows of a given width. */
  void input(String name, TensorProto.DataType type, long width, String description) {
    graph.addInput(value(name, type, description, EACH, width));
  }

  /** Declares an output of {@code width} values per row, or of a single value if the width is 0. */
  void output(
      String name, String value, TensorProto.DataType type, long width, String description) {
    String free = name;
    while (isInput(free)) {
      free += "_";
    }
    add("", "Identity", free, List.of(value));
    long[] each = {EACH};
    long[] wide = {EACH, width};
    graph.addOutput(value(free, type, description, width == 0 ? each : wide));
  }

  private boolean isInput(String name) {
    return graph.getInputList().stream().anyMatch(input -> input.getName().equals(name));
  }

  private static ValueInfoProto value(
      String name, TensorProto.DataType type, String description, long... shape) {
    TensorShapeProto.Builder dimensions = TensorShapeProto.newBuilder();
    for (long dimension : shape) {
      if (dimension == EACH) {
        dimensions.addDimBuilder().setDimParam(ROWS);
      } else {
        dimensions.addDimBuilder().setDimValue(dimension);
      }
    }
    TypeProto.Tensor tensor =
        TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(dimensions).build();
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(TypeProto.newBuilder().setTensorType(tensor))
        .setDocString(description)
        .build();
  }

  private static AttributeProto.Builder attribute(String name, AttributeType type) {
    return AttributeProto.newBuilder().setName(name).setType(type);
  }

  static AttributeProto attribute(String name, long value) {
    return attribute(name, AttributeType.INT).setI(value).build();
  }

  static AttributeProto attribute(String name, String value) {
    return attribute(name, AttributeType.STRING).setS(ByteString.copyFromUtf8(value)).build();
  }

  static AttributeProto attribute(String name, long... values) {
    return attribute(name, AttributeType.INTS)
        .addAllInts(LongStream.of(values).boxed().toList())
        .build();
  }

  static AttributeProto attribute(String name, double[] values) {
    TensorProto tensor =
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(DOUBLE.getNumber())
            .addDims(values.length)
            .addAllDoubleData(DoubleStream.of(values).boxed().toList())
            .build();
    return attribute(name, AttributeType.TENSOR).setT(tensor).build();
  }

  static AttributeProto attribute(String name, List<String> values) {
    return attribute(name, AttributeType.STRINGS)
        .addAllStrings(values.stream().map(ByteString::copyFromUtf8).toList())
        .build();
  }
}
