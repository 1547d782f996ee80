package org.avm4j.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.avm4j.Features;
import org.avm4j.data.Decimal;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Schema;
import org.avm4j.explain.ChangeStudy;

/** Compares the labels of two files: how many rows have one, which classes occur, what changed. */
final class LabelChange {
  private static final int MOST_CLASSES = 20;

  /** Fewest labels of a file to be compared with those of the other. */
  private static final int FEWEST = 20;

  /**
   * The number for the first text among numeric labels: larger than all numbers that a learner
   * accepts. The next larger double is for the second text, and so on.
   */
  private static final double FIRST_TEXT = 10 * Features.LARGEST;

  private final Map<Double, long[]> classes = new TreeMap<>();
  private final Map<String, Double> added = new LinkedHashMap<>();
  private final long[] rows = new long[2];
  private final long[] labelled = new long[2];
  private Schema schema;

  /** Sets the schema that names the known labels. */
  void use(Schema known) {
    schema = known;
  }

  /**
   * Counts a row.
   *
   * @param file 0 for the old file, 1 for the new one
   * @return its label; NaN if it has none
   */
  double add(InstanceReader row, int file) {
    String unknown = row.unknownLabel();
    double label = unknown == null ? row.label() : numberOf(unknown);
    rows[file]++;
    if (!Double.isNaN(label)) {
      labelled[file]++;
      if (classes.size() <= MOST_CLASSES) {
        classes.computeIfAbsent(label, l -> new long[2])[file]++;
      }
    }
    return label;
  }

  private double numberOf(String text) {
    boolean areTexts = !schema.labels().isEmpty();
    return added.computeIfAbsent(
        text,
        t ->
            areTexts
                ? schema.labels().size() + added.size()
                : FIRST_TEXT + added.size() * Math.ulp(FIRST_TEXT));
  }

  /** The numbers of all labels if they are classes, else empty. */
  List<Double> classes() {
    return hasClasses() ? new ArrayList<>(classes.keySet()) : List.of();
  }

  boolean hasClasses() {
    return classes.size() > 1 && classes.size() <= MOST_CLASSES;
  }

  /** Whether both files have labels that can be compared. */
  boolean areComparable() {
    return !areNone() && problem().isEmpty();
  }

  /** Whether these rows are enough to compare their labels. */
  static boolean areEnough(List<Instance> some) {
    return some.size() >= FEWEST;
  }

  /** The rows with a label. */
  static List<Instance> labelled(List<Instance> some) {
    return some.stream().filter(row -> !Double.isNaN(row.label())).toList();
  }

  /** The number of rows with a label in the file with fewer of them. */
  long fewest() {
    return Math.min(labelled[0], labelled[1]);
  }

  /** Whether neither file has a label. */
  boolean areNone() {
    return labelled[0] + labelled[1] == 0;
  }

  /** Why the labels of the two files cannot be compared; empty if they can, or there are none. */
  Optional<String> problem() {
    if (areNone()) {
      return Optional.empty();
    }
    if (fewest() < FEWEST) {
      int which = labelled[0] < FEWEST ? 0 : 1;
      String file = which == 0 ? "old" : "new";
      return Optional.of(
          labelled[which] == 0
              ? "no row of the " + file + " file has a label"
              : "too few rows of the " + file + " file have a label: " + labelled[which]);
    }
    boolean wereTexts = !schema.labels().isEmpty();
    if (!wereTexts && !added.isEmpty()) {
      return Optional.of("the old labels are all numbers, the new ones include text");
    }
    if (classes.size() <= MOST_CLASSES && wereTexts && !isAnyLeft()) {
      boolean areNumbers = !added.isEmpty() && added.keySet().stream().allMatch(Decimal::isNumber);
      return Optional.of(
          areNumbers
              ? "the old labels are text, the new ones are numbers"
              : "the files have no label in common");
    }
    return Optional.empty();
  }

  private boolean isAnyLeft() {
    return classes.values().stream().anyMatch(counts -> counts[0] > 0 && counts[1] > 0);
  }

  /** Whether the distribution of comparable labels changed. */
  boolean moved(List<Instance> before, List<Instance> after) {
    return !new ChangeStudy(coded(before), coded(after), new Schema()).moved().isEmpty();
  }

  /** Labels as features: one feature for numbers, one for each class. */
  private List<Features> coded(List<Instance> some) {
    List<Double> all = classes();
    return some.stream()
        .map(
            row ->
                all.isEmpty()
                    ? Features.dense(row.label())
                    : Features.dense(
                        all.stream().mapToDouble(c -> c == row.label() ? 1 : 0).toArray()))
        .toList();
  }

  /** The percentage of rows with a label in both files. */
  List<Double> labelledPercent() {
    return List.of(100.0 * labelled[0] / rows[0], 100.0 * labelled[1] / rows[1]);
  }

  /** The percentage of each class in both files; empty if a file has no labels. */
  Map<String, Object> shares() {
    Map<String, Object> values = new LinkedHashMap<>();
    if (hasClasses() && labelled[0] > 0 && labelled[1] > 0) {
      classes.forEach(
          (label, counts) ->
              values.put(
                  text(label),
                  List.of(100.0 * counts[0] / labelled[0], 100.0 * counts[1] / labelled[1])));
    }
    return values;
  }

  /** The text of a class. */
  String text(double label) {
    return added.entrySet().stream()
        .filter(each -> each.getValue() == label)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseGet(() -> schema.labelText(label));
  }

  String lines() {
    StringBuilder text = new StringBuilder();
    if (!areNone() && labelled[0] + labelled[1] < rows[0] + rows[1]) {
      List<Double> percent = labelledPercent();
      text.append(
          Text.format(
              "  rows with a label: %.1f %%, then %.1f %%%n", percent.get(0), percent.get(1)));
    }
    shares().forEach((label, parts) -> text.append(line(label, (List<?>) parts)));
    return text.toString();
  }

  private static String line(String label, List<?> parts) {
    double before = (Double) parts.get(0);
    double after = (Double) parts.get(1);
    String word = before == 0 ? " appeared" : after == 0 ? " vanished" : "";
    return Text.format("  label %s%s: %.1f %%, then %.1f %%%n", label, word, before, after);
  }
}
