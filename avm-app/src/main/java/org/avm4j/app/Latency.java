package org.avm4j.app;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.avm4j.data.Instance;
import org.avm4j.lab.LatencyBudget;
import org.avm4j.run.PreparedData;
import org.avm4j.spec.DefaultRules;
import picocli.CommandLine.TypeConversionException;

/** The time that an instance may take, such as 5us. */
record Latency(String text, Duration time) {
  private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ns|us|µs|ms|s)");
  private static final int ROWS = 2 * LatencyBudget.MOST;

  static Latency of(String text) {
    Matcher parts = FORM.matcher(text);
    long nanos =
        parts.matches() ? Math.round(Double.parseDouble(parts.group(1)) * unit(parts.group(2))) : 0;
    if (nanos < 1) {
      throw new TypeConversionException(
          "'" + text + "' must be a number with the unit ns, us, ms or s, such as 5us");
    }
    return new Latency(text, Duration.ofNanos(nanos));
  }

  private static double unit(String name) {
    return switch (name) {
      case "ns" -> 1;
      case "us", "µs" -> 1e3;
      case "ms" -> 1e6;
      default -> 1e9;
    };
  }

  /** The largest model size that keeps the time, measured on the first rows. */
  int size(DefaultRules rules, PreparedData data) throws IOException {
    List<Instance> sample = data.sample(ROWS);
    int size = new LatencyBudget(time).size(n -> rules.ofSize(n).pipeline(), sample);
    if (size == 0) {
      throw Failure.usage(
          "--target-latency "
              + text
              + " is too short even for a single core point on this computer");
    }
    return size;
  }

  @Override
  public String toString() {
    return "--target-latency " + text;
  }
}
