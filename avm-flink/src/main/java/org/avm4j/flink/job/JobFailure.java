package org.avm4j.flink.job;

/** Ends a command that cannot continue, with an exit code and a message for the user. */
final class JobFailure extends RuntimeException {
  static final int USAGE = 2;
  static final int BAD_DATA = 65;
  static final int NO_INPUT = 66;
  static final int BUG = 70;
  static final int IO = 74;

  private static final long serialVersionUID = 1L;

  private final int code;

  JobFailure(int code, String sentence) {
    super(sentence);
    this.code = code;
  }

  int code() {
    return code;
  }
}
