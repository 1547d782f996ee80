package org.avm4j.bench;

import com.yahoo.labs.samoa.instances.Instance;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import moa.options.ClassOption;
import moa.options.OptionHandler;
import moa.streams.ExampleStream;
import org.avm4j.Features;

/**
 * Streams of MOA's generators whose rules change: five rules one after the other, abruptly or over
 * half the time of a rule; three rules that return twice; or rules that move all the time.
 */
final class DriftingStreams {
  private static final int RULES = 5;
  private static final int TURNS = 9;

  private DriftingStreams() {}

  static List<String> names() {
    return List.copyOf(all(1000).keySet());
  }

  /** The rows of a stream, changes spread evenly over them. */
  static List<org.avm4j.data.Instance> rows(String name, int most) {
    int n = Math.min(most, 100_000);
    ClassOption option = new ClassOption("s", 's', "", ExampleStream.class, all(n).get(name));
    ExampleStream<?> stream = (ExampleStream<?>) option.materializeObject(null, null);
    ((OptionHandler) stream).prepareForUse();
    return Stream.generate(() -> row((Instance) stream.nextInstance().getData())).limit(n).toList();
  }

  private static org.avm4j.data.Instance row(Instance from) {
    double[] x = new double[from.numAttributes() - 1];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) from.value(i);
    }
    return new org.avm4j.data.Instance(Features.dense(x), (int) from.classValue());
  }

  private static Map<String, String> all(int n) {
    Map<String, String> all = new LinkedHashMap<>();
    add(all, "sea", n, "SEAGenerator -p 10 -f ", 1, 4, 2, 3, 1);
    add(all, "agrawal", n, "AgrawalGenerator -f ", 1, 3, 4, 7, 10);
    add(all, "led", n, "LEDGeneratorDrift -d ", 1, 3, 5, 7, 2);
    add(all, "rbf", n, "RandomRBFGenerator -c 4 -n 50 -r ", 1, 2, 3, 4, 5);
    all.put("rbf-moving", "generators.RandomRBFGeneratorDrift -s 0.0001 -c 5 -n 50");
    all.put("rbf-moving-fast", "generators.RandomRBFGeneratorDrift -s 0.001 -c 5 -n 50");
    all.put("hyperplane", "generators.HyperplaneGenerator -k 10 -t 0.001");
    return all;
  }

  /** Abrupt, gradual and recurring; each part of the stream has a seed of its own. */
  private static void add(
      Map<String, String> all, String name, int n, String generator, int... rules) {
    List<String> parts = parts(generator, RULES, rules);
    all.put(name + "-abrupt", chain(parts, n / RULES, 1));
    all.put(name + "-gradual", chain(parts, n / RULES, Math.max(1, n / RULES / 2)));
    all.put(name + "-recurring", chain(parts(generator, TURNS, rules, 3), n / TURNS, 1));
  }

  private static List<String> parts(String generator, int count, int[] rules, int... cycle) {
    int period = cycle.length == 0 ? rules.length : cycle[0];
    return IntStream.range(0, count)
        .mapToObj(i -> "generators." + generator + rules[i % period] + " -i " + (i + 1))
        .toList();
  }

  private static String chain(List<String> parts, int every, int width) {
    String words = parts.get(parts.size() - 1);
    for (int i = parts.size() - 2; i >= 0; i--) {
      words =
          "ConceptDriftStream -s (%s) -d (%s) -p %d -w %d"
              .formatted(parts.get(i), words, every, width);
    }
    return words;
  }
}
