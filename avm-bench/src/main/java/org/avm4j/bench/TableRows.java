package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.LibsvmReader;
import org.avm4j.lab.paper.DataFolder;
import org.avm4j.lab.paper.Samples;

/** The rows of a table by its name: a public data set, a generated one, or a file. */
final class TableRows {
  /** Sets that are kept in several files, as all others are that have a test split. */
  private static final Map<String, String> SECOND = Map.of("poker", "poker_t100k");

  private static final List<String> PUBLIC =
      List.of("casp", "kin40k", "covtype", "ijcnn1", "cod-rna", "a9a", "keggundirected", "poker");

  private static final int MOST_OF_COVTYPE = 100_000;

  private TableRows() {}

  /** The tables that are compared if none are named. */
  static List<String> names() {
    List<String> names = new ArrayList<>(PUBLIC);
    names.addAll(GeneratedTable.names());
    return names;
  }

  /** The rows of a table, a random part of them if they are more than this. */
  static List<Instance> of(String name, int most) throws IOException {
    if (GeneratedTable.names().contains(name)) {
      return limited(GeneratedTable.named(name).rows(), most);
    }
    int limit = name.equals("covtype") ? Math.min(most, MOST_OF_COVTYPE) : most;
    return limited(read(files(name)), limit);
  }

  private static List<Instance> limited(List<Instance> rows, int most) {
    return rows.size() <= most ? rows : Samples.shuffled(rows, 0).subList(0, most);
  }

  private static List<Path> files(String name) {
    String folder = System.getenv("AVM_DATA");
    DataFolder data = new DataFolder(folder == null ? null : Path.of(folder));
    List<Path> files = new ArrayList<>();
    data.find(name).ifPresent(files::add);
    data.find(SECOND.getOrDefault(name, name + ".t")).ifPresent(files::add);
    if (files.isEmpty() && Files.isRegularFile(Path.of(name))) {
      files.add(Path.of(name));
    }
    if (files.isEmpty()) {
      throw new IllegalArgumentException(
          "a table must be a LIBSVM file, one of %s, or NAME.libsvm.gz in AVM_DATA: %s"
              .formatted(GeneratedTable.names(), name));
    }
    return files;
  }

  private static List<Instance> read(List<Path> files) throws IOException {
    List<Instance> rows = new ArrayList<>();
    for (Path file : files) {
      try (InstanceReader reader = LibsvmReader.open(file)) {
        while (reader.next()) {
          rows.add(new Instance(reader.features().copy(), reader.label()));
        }
      }
    }
    return rows;
  }
}
