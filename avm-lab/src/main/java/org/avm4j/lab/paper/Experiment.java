package org.avm4j.lab.paper;

import java.nio.file.Path;

/**
 * One run: a method with its settings learns a data set in the order that a seed decides.
 *
 * @param study what it is for
 * @param data what is learned
 * @param contender who learns
 * @param variant what a sweep varies; nothing for the tables
 * @param settings all that the method looks at, the variant among it
 * @param seed of the order and of the method
 */
public record Experiment(
    Study study,
    DataSet data,
    Contender contender,
    Settings variant,
    Settings settings,
    long seed) {

  /** With the settings that are recorded for the method on the data. */
  static Experiment of(
      Study study,
      DataSet data,
      Contender contender,
      Settings recorded,
      Settings variant,
      long seed) {
    Settings all = data.settings().with(recorded).with(variant).only(contender.keys());
    return new Experiment(study, data, contender, variant, all, seed);
  }

  /** The same with another seed. */
  public Experiment withSeed(long other) {
    return new Experiment(study, data, contender, variant, settings, other);
  }

  /** Where its outcome is kept below the folder of results. */
  Path path() {
    String name = variant.toString().isEmpty() ? "" : variant.toString().replace(' ', ',') + ",";
    return Path.of("runs", study.id(), data.name(), contender.id(), name + "run=" + seed + ".txt");
  }

  /** In a few words. */
  @Override
  public String toString() {
    String what = variant.toString().isEmpty() ? "" : " " + variant;
    return study.id() + " " + data.name() + " " + contender.label() + what + " run " + seed;
  }
}
