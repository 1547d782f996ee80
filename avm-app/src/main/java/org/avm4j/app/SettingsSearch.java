package org.avm4j.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.avm4j.codec.AtomicFile;
import org.avm4j.lab.paper.Catalogue;
import org.avm4j.lab.paper.Contender;
import org.avm4j.lab.paper.DataFolder;
import org.avm4j.lab.paper.DataSet;
import org.avm4j.lab.paper.Tuning;

/**
 * {@code avm reproduce settings}: runs the paper's validation procedure, and writes the best
 * settings to {@code settings.csv}. Pairs of data and method that are in the file already are
 * skipped.
 */
final class SettingsSearch {
  private static final int ROWS = 10_000;
  private static final int ROWS_OF_BATCH = 1500;
  private static final String HEADING = "data,learner,settings,from";

  private final Catalogue catalogue;
  private final DataFolder folder;
  private final Path file;
  private final boolean quiet;
  private final List<String> lines = new ArrayList<>();

  SettingsSearch(Catalogue catalogue, DataFolder folder, Path out, boolean quiet) {
    this.catalogue = catalogue;
    this.folder = folder;
    this.file = out.resolve("settings.csv");
    this.quiet = quiet;
  }

  int run(List<DataSet> wanted, List<Contender> contenders, int threads)
      throws IOException, InterruptedException {
    Files.createDirectories(file.getParent());
    lines.addAll(Files.exists(file) ? Files.readAllLines(file) : List.of(HEADING));
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try {
      for (DataSet set : wanted.isEmpty() ? catalogue.all() : wanted) {
        if (folder.missing(set).isEmpty()) {
          search(set, contenders, workers);
        }
      }
    } finally {
      workers.shutdownNow();
    }
    System.out.println(file);
    return 0;
  }

  private void search(DataSet set, List<Contender> contenders, ExecutorService workers)
      throws IOException, InterruptedException {
    List<Contender> open =
        Tuning.contenders(set).stream()
            .filter(contender -> contenders.isEmpty() || contenders.contains(contender))
            .filter(contender -> lines.stream().noneMatch(l -> l.startsWith(key(set, contender))))
            .toList();
    if (open.isEmpty()) {
      return;
    }
    Tuning tuning = new Tuning(set, folder.load(set));
    List<Future<?>> started = new ArrayList<>();
    for (Contender contender : open) {
      started.add(
          workers.submit(
              () -> {
                keep(
                    set,
                    contender,
                    tuning.find(contender, contender.isBatch() ? ROWS_OF_BATCH : ROWS));
                return null;
              }));
    }
    for (Future<?> future : started) {
      try {
        future.get();
      } catch (ExecutionException failed) {
        throw new IllegalStateException(failed.getCause());
      }
    }
  }

  private static String key(DataSet set, Contender contender) {
    return set.name() + "," + contender.id() + ",";
  }

  private synchronized void keep(DataSet set, Contender contender, Tuning.Found found)
      throws IOException {
    String from =
        Text.format(
            "grid on %d rows; %.4g %s",
            found.rows(),
            found.metric(),
            contender.isBatch() ? "on the held-out fifth" : "along the way");
    Contender other = contender.searchedAs();
    String as = other == contender ? "" : "as " + other.id() + ": ";
    lines.add(key(set, contender) + found.settings() + "," + as + from);
    AtomicFile.write(file, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    if (!quiet) {
      System.err.println(lines.get(lines.size() - 1));
    }
  }
}
