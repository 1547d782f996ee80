package org.avm4j.app;

/** Says so if Ctrl-C or SIGTERM ends a command that has not learned anything yet. */
final class EarlyInterrupt {
  private static volatile boolean isEarly;
  private static volatile String what = "before anything was learned; no model was saved";

  private EarlyInterrupt() {}

  /**
   * Starts the early part of this process.
   *
   * @param lost what is lost by an interrupt
   */
  static void watch(String lost) {
    what = lost;
    isEarly = true;
    Runtime.getRuntime().addShutdownHook(new Thread(EarlyInterrupt::tell));
  }

  private static void tell() {
    if (isEarly) {
      print();
    }
  }

  static void print() {
    System.err.println("avm: interrupted " + what);
  }

  /** Ends the early part: from now on an interrupted command reports what it has. */
  static void end() {
    isEarly = false;
  }
}
