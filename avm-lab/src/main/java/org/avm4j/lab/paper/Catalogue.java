package org.avm4j.lab.paper;

import java.io.Reader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.avm4j.Task;
import org.avm4j.table.Scaling;

/** The data sets of the experiments, by name. */
public final class Catalogue {
  private final Map<String, DataSet> sets = new LinkedHashMap<>();

  private Catalogue() {}

  /** The catalogue that ships with the product. */
  public static Catalogue standard() {
    return read(Sections.resource("catalogue.ini"));
  }

  /** Reads a catalogue in the same format. */
  public static Catalogue read(Reader from) {
    Catalogue catalogue = new Catalogue();
    Sections.read(from).forEach((name, keys) -> catalogue.sets.put(name, set(name, keys)));
    return catalogue;
  }

  /** All data sets. */
  public List<DataSet> all() {
    return List.copyOf(sets.values());
  }

  /** The data set of this name. */
  public DataSet named(String name) {
    DataSet found = sets.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "a data set must be one of " + String.join(", ", sets.keySet()) + ": " + name);
    }
    return found;
  }

  /** The data sets that take part in a study by default. */
  public List<DataSet> of(Study study) {
    return all().stream().filter(set -> set.studies().contains(study)).toList();
  }

  private static DataSet set(String name, Map<String, String> keys) {
    try {
      return new DataSet(
          name,
          keys.getOrDefault("paper", ""),
          keys.getOrDefault("title", name),
          Boolean.parseBoolean(keys.getOrDefault("complete", "true")),
          keys.getOrDefault("note", ""),
          DataSet.words(keys.getOrDefault("studies", "")).stream().map(Catalogue::study).toList(),
          task(keys.getOrDefault("task", "binary")),
          DataSet.words(keys.getOrDefault("train", name)),
          DataSet.words(keys.getOrDefault("test", "")),
          Double.parseDouble(keys.getOrDefault("test-share", "0")),
          DataSet.words(keys.getOrDefault("rows", "0")).stream().map(Long::valueOf).toList(),
          Integer.parseInt(keys.getOrDefault("features", "0")),
          Integer.parseInt(keys.getOrDefault("classes", "0")),
          Scaling.valueOf(keys.getOrDefault("scale", "none").toUpperCase(Locale.ROOT)),
          Double.parseDouble(keys.getOrDefault("label-shift", "0")),
          Double.parseDouble(keys.getOrDefault("label-range", "1")),
          Settings.parse(keys.getOrDefault("settings", "")),
          prefixed(keys, "source."),
          prefixed(keys, "source-sha256."),
          prefixed(keys, "coded."),
          keys.getOrDefault("origin", "its origin is not known"),
          prefixed(keys, "source-label."),
          prefixed(keys, "sha256."),
          prefixed(keys, "rows-sha256."));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("catalogue, [" + name + "]: " + wrong.getMessage(), wrong);
    }
  }

  private static Study study(String id) {
    return Study.valueOf(id.toUpperCase(Locale.ROOT));
  }

  private static Task task(String word) {
    return switch (word) {
      case "binary" -> Task.binary();
      case "multiclass" -> Task.multiclass();
      case "regression" -> Task.regression();
      default ->
          throw new IllegalArgumentException(
              "task must be binary, multiclass or regression: " + word);
    };
  }

  private static Map<String, String> prefixed(Map<String, String> keys, String prefix) {
    Map<String, String> some = new TreeMap<>();
    keys.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            some.put(key.substring(prefix.length()), value);
          }
        });
    return some;
  }
}
