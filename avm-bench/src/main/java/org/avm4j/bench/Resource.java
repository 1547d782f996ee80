package org.avm4j.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Text resources of this package. */
final class Resource {
  private Resource() {}

  static String text(String name) {
    try (InputStream in = Resource.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The lines that are neither blank nor comments. */
  static Stream<String> lines(String name) {
    return text(name).lines().filter(line -> !line.isBlank() && !line.startsWith("#"));
  }

  /** The words of all lines of the plan that begin with a word. */
  static List<String> plan(String first) {
    return lines("plan.txt")
        .filter(line -> line.startsWith(first + " "))
        .flatMap(line -> Stream.of(line.substring(first.length() + 1).split(" ")))
        .toList();
  }
}
