package org.avm4j.spec;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** The available learners by name. An immutable value. */
public final class LearnerFamilies {
  static final String AVM = "avm";

  /** The learner, and the task, of anomalies. */
  static final String ANOMALY = "anomaly";

  /** The learner, and the task, of clusters. */
  static final String CLUSTER = "cluster";

  private final Map<String, LearnerFamily> byName;

  private LearnerFamilies(Map<String, LearnerFamily> byName) {
    this.byName = byName;
  }

  /** The learners of this library and of all plug-ins that its class loader sees. */
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
   * The learner for a name and a task.
   *
   * @param name the name, or null for the default: avm, or the learner of a task without labels
   * @param task the word for the task, or null for none
   */
  LearnerFamily meant(String name, String task) {
    boolean isUnsupervised = ANOMALY.equals(task) || CLUSTER.equals(task);
    if (name == null) {
      return named(isUnsupervised ? task : AVM);
    }
    LearnerFamily family = named(name);
    if (!isUnsupervised || family.task().isPresent()) {
      return family;
    }
    LearnerFamily only = named(task);
    if (!name.equals(AVM)) {
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
      ServiceLoader.load(LearnerProvider.class, LearnerFamilies.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparing(Installed::isPlugIn))
          .flatMap(provider -> provider.families().stream())
          .forEach(family -> all.put(family.name(), family));
      return new LearnerFamilies(all);
    }

    /** Whether a provider is not part of this library. */
    private static boolean isPlugIn(LearnerProvider provider) {
      return !provider.getClass().getPackage().equals(LearnerFamilies.class.getPackage());
    }
  }
}
