package org.avm4j.serve;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A tensor of the Open Inference Protocol with one or two dimensions.
 *
 * @param data numbers, booleans, texts or nulls in row-major order
 */
record Tensor(String name, DataType type, List<Integer> shape, List<Object> data) {
  private static final int MAX_ROWS = 100_000;
  private static final int MAX_DIMENSIONS = 2;

  /** The data types of the protocol, with the range of the integer types. */
  enum DataType {
    BOOL(0, 0),
    UINT8(0, 0xffp0),
    UINT16(0, 0xffffp0),
    UINT32(0, 0xffffffffp0),
    UINT64(0, 0x1p64),
    INT8(-0x1p7, 0x1p7 - 1),
    INT16(-0x1p15, 0x1p15 - 1),
    INT32(-0x1p31, 0x1p31 - 1),
    INT64(-0x1p63, 0x1p63),
    FP16(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
    FP32(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
    FP64(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
    BYTES(0, 0);

    private final double least;
    private final double most;

    DataType(double least, double most) {
      this.least = least;
      this.most = most;
    }

    static DataType of(Object word, String tensor) {
      for (DataType type : values()) {
        if (type.name().equals(word)) {
          return type;
        }
      }
      throw Problem.malformed(
          "the datatype of '" + tensor + "' must be one of " + List.of(values()));
    }

    /** Whether a value is of this type; null, a missing value, is of every type. */
    boolean includes(Object value) {
      if (value == null) {
        return true;
      }
      return switch (this) {
        case BOOL -> value instanceof Boolean;
        case BYTES -> value instanceof String;
        case FP16, FP32, FP64 -> value instanceof Number;
        default ->
            value instanceof Number number
                && number.doubleValue() == Math.rint(number.doubleValue())
                && number.doubleValue() >= least
                && number.doubleValue() <= most;
      };
    }
  }

  /** Parses a tensor of a request. */
  static Tensor of(Object value) {
    if (!(value instanceof Map<?, ?> map) || !(map.get("name") instanceof String name)) {
      throw Problem.malformed("a tensor must be an object with a \"name\"");
    }
    checkParameters(map);
    DataType type = DataType.of(map.get("datatype"), name);
    List<Integer> shape = shape(list(map.get("shape"), "shape"), name);
    List<Object> data = data(list(map.get("data"), "data"), shape, name);
    for (Object each : data) {
      if (!type.includes(each)) {
        throw Problem.malformed("the data of '" + name + "' must be of the datatype " + type);
      }
    }
    return new Tensor(name, type, shape, data);
  }

  /** Checks that parameters are texts, numbers or booleans by name; none are used here. */
  static void checkParameters(Map<?, ?> of) {
    Object parameters = of.get("parameters");
    boolean areValues =
        parameters == null
            || parameters instanceof Map<?, ?> map
                && map.values().stream()
                    .allMatch(
                        value ->
                            value instanceof String
                                || value instanceof Number
                                || value instanceof Boolean);
    if (!areValues) {
      throw Problem.malformed("\"parameters\" must map names to strings, numbers or booleans");
    }
  }

  private static List<Integer> shape(List<?> sizes, String name) {
    List<Integer> shape = new ArrayList<>();
    for (Object each : sizes) {
      if (!(each instanceof Long number) || number < 0 || number > MAX_ROWS) {
        throw Problem.malformed("the shape of '" + name + "' must be numbers up to " + MAX_ROWS);
      }
      shape.add(number.intValue());
    }
    if (shape.isEmpty() || shape.size() > MAX_DIMENSIONS) {
      throw Problem.malformed("the shape of '" + name + "' must have 1 or 2 numbers");
    }
    return shape;
  }

  /** The data as a flat list; a client may send it flat, or nested as the shape says. */
  private static List<Object> data(List<?> given, List<Integer> shape, String name) {
    List<Object> flat = new ArrayList<>();
    boolean isNested = !given.isEmpty() && given.get(0) instanceof List;
    boolean fits = !isNested || shape.size() == MAX_DIMENSIONS && given.size() == shape.get(0);
    for (Object each : given) {
      boolean isRow = each instanceof List<?> row && row.size() == shape.get(shape.size() - 1);
      fits &= isRow == isNested;
      flat.addAll(isNested && isRow ? (List<?>) each : Collections.singletonList(each));
    }
    long size = shape.stream().mapToLong(n -> n).reduce(1, (a, b) -> a * b);
    if (!fits || flat.size() != size) {
      throw Problem.malformed("the data of '" + name + "' must fill the shape " + shape);
    }
    return flat;
  }

  /** Returns the array under a name, or throws if the value is not an array. */
  static List<?> list(Object value, String name) {
    if (!(value instanceof List<?> list)) {
      throw Problem.malformed("expected an array under \"" + name + "\"");
    }
    return list;
  }

  int rows() {
    return shape.get(0);
  }

  int width() {
    return shape.size() < MAX_DIMENSIONS ? 1 : shape.get(1);
  }

  /** The name, type and shape of a tensor as JSON, without its data. */
  static Map<String, Object> head(String name, DataType type, List<Integer> shape) {
    return JsonValues.members("name", name, "datatype", type.name(), "shape", shape);
  }

  Map<String, Object> json() {
    Map<String, Object> json = head(name, type, shape);
    json.put("data", data);
    return json;
  }
}
