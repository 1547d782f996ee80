package org.avm4j.app;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Standard output that, unlike {@link System#out}, throws an exception if writing fails. */
final class StandardOutput extends OutputStream {
  /** The reader of standard output is gone, as with {@code | head}; this is not an error. */
  static final class ClosedException extends IOException {
    private static final long serialVersionUID = 1L;

    ClosedException() {
      super("standard output: closed by its reader");
    }
  }

  /** Closing it leaves standard output open. */
  StandardOutput() {}

  /**
   * Throws an exception if anything written to standard output was lost.
   *
   * @throws ClosedException if its reader has gone
   */
  static void check() throws IOException {
    if (System.out.checkError()) {
      throw reason();
    }
  }

  /**
   * Finds the cause of a failure, which a print stream hides, by writing one more byte directly.
   */
  private static IOException reason() {
    String why = "cannot be written";
    try {
      // Not closed: that would close standard output itself.
      new FileOutputStream(FileDescriptor.out).write('\n');
    } catch (IOException failed) {
      why = String.valueOf(failed.getMessage());
    }
    return why.contains("Broken pipe")
        ? new ClosedException()
        : new IOException("standard output: " + why);
  }

  @Override
  public void write(int value) throws IOException {
    System.out.write(value);
    check();
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    System.out.write(bytes, from, length);
    check();
  }

  @Override
  public void flush() throws IOException {
    check();
  }
}
