package org.avm4j.app;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Standard output for rows: unlike {@link System#out} itself, it says when nothing arrives. */
final class Standard extends OutputStream {
  private Standard() {}

  /** Buffered; closing it leaves standard output open. */
  static OutputStream out() {
    return new BufferedOutputStream(new Standard(), 1 << 16);
  }

  /** Fails if anything written to standard output was lost. */
  static void check() throws IOException {
    if (System.out.checkError()) {
      throw new IOException("standard output: cannot be written");
    }
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
