package org.avm4j.app;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the command, in this process or in one of its own, and catches what it says. */
final class Shell {
  /** What a command said. */
  record Result(int code, String out, String err) {}

  private Shell() {}

  /** Runs in this process. */
  static Result run(String... args) {
    return run(InputStream.nullInputStream(), args);
  }

  static synchronized Result run(InputStream in, String... args) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    InputStream before = System.in;
    ByteArrayOutputStream caughtOut = new ByteArrayOutputStream();
    ByteArrayOutputStream caughtErr = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(caughtOut, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(caughtErr, true, StandardCharsets.UTF_8));
      System.setIn(in);
      int code = Main.execute(args);
      return new Result(
          code,
          caughtOut.toString(StandardCharsets.UTF_8),
          caughtErr.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
      System.setIn(before);
    }
  }

  /** The words that start the command in a process of its own. */
  static List<String> process(String... args) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    words.add("org.avm4j.app.Main");
    words.addAll(List.of(args));
    return words;
  }

  /** A file called avm in the folder that starts the command. */
  static void install(Path folder) throws IOException {
    String script = "#!/bin/sh\nexec '" + String.join("' '", process()) + "' \"$@\"\n";
    Path file = folder.resolve("avm");
    Files.writeString(file, script);
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + ": cannot be made executable");
    }
  }
}
