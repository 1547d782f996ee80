package org.avm4j.export;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** A graph of ONNX that grows node by node; a value is known by its name. */
final class Graph {
  static final TensorProto.DataType BOOL = TensorProto.DataType.BOOL;
  static final TensorProto.DataType DOUBLE = TensorProto.DataType.DOUBLE;
  static final TensorProto.DataType FLOAT = TensorProto.DataType.FLOAT;
  static final TensorProto.DataType INT64 = TensorProto.DataType.INT64;
  static final TensorProto.DataType STRING = TensorProto.DataType.STRING;

  /** The operators of machine learning are a set of their own. */
  static final String ML = "ai.onnx.ml";

  /** The number of rows, which is free. */
  private static final String ROWS = "N";

  private final GraphProto.Builder graph = GraphProto.newBuilder();
  private int names;

  GraphProto.Builder proto() {
    return graph;
  }

  /** Adds an operator with one result. */
  String add(String operator, List<String> inputs, AttributeProto... attributes) {
    return add("", operator, fresh(operator), inputs, attributes);
  }

  String add(String operator, String input, AttributeProto... attributes) {
    return add(operator, List.of(input), attributes);
  }

  String add(String operator, String first, String second, AttributeProto... attributes) {
    return add(operator, List.of(first, second), attributes);
  }

  /** Adds an operator of a domain, whose result gets this name. */
  String add(
      String domain,
      String operator,
      String result,
      List<String> inputs,
      AttributeProto... attributes) {
    graph.addNode(
        NodeProto.newBuilder()
            .setName("node_" + result)
            .setDomain(domain)
            .setOpType(operator)
            .addAllInput(inputs)
            .addOutput(result)
            .addAllAttribute(List.of(attributes)));
    return result;
  }

  /** Adds an operator with two results. */
  String[] addTwo(String operator, List<String> inputs, AttributeProto... attributes) {
    String[] results = {fresh(operator), fresh(operator)};
    add("", operator, results[0], inputs, attributes);
    graph.getNodeBuilder(graph.getNodeCount() - 1).addOutput(results[1]);
    return results;
  }

  /** A name that no column of a table has. */
  String fresh(String word) {
    return "avm/" + word.toLowerCase(Locale.ROOT) + "_" + names++;
  }

  String cast(String value, TensorProto.DataType type) {
    return add("Cast", value, attribute("to", type.getNumber()));
  }

  /** A number that is combined with tensors of any shape. */
  String number(double value) {
    return doubles(new double[] {value});
  }

  String doubles(double[] values, long... shape) {
    ByteBuffer bytes = bytes(8L * values.length);
    for (double value : values) {
      bytes.putDouble(value);
    }
    return constant(DOUBLE, bytes, shape(values.length, shape));
  }

  String floats(float[] values, long... shape) {
    ByteBuffer bytes = bytes(4L * values.length);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return constant(FLOAT, bytes, shape(values.length, shape));
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
      throw new IllegalArgumentException("the model is too large for ONNX, which ends at 2 GB");
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

  /** A column of the table that the graph takes: any number of rows of a given width. */
  void input(String name, TensorProto.DataType type, long width, String description) {
    graph.addInput(value(name, type, description, width));
  }

  /**
   * Gives a value out, a list of the given width for each row, or a single value where the width is
   * 0.
   */
  void output(
      String name, String value, TensorProto.DataType type, long width, String description) {
    String free = name;
    while (isInput(free)) {
      free += "_";
    }
    add("", "Identity", free, List.of(value));
    graph.addOutput(value(free, type, description, width));
  }

  private boolean isInput(String name) {
    return graph.getInputList().stream().anyMatch(input -> input.getName().equals(name));
  }

  private static ValueInfoProto value(
      String name, TensorProto.DataType type, String description, long width) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    shape.addDimBuilder().setDimParam(ROWS);
    if (width > 0) {
      shape.addDimBuilder().setDimValue(width);
    }
    TypeProto.Tensor tensor =
        TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape).build();
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(TypeProto.newBuilder().setTensorType(tensor))
        .setDocString(description)
        .build();
  }

  static AttributeProto attribute(String name, long value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INT)
        .setI(value)
        .build();
  }

  static AttributeProto attribute(String name, long... values) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INTS)
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
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.TENSOR)
        .setT(tensor)
        .build();
  }

  static AttributeProto attribute(String name, List<String> values) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.STRINGS)
        .addAllStrings(values.stream().map(ByteString::copyFromUtf8).toList())
        .build();
  }
}
