package org.avm4j.lab.paper;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the text resources of this package: sections of {@code key = value}, and rows of
 * comma-separated cells under a heading. Lines that start with # are comments.
 */
final class Sections {
  private Sections() {}

  /** Opens a resource of this package. */
  static Reader resource(String name) {
    InputStream in = Sections.class.getResourceAsStream(name);
    if (in == null) {
      throw new IllegalStateException("the resource " + name + " is missing");
    }
    return new InputStreamReader(in, StandardCharsets.UTF_8);
  }

  /** The whole text of a resource. */
  static String text(String name) throws IOException {
    try (Reader reader = resource(name)) {
      StringWriter text = new StringWriter();
      reader.transferTo(text);
      return text.toString();
    }
  }

  /** Sections {@code [name]} of {@code key = value}, in the order of the file. */
  static Map<String, Map<String, String>> read(Reader from) {
    Map<String, Map<String, String>> sections = new LinkedHashMap<>();
    Map<String, String> current = null;
    for (String line : lines(from)) {
      int at = line.indexOf('=');
      if (line.startsWith("[") && line.endsWith("]")) {
        current = new LinkedHashMap<>();
        sections.put(line.substring(1, line.length() - 1), current);
      } else if (current != null && at > 0) {
        current.put(line.substring(0, at).strip(), line.substring(at + 1).strip());
      } else {
        throw new IllegalArgumentException("expected [name] or key = value, found: " + line);
      }
    }
    return sections;
  }

  /** Rows of cells, without the heading. */
  static List<List<String>> rows(Reader from) {
    return lines(from).stream().skip(1).map(line -> Arrays.asList(line.split(",", -1))).toList();
  }

  private static List<String> lines(Reader from) {
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = new BufferedReader(from)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          lines.add(line.strip());
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return lines;
  }
}
