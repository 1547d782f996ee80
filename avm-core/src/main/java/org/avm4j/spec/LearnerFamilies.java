package org.avm4j.spec;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** The learners that can be asked for, by name. An immutable value. */
public final class LearnerFamilies {
  private final Map<String, LearnerFamily> byName;

  private LearnerFamilies(Map<String, LearnerFamily> byName) {
    this.byName = byName;
  }

  /** Those of this library, and of all plug-ins that its class loader sees. */
  public static LearnerFamilies installed() {
    return Installed.FAMILIES;
  }

  /** The names of all, those of this library first. */
  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** The learner of this name. */
  public LearnerFamily named(String name) {
    LearnerFamily family = byName.get(name);
    if (family == null) {
      throw new SpecException(
          "a learner must be one of " + String.join(", ", names()) + ": " + name,
          LearnerSpec.LEARNER);
    }
    return family;
  }

  /**
   * The learner that is meant.
   *
   * @param name the name asked for, or null for none: avm, or the one of a task without labels
   * @param task the word for the task, or null for none
   */
  LearnerFamily meant(String name, String task) {
    boolean isUnsupervised = AnomalyFamily.NAME.equals(task) || ClusterFamily.NAME.equals(task);
    if (name == null) {
      return named(isUnsupervised ? task : AvmFamily.NAME);
    }
    LearnerFamily family = named(name);
    if (!isUnsupervised || family.task().isPresent()) {
      return family;
    }
    LearnerFamily only = named(task);
    if (!name.equals(AvmFamily.NAME)) {
      throw only.refusal(LearnerSpec.LEARNER);
    }
    return only;
  }

  /** Whether any of the learners has an option of this name. */
  boolean hasOption(String name) {
    return byName.values().stream()
        .flatMap(family -> family.options().stream())
        .anyMatch(option -> option.name().equals(name));
  }

  private static final class Installed {
    static final LearnerFamilies FAMILIES = find();

    private static LearnerFamilies find() {
      Map<String, LearnerFamily> all = new LinkedHashMap<>();
      List.of(new AvmFamily(), new TreeFamily(), new AnomalyFamily(), new ClusterFamily())
          .forEach(family -> add(all, family));
      ServiceLoader.load(LearnerProvider.class, LearnerFamilies.class.getClassLoader())
          .forEach(provider -> provider.families().forEach(family -> add(all, family)));
      return new LearnerFamilies(all);
    }

    private static void add(Map<String, LearnerFamily> all, LearnerFamily family) {
      all.put(family.name(), family);
    }
  }
}
