package org.avm4j.serve;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.avm4j.asking.AskOptions;
import org.avm4j.asking.LabelBudget;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.RowLimits;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;

/**
 * A client's specification of a model: the options of the command line, the columns if they are
 * fixed, and the names of the keys that are not columns.
 *
 * @param learner the learner in words
 * @param columns by name, whether each column holds numbers; empty if columns are added when they
 *     first appear
 * @param label the key of the label
 * @param weight the key of the weight
 * @param id the key of the id
 * @param ask the percentage of rows whose labels are asked for; null to ask for none
 * @param watchesDrift whether the service looks for causes when the error rises
 * @param takesUnlabelled whether rows without a label are learned from instead of refused
 */
record ModelSpec(
    LearnerSpec learner,
    Map<String, Boolean> columns,
    String label,
    String weight,
    String id,
    Double ask,
    boolean watchesDrift,
    boolean takesUnlabelled) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /** Returns the name of a model, or throws a {@link Problem} if it is not valid. */
  static String checkedName(String name) {
    if (!NAME.matcher(name).matches() || name.contains("..")) {
      throw Problem.malformed(
          "a model name must have 1 to 64 letters, digits, dots, dashes and underscores, and"
              + " start with a letter or digit");
    }
    return name;
  }

  static ModelSpec parse(String json) {
    return of(JsonValues.object(json.getBytes(StandardCharsets.UTF_8)));
  }

  static ModelSpec of(Map<String, Object> given) {
    Map<String, Object> words = new LinkedHashMap<>(given);
    Map<String, Boolean> columns = columns(words.remove("columns"));
    String label = key(words.remove("label"), "label");
    String weight = key(words.remove("weight"), "weight");
    String id = key(words.remove("id"), "id");
    Double ask = percentage(words.remove("ask"));
    boolean drift = isTrue(words.remove("drift"), "drift");
    boolean unlabelled = isTrue(words.remove("unlabelled"), "unlabelled");
    try {
      LearnerSpec learner = LearnerSpec.of(words);
      ModelSpec spec = new ModelSpec(learner, columns, label, weight, id, ask, drift, unlabelled);
      if (spec.pipeline().task().isUnsupervised() && drift) {
        throw Problem.refused("\"drift\" needs a task with labels");
      }
      return spec;
    } catch (IllegalArgumentException refused) {
      throw Problem.refused(refused.getMessage());
    }
  }

  /**
   * Parses the specification of a new model. {@link #of} is less strict, because stored models may
   * have options that are refused today.
   */
  static ModelSpec requested(Map<String, Object> given) {
    ModelSpec spec = of(given);
    if (spec.ask != null && spec.pipeline().task().isUnsupervised()) {
      throw Problem.refused("\"ask\" needs a task that learns labels");
    }
    spec.checkKeys();
    return spec;
  }

  /** Refuses keys and columns of which one would hide another in every row. */
  private void checkKeys() {
    Set<String> keys = new HashSet<>(List.of(""));
    if (!keys.add(label) || !keys.add(weight) || !keys.add(id)) {
      throw Problem.refused("the keys of label, weight and id must differ, and none may be empty");
    }
    columns.keySet().stream()
        .filter(this::isKey)
        .findFirst()
        .ifPresent(
            name -> {
              throw Problem.refused(
                      "'" + name + "' is the key of the label, weight or id, so no column")
                  .with("column", name);
            });
  }

  /** The specification of a challenger: the same rows, and a learner with the given options. */
  ModelSpec challenger(Map<String, Object> options) {
    for (String own : List.of("columns", "label", "weight", "id", "ask", "drift", "unlabelled")) {
      if (options.containsKey(own)) {
        throw Problem.refused("a challenger learns the rows of its model: remove \"" + own + "\"");
      }
    }
    try {
      LearnerSpec other = LearnerSpec.of(options);
      ModelSpec spec =
          new ModelSpec(other, columns, label, weight, id, ask, watchesDrift, takesUnlabelled);
      spec.pipeline();
      return spec;
    } catch (IllegalArgumentException refused) {
      throw Problem.refused(refused.getMessage());
    }
  }

  private static boolean isTrue(Object value, String key) {
    if (value != null && !(value instanceof Boolean)) {
      throw Problem.refused("\"" + key + "\" must be true or false");
    }
    return Boolean.TRUE.equals(value);
  }

  private static Double percentage(Object value) {
    if (value == null) {
      return null;
    }
    double percent = value instanceof Number number ? number.doubleValue() : Double.NaN;
    if (!(percent > 0 && percent <= 100)) {
      throw Problem.refused("\"ask\" must be a percentage above 0 and at most 100");
    }
    return percent;
  }

  /** An unspent budget of labels; null if none was given. */
  LabelBudget budget() {
    return ask == null ? null : new LabelBudget(new AskOptions(ask / 100), learner.seed());
  }

  private static String key(Object value, String otherwise) {
    if (value != null && !(value instanceof String)) {
      throw Problem.refused("\"" + otherwise + "\" must be the name of a key");
    }
    return value == null ? otherwise : (String) value;
  }

  private static Map<String, Boolean> columns(Object value) {
    Map<String, Boolean> columns = new LinkedHashMap<>();
    if (value == null) {
      return columns;
    }
    if (!(value instanceof Map<?, ?> map)) {
      throw Problem.refused("\"columns\" must be an object that maps column names to types");
    }
    map.forEach((name, type) -> columns.put(name.toString(), isNumeric(name, type)));
    return columns;
  }

  private static boolean isNumeric(Object name, Object type) {
    if (!"number".equals(type) && !"text".equals(type)) {
      throw Problem.refused("the type of a column must be \"number\" or \"text\"")
          .with("column", name);
    }
    return type.equals("number");
  }

  /** An untrained learner that knows its columns. */
  Pipeline pipeline() {
    Pipeline pipeline = new DefaultRules(learner).pipeline();
    Schema schema = pipeline.preparation().schema();
    columns.forEach((name, isNumeric) -> schema.column(name, isNumeric));
    return pipeline;
  }

  /** The limits on rows; if columns were declared, others are refused. */
  RowLimits limits() {
    RowLimits limits = columns.isEmpty() ? RowLimits.SHARED : RowLimits.SHARED.declared();
    return takesUnlabelled ? limits.withUnlabelled() : limits;
  }

  /** Whether a name stands for the label, the weight or the id of a row, and for no column. */
  boolean isKey(String name) {
    return name.equals(label) || name.equals(weight) || name.equals(id);
  }

  /** The specification as JSON, such that {@link #of} gives an equal one. */
  Map<String, Object> words() {
    Map<String, Object> words = new LinkedHashMap<>(learner.words());
    if (!columns.isEmpty()) {
      Map<String, String> types = new LinkedHashMap<>();
      columns.forEach((name, isNumeric) -> types.put(name, isNumeric ? "number" : "text"));
      words.put("columns", types);
    }
    putUnlessDefault(words, "label", label);
    putUnlessDefault(words, "weight", weight);
    putUnlessDefault(words, "id", id);
    if (ask != null) {
      words.put("ask", ask);
    }
    if (watchesDrift) {
      words.put("drift", true);
    }
    if (takesUnlabelled) {
      words.put("unlabelled", true);
    }
    return words;
  }

  private static void putUnlessDefault(Map<String, Object> words, String usual, String name) {
    if (!name.equals(usual)) {
      words.put(usual, name);
    }
  }
}
