package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.LibsvmReader;
import org.avm4j.lab.paper.DataFolder;
import org.avm4j.lab.paper.Samples;

/**
 * All streams by name: every LIBSVM file of a folder, generated shapes, and MOA's drifting
 * generators. A file NAME.t continues the rows of NAME. New files of the folder are found without
 * further configuration.
 */
final class Streams {
  /** The order of a file's rows as they stand; generators make theirs. */
  static final String FILE = "file";

  /** Followed by a seed: all rows shuffled. */
  static final String SHUFFLE = "shuffle-";

  /** Followed by a seed: all rows shuffled, of which the first fifth is held out. */
  static final String SPLIT = "split-";

  private static final String UNKNOWN =
      "a stream must be NAME.libsvm.gz in the data folder, or be generated: ";

  private final Path folder;
  private String lastKey = "";
  private Rows last;

  /** The streams of a folder; null for none but the generated ones. */
  Streams(Path folder) {
    this.folder = folder;
  }

  /** The names of the files of the folder. */
  List<String> files() throws IOException {
    if (folder == null) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(file -> file.getFileName().toString())
          .filter(name -> name.matches(".*\\.libsvm(\\.gz)?"))
          .map(name -> name.replaceFirst("\\.libsvm(\\.gz)?$", ""))
          .filter(name -> !name.endsWith(".t"))
          .sorted()
          .distinct()
          .toList();
    }
  }

  /** The names of all streams: those of files, and those of generators. */
  List<String> all() throws IOException {
    List<String> made =
        Stream.of(ShapedStreams.NAMES, DriftingStreams.names()).flatMap(List::stream).toList();
    return Stream.concat(files().stream(), made.stream()).toList();
  }

  /** Checks that a stream has this name. */
  void check(String name) {
    boolean isMade = ShapedStreams.NAMES.contains(name) || DriftingStreams.names().contains(name);
    if (!isMade && new DataFolder(folder).find(name).isEmpty()) {
      throw new IllegalArgumentException(UNKNOWN + name);
    }
  }

  /** Checks that an order is one that {@link #load} knows. */
  static void checkOrder(String order) {
    if (!order.matches(FILE + "|(" + SHUFFLE + "|" + SPLIT + ")\\d{1,9}")) {
      throw new IllegalArgumentException(
          "an order must be file, shuffle-SEED or split-SEED: " + order);
    }
  }

  /** The first rows of a stream in an order; the stream loaded last is cached. */
  synchronized Rows load(String name, String order, int most) throws IOException {
    String key = name + "/" + order + "/" + most;
    if (!key.equals(lastKey)) {
      List<Instance> all =
          ShapedStreams.NAMES.contains(name)
              ? ShapedStreams.rows(name, most)
              : DriftingStreams.names().contains(name)
                  ? DriftingStreams.rows(name, most)
                  : read(name);
      last = new Rows(ordered(all, order, most), Rows.classes(all));
      lastKey = key;
    }
    return last;
  }

  private static List<Instance> ordered(List<Instance> all, String order, int most) {
    String seed = order.substring(order.indexOf('-') + 1);
    boolean isMixed = !order.equals(FILE);
    List<Instance> rows = isMixed ? Samples.shuffled(all, Long.parseLong(seed)) : all;
    return List.copyOf(rows.subList(0, Math.min(most, rows.size())));
  }

  private List<Instance> read(String name) throws IOException {
    DataFolder data = new DataFolder(folder);
    List<Instance> rows = new ArrayList<>();
    Path first = data.find(name).orElseThrow(() -> new IllegalArgumentException(UNKNOWN + name));
    for (Path file : data.find(name + ".t").map(t -> List.of(first, t)).orElse(List.of(first))) {
      try (InstanceReader reader = LibsvmReader.open(file)) {
        while (reader.next()) {
          rows.add(new Instance(reader.features().copy(), reader.label()));
        }
      }
    }
    return rows;
  }
}
