package org.avm4j.lab.paper;

import java.io.Reader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The recorded γ, λ, η and C of each method on each data set. They were found in the paper's grids
 * by its validation procedure ({@link Tuning}) or, where the file says so, come from the authors'
 * code or were set by hand.
 */
public final class SettingsTable {
  private final Map<String, Settings> found = new HashMap<>();

  private SettingsTable() {}

  /** The table that ships with the product. */
  public static SettingsTable standard() {
    return read(Sections.resource("settings.csv"));
  }

  /** A table in the same form: data, learner, settings, and where they come from. */
  public static SettingsTable read(Reader from) {
    SettingsTable table = new SettingsTable();
    for (List<String> cells : Sections.rows(from)) {
      if (cells.size() < 3) {
        throw new IllegalArgumentException(
            "settings: expected data,learner,settings, found: " + String.join(",", cells));
      }
      Contender contender = Contender.named(cells.get(1));
      table.found.put(key(cells.get(0), contender), Settings.parse(cells.get(2)));
    }
    return table;
  }

  /** The recorded settings of a method on a data set; none for a method that needs none. */
  public Optional<Settings> find(DataSet data, Contender contender) {
    if (contender.keys().isEmpty()) {
      return Optional.of(Settings.NONE);
    }
    return Optional.ofNullable(found.get(key(data.name(), contender)));
  }

  private static String key(String data, Contender contender) {
    return data + " " + contender.id();
  }
}
