package org.avm4j.lab.paper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param settings the settings of the run
 * @param status whether it was completed
 * @param metric accuracy in percent (batch), mistake rate in percent, or RMSE
 * @param size the number of vectors, or random features, at the end
 * @param instances the number of learned rows
 * @param seconds the processor time of learning in the batch study, else of the whole run
 * @param testSeconds the processor time for the test split
 * @param wallSeconds the elapsed time
 * @param limit the time limit in seconds
 * @param machine a description of the computer
 * @param curve the learning curve, for online studies
 */
public record Outcome(
    String settings,
    Status status,
    double metric,
    int size,
    long instances,
    double seconds,
    double testSeconds,
    double wallSeconds,
    double limit,
    String machine,
    List<Point> curve) {

  /** How a run ended. */
  public enum Status {
    /** It was completed. */
    DONE,
    /** It reached its time limit; the figures are those until then. */
    TIME,
    /** It was not started, because it needs too much memory. */
    MEMORY
  }

  /** Whether the run was completed. */
  public boolean isDone() {
    return status == Status.DONE;
  }

  /** The outcome as text: one line per figure, and one for each point of the curve. */
  String text() {
    StringBuilder text = new StringBuilder();
    fields().forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    for (Point point : curve) {
      text.append(
          "point=%d %s %s %d%n"
              .formatted(point.instances(), point.metric(), point.seconds(), point.size()));
    }
    return text.append("end\n").toString();
  }

  private Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("settings", settings);
    fields.put("status", status);
    fields.put("metric", metric);
    fields.put("size", size);
    fields.put("instances", instances);
    fields.put("seconds", seconds);
    fields.put("testSeconds", testSeconds);
    fields.put("wallSeconds", wallSeconds);
    fields.put("limit", limit);
    fields.put("machine", machine);
    return fields;
  }

  /** Parses what {@link #text} wrote; throws an {@link IllegalArgumentException} otherwise. */
  static Outcome parse(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    List<Point> curve = new ArrayList<>();
    boolean isWhole = false;
    for (String line : text.lines().toList()) {
      int at = line.indexOf('=');
      if (line.startsWith("point=")) {
        curve.add(point(line.substring(at + 1).split(" ")));
      } else if (at > 0) {
        fields.put(line.substring(0, at), line.substring(at + 1));
      }
      isWhole = line.equals("end");
    }
    if (!isWhole || !fields.containsKey("machine")) {
      throw new IllegalArgumentException(
          "the last line must be 'end', and the machine must be named");
    }
    return new Outcome(
        fields.get("settings"),
        Status.valueOf(fields.get("status")),
        Double.parseDouble(fields.get("metric")),
        Integer.parseInt(fields.get("size")),
        Long.parseLong(fields.get("instances")),
        Double.parseDouble(fields.get("seconds")),
        Double.parseDouble(fields.get("testSeconds")),
        Double.parseDouble(fields.get("wallSeconds")),
        Double.parseDouble(fields.get("limit")),
        fields.get("machine"),
        curve);
  }

  private static Point point(String[] words) {
    return new Point(
        Long.parseLong(words[0]),
        Double.parseDouble(words[1]),
        Double.parseDouble(words[2]),
        Integer.parseInt(words[3]));
  }
}
