package org.avm4j.lab.paper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.avm4j.codec.AtomicFile;

/**
 * The stored outcomes of all runs, each in its own file, which is written atomically. An outcome
 * with other settings, or one that was stopped at a lower time limit, does not count.
 */
public final class Results {
  private final Path folder;
  private final Map<Path, Outcome> known = new ConcurrentHashMap<>();

  /** The results below this folder. */
  public Results(Path folder) {
    this.folder = folder;
  }

  /** The outcome of an experiment, if it was made with these settings. */
  public Optional<Outcome> find(Experiment experiment) throws IOException {
    Path file = folder.resolve(experiment.path());
    Outcome outcome = known.get(file);
    if (outcome == null && Files.isRegularFile(file)) {
      outcome = read(file);
      known.put(file, outcome);
    }
    String wanted = experiment.settings().toString();
    return Optional.ofNullable(outcome).filter(found -> found.settings().equals(wanted));
  }

  /** Whether an experiment has a valid outcome for this time limit. */
  public boolean isDone(Experiment experiment, double limit) throws IOException {
    return find(experiment).filter(found -> found.isDone() || found.limit() >= limit).isPresent();
  }

  /** The outcomes of the runs with seeds 1, 2 and so on. */
  public List<Outcome> all(Experiment first) throws IOException {
    List<Outcome> all = new ArrayList<>();
    Optional<Outcome> next = find(first);
    while (next.isPresent()) {
      all.add(next.get());
      next = find(first.withSeed(first.seed() + all.size()));
    }
    return all;
  }

  void put(Experiment experiment, Outcome outcome) throws IOException {
    Path file = folder.resolve(experiment.path());
    Files.createDirectories(file.getParent());
    AtomicFile.write(file, outcome.text().getBytes(StandardCharsets.UTF_8));
    known.put(file, outcome);
  }

  private static Outcome read(Path file) throws IOException {
    try {
      return Outcome.parse(Files.readString(file));
    } catch (IllegalArgumentException damaged) {
      throw new IOException(
          file + ": " + damaged.getMessage() + "; delete the file to repeat the run");
    }
  }
}
