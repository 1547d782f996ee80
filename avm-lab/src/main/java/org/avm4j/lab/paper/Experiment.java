package org.avm4j.lab.paper;

import java.nio.file.Path;

/**
 * One run: a method with its settings learns a data set in the order that a seed decides.
 *
 * @param study the study
 * @param data the data set
 * @param contender the method
 * @param variant the settings that a sweep varies; none for the tables
 * @param settings all settings that the method uses, including the variant
 * @param seed the seed of the order and of the method
 */
public record Experiment(
    Study study,
    DataSet data,
    Contender contender,
    Settings variant,
    Settings settings,
    long seed) {

  /** An experiment with the settings that are recorded for the method on the data. */
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

  /** The path of its outcome in the folder of results. */
  Path path() {
    String name = variant.toString().isEmpty() ? "" : variant.toString().replace(' ', ',') + ",";
    return Path.of("runs", study.id(), data.name(), contender.id(), name + "run=" + seed + ".txt");
  }

  /** A short description. */
  @Override
  public String toString() {
    String what = variant.toString().isEmpty() ? "" : " " + variant;
    return study.id() + " " + data.name() + " " + contender.label() + what + " run " + seed;
  }
}
