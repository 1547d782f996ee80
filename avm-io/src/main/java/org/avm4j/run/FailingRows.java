package org.avm4j.run;

import java.io.IOException;
import org.avm4j.Features;
import org.avm4j.data.InstanceReader;

/** A reader that repeats an earlier failure. */
record FailingRows(IOException failure) implements InstanceReader {
  @Override
  public boolean next() throws IOException {
    throw failure;
  }

  @Override
  public Features features() {
    throw new IllegalStateException("there is no row", failure);
  }

  @Override
  public double label() {
    throw new IllegalStateException("there is no row", failure);
  }

  @Override
  public long line() {
    return 0;
  }

  @Override
  public void close() {}
}
