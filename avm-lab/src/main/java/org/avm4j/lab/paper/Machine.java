package org.avm4j.lab.paper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A one-line description of this computer. The number of cores is left out, because a run uses one.
 */
final class Machine {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  private Machine() {}

  static String description() {
    return "%s%s %s, Java %s"
        .formatted(
            model().map(name -> name + ", ").orElse(""),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            System.getProperty("java.version"));
  }

  /** The name of the processor, if the system provides it. */
  private static Optional<String> model() {
    try {
      return Files.readAllLines(CPU_INFO).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst();
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }
}
