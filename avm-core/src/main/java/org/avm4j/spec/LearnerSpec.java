package org.avm4j.spec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.avm4j.Task;
import org.avm4j.table.Scaling;

/**
 * The specification of a learner in words: the options of the command line without their dashes,
 * such as {@code learner}, {@code task}, {@code gamma} or {@code max-size}, each with its value. An
 * immutable value. {@link DefaultRules} makes a learner of it and chooses what is not given.
 *
 * <pre>{@code
 * LearnerSpec spec = LearnerSpec.of(Map.of("task", "regression", "kernel", "laplacian"));
 * Pipeline pipeline = new DefaultRules(spec).pipeline();
 * }</pre>
 *
 * <p>{@link org.avm4j.Status#settings} are such words too, so that {@code
 * LearnerSpec.of(learner.status().settings())} specifies a learner with the same options again.
 */
public final class LearnerSpec {
  /** The option that names the learner. */
  public static final String LEARNER = "learner";

  /** The option that names the task; {@code auto}, or none, to find it from the labels. */
  public static final String TASK = "task";

  /** The option that says how features are scaled. */
  public static final String SCALE = "scale";

  /** The option that asks for probabilities. */
  public static final String PROBABILITY = "probability";

  /** The option that asks how sure answers are: a level in percent. */
  public static final String INTERVAL = "interval";

  /** The option that seeds all that is random. */
  public static final String SEED = "seed";

  static final String LAMBDA = "lambda";

  /** The option for 1/(λT), in the place of λ. */
  static final String C = "c";

  /** The options that every learner has. */
  public static final List<SpecOption> COMMON =
      List.of(
          SpecOption.text(LEARNER, text -> text),
          SpecOption.choice(
              TASK, "auto", "binary", "multiclass", "regression", "anomaly", "cluster"),
          SpecOption.choice(SCALE, "none", "unit", "symmetric", "standard", "numbers"),
          SpecOption.flag(PROBABILITY),
          SpecOption.percent(INTERVAL),
          SpecOption.whole(SEED));

  /** What {@link org.avm4j.Status#settings} calls the learner. */
  private static final String NAME = "name";

  private final LearnerFamily family;
  private final Map<String, String> words;

  private LearnerSpec(LearnerFamily family, Map<String, String> words) {
    this.family = family;
    this.words = Collections.unmodifiableMap(words);
  }

  /** Nothing is given: automatic mode, which chooses all from the data. */
  public static LearnerSpec automatic() {
    return of(Map.of());
  }

  /**
   * The specification that these options make.
   *
   * @param options values by name: texts, numbers, booleans, or for class weights a map; null is
   *     not given
   * @throws SpecException if an option is unknown, does not belong to the learner, or has a
   *     malformed value
   */
  public static LearnerSpec of(Map<String, ?> options) {
    Map<String, Object> given = new LinkedHashMap<>();
    options.forEach((name, value) -> put(given, name.equals(NAME) ? LEARNER : name, value));
    LearnerFamily family =
        LearnerFamilies.installed().meant(word(given, LEARNER), word(given, TASK));
    given.keySet().forEach(name -> check(family, name));
    Map<String, String> words = new LinkedHashMap<>();
    for (SpecOption option : all(family)) {
      if (given.containsKey(option.name())) {
        words.put(option.name(), option.text(given.get(option.name())));
      }
    }
    return new LearnerSpec(family, words);
  }

  /** All options of a learner: those that all have, then its own. */
  private static List<SpecOption> all(LearnerFamily family) {
    return Stream.concat(COMMON.stream(), family.options().stream()).toList();
  }

  private static void put(Map<String, Object> given, String name, Object value) {
    if (value != null) {
      given.put(name, value);
    }
  }

  private static String word(Map<String, Object> given, String name) {
    return given.containsKey(name)
        ? option(COMMON, name).orElseThrow().text(given.get(name))
        : null;
  }

  private static void check(LearnerFamily family, String name) {
    if (option(all(family), name).isEmpty()) {
      throw LearnerFamilies.installed().hasOption(name)
          ? family.refusal(name)
          : new SpecException("there is no option {" + name + "}", name);
    }
  }

  private static Optional<SpecOption> option(List<SpecOption> options, String name) {
    return options.stream().filter(option -> option.name().equals(name)).findFirst();
  }

  /** Whether some learner has an option of this name. */
  public static boolean isOption(String name) {
    return option(COMMON, name).isPresent() || LearnerFamilies.installed().hasOption(name);
  }

  /**
   * A copy with an option added or replaced, or removed if the value is null. {@code lambda}
   * replaces {@code c} and vice versa, because both set the same parameter.
   */
  public LearnerSpec with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(words);
    more.put(name, value);
    if (name.equals(LAMBDA) || name.equals(C)) {
      more.remove(name.equals(C) ? LAMBDA : C);
    }
    return of(more);
  }

  /** The same with all of these options set. */
  public LearnerSpec with(Map<String, ?> options) {
    LearnerSpec changed = this;
    for (Map.Entry<String, ?> option : options.entrySet()) {
      changed = changed.with(option.getKey(), option.getValue());
    }
    return changed;
  }

  /** An axis of a grid: the one value that is given, or else all of these. */
  public GridSearch.Axis axis(String option, double... values) {
    return has(option)
        ? GridSearch.Axis.of(option, number(option, 0))
        : GridSearch.Axis.of(option, values);
  }

  /** All options that are given, as text, in the order of the options. */
  public Map<String, String> words() {
    return words;
  }

  /** The family of the learner. */
  public LearnerFamily family() {
    return family;
  }

  /** The task, if it is given or the learner has only one. */
  public Optional<Task> task() {
    return family.task().or(() -> task(text(TASK, "auto")));
  }

  private static Optional<Task> task(String word) {
    return switch (word) {
      case "binary" -> Optional.of(Task.binary());
      case "multiclass" -> Optional.of(Task.multiclass());
      case "regression" -> Optional.of(Task.regression());
      default -> Optional.empty();
    };
  }

  /** Whether anomalies or clusters are looked for, so that labels are not needed. */
  public boolean isUnsupervised() {
    return task().filter(Task::isUnsupervised).isPresent();
  }

  /** How features are scaled: as given, else not at all. */
  public Scaling scaling() {
    return Scaling.of(text(SCALE, Scaling.NONE.word()));
  }

  /** The seed of all that is random: as given, else 1. */
  public long seed() {
    return whole(SEED, 1);
  }

  /** Whether an option is given. */
  public boolean has(String name) {
    return words.containsKey(name);
  }

  /** The text or word of an option, or another where it is not given. */
  public String text(String name, String otherwise) {
    return words.getOrDefault(name, otherwise);
  }

  /** The number of an option, or another where it is not given. */
  public double number(String name, double otherwise) {
    return has(name) ? Double.parseDouble(words.get(name)) : otherwise;
  }

  /** The whole number of an option, or another where it is not given. */
  public long whole(String name, long otherwise) {
    return has(name) ? Long.parseLong(words.get(name)) : otherwise;
  }

  /** The whole number of an option, which must fit an {@code int}. */
  public int size(String name, int otherwise) {
    long value = whole(name, otherwise);
    if (value != (int) value) {
      throw new SpecException("{" + name + "} must be below 2^31: " + value, name);
    }
    return (int) value;
  }

  /** Whether a flag is set. */
  public boolean flag(String name) {
    return has(name) && words.get(name).equals("true");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LearnerSpec that && words.equals(that.words);
  }

  @Override
  public int hashCode() {
    return words.hashCode();
  }

  /** All options, as in {@code task=binary gamma=0.5}; empty in automatic mode. */
  @Override
  public String toString() {
    return words.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }
}
