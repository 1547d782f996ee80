package org.avm4j.serve;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds values against the schemas of an OpenAPI document. It is stricter than JSON Schema in two
 * points: an object whose properties are listed has no others, unless {@code additionalProperties}
 * says so, and a keyword that this class does not know is an error.
 */
final class SchemaCheck {
  /** Keywords that say nothing about a value of JSON. */
  private static final Set<String> SILENT = Set.of("description", "contentMediaType", "example");

  private final Map<String, Object> document;

  SchemaCheck(Map<String, Object> document) {
    this.document = document;
  }

  /** What is wrong with a value, each with its place; empty for nothing. */
  List<String> faults(Object schema, Object value) {
    List<String> faults = new ArrayList<>();
    whole(map(schema), value, "", faults);
    return faults;
  }

  private void check(Map<String, Object> schema, Object value, String at, List<String> faults) {
    schema.forEach((keyword, rule) -> check(keyword, rule, value, at, faults));
  }

  private void check(String keyword, Object rule, Object value, String at, List<String> faults) {
    switch (keyword) {
      case "$ref" -> check(resolve(rule), value, at, faults);
      case "type" -> {
        Collection<?> types = rule instanceof List<?> list ? list : List.of(rule);
        if (types.stream().noneMatch(type -> isOf(type.toString(), value))) {
          faults.add(at + " is not of type " + types + ": " + value);
        }
      }
      case "enum" -> {
        if (!((List<?>) rule).contains(value)) {
          faults.add(at + " is not one of " + rule + ": " + value);
        }
      }
      case "exclusiveMinimum" -> {
        if (value instanceof Number n && n.doubleValue() <= ((Number) rule).doubleValue()) {
          faults.add(at + " is not above " + rule + ": " + value);
        }
      }
      case "required" -> {
        if (value instanceof Map<?, ?> object && !object.keySet().containsAll((List<?>) rule)) {
          faults.add(at + " lacks one of " + rule + ": " + object.keySet());
        }
      }
      case "properties" -> {
        if (value instanceof Map<?, ?> object) {
          map(rule)
              .forEach(
                  (name, each) -> {
                    if (object.containsKey(name)) {
                      whole(map(each), object.get(name), at + "/" + name, faults);
                    }
                  });
        }
      }
      case "items" -> {
        if (value instanceof List<?> list) {
          for (int i = 0; i < list.size(); i++) {
            whole(map(rule), list.get(i), at + "/" + i, faults);
          }
        }
      }
      case "allOf" -> ((List<?>) rule).forEach(each -> check(map(each), value, at, faults));
      case "oneOf" -> {
        long fitting = ((List<?>) rule).stream().filter(e -> faults(e, value).isEmpty()).count();
        if (fitting != 1) {
          faults.add(at + " fits " + fitting + " of the alternatives: " + value);
        }
      }
      case "additionalProperties" -> {} // see others
      default -> {
        if (!SILENT.contains(keyword)) {
          throw new AssertionError("a keyword that is not checked: " + keyword);
        }
      }
    }
  }

  /** Checks a value, and that an object has no properties that are not listed. */
  private void whole(Map<String, Object> schema, Object value, String at, List<String> faults) {
    check(schema, value, at, faults);
    others(schema, value, at, faults);
  }

  private void others(Map<String, Object> schema, Object value, String at, List<String> faults) {
    if (!(value instanceof Map<?, ?> object)) {
      return;
    }
    Set<String> known = new HashSet<>();
    List<Object> rest = new ArrayList<>();
    collect(schema, known, rest);
    for (Map.Entry<?, ?> each : object.entrySet()) {
      if (known.contains(each.getKey()) || rest.contains(true)) {
        continue;
      }
      if (rest.isEmpty() || rest.contains(false)) {
        faults.add(at + " has a property that is not described: " + each.getKey());
      } else {
        rest.forEach(rule -> whole(map(rule), each.getValue(), at + "/" + each.getKey(), faults));
      }
    }
  }

  /** Collects the names that a schema lists, and what it says about others. */
  private void collect(Map<String, Object> schema, Set<String> known, List<Object> rest) {
    if (schema.get("$ref") != null) {
      collect(resolve(schema.get("$ref")), known, rest);
    }
    if (schema.get("properties") != null) {
      known.addAll(map(schema.get("properties")).keySet());
    }
    if (schema.get("additionalProperties") != null) {
      rest.add(schema.get("additionalProperties"));
    }
    for (String several : List.of("allOf", "oneOf")) {
      if (schema.get(several) instanceof List<?> parts) {
        parts.forEach(part -> collect(map(part), known, rest));
      }
    }
  }

  /** The part of the document that a reference such as {@code #/components/…} names. */
  Map<String, Object> resolve(Object reference) {
    Object found = document;
    for (String part : reference.toString().substring(2).split("/")) {
      found = map(found).get(part);
    }
    return map(found);
  }

  private static boolean isOf(String type, Object value) {
    return switch (type) {
      case "null" -> value == null;
      case "string" -> value instanceof String;
      case "boolean" -> value instanceof Boolean;
      case "number" -> value instanceof Number;
      case "integer" -> value instanceof Number n && n.doubleValue() == Math.rint(n.doubleValue());
      case "array" -> value instanceof List;
      case "object" -> value instanceof Map;
      default -> throw new AssertionError("an unknown type: " + type);
    };
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }
}
