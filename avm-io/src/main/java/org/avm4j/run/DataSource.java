package org.avm4j.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.data.Schema;
import org.avm4j.io.ReadOptions;

/**
 * Where rows come from and how they are read.
 *
 * @param names file names, read one after the other; "-" for standard input
 * @param options how they are read
 * @param skipsBadLines whether lines that cannot be read are skipped and counted; otherwise the
 *     first one is an error
 */
public record DataSource(List<String> names, ReadOptions options, boolean skipsBadLines) {
  /** Checks that the source has names. */
  public DataSource {
    names = List.copyOf(names);
    if (names.isEmpty()) {
      throw new IllegalArgumentException("a source of data must have a name: " + names);
    }
  }

  /** These files, with everything detected. */
  public static DataSource of(String... names) {
    return new DataSource(List.of(names), ReadOptions.DEFAULT, false);
  }

  /** The same rows, read with other options. */
  public DataSource withOptions(ReadOptions other) {
    return new DataSource(names, other, skipsBadLines);
  }

  /**
   * Whether the rows can be read only once: from standard input, or from anything but a regular
   * file.
   */
  public boolean isStream() {
    return names.stream().anyMatch(DataSource::isStream);
  }

  private static boolean isStream(String name) {
    return name.equals("-") || (Files.exists(Path.of(name)) && !Files.isRegularFile(Path.of(name)));
  }

  /**
   * Opens the rows from the first on.
   *
   * @param schema the columns and labels; new ones are added to it unless it is frozen
   */
  public RowStream open(Schema schema) {
    return new RowStream(this, schema);
  }

  /** The names, blank-separated, for messages. */
  @Override
  public String toString() {
    return String.join(" ", names);
  }
}
