package org.avm4j.app;

/** Says so if Ctrl-C or SIGTERM ends a command that has not learned anything yet. */
final class EarlyInterrupt {
  private static volatile boolean isEarly;

  private EarlyInterrupt() {}

  /** Starts the early part of this process. */
  static void watch() {
    isEarly = true;
    Runtime.getRuntime().addShutdownHook(new Thread(EarlyInterrupt::tell));
  }

  private static void tell() {
    if (isEarly) {
      print();
    }
  }

  static void print() {
    System.err.println("avm: interrupted before anything was learned; no model was saved");
  }

  /** Ends the early part: from now on an interrupted command reports what it has. */
  static void end() {
    isEarly = false;
  }
}
