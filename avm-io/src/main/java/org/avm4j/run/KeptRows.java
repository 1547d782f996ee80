package org.avm4j.run;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;

/** Rows from memory, followed by those of a reader if there is one. */
public final class KeptRows implements InstanceReader {
  private final Iterator<Instance> kept;
  private final InstanceReader rest;
  private Instance current;
  private long line;

  /** Rows from memory. */
  public KeptRows(List<Instance> kept) {
    this(kept, null);
  }

  /** Rows from memory, then those of a reader, which is closed with this one. */
  public KeptRows(List<Instance> kept, InstanceReader rest) {
    this.kept = kept.iterator();
    this.rest = rest;
  }

  @Override
  public boolean next() throws IOException {
    current = kept.hasNext() ? kept.next() : null;
    line++;
    return current != null || (rest != null && rest.next());
  }

  /** Whether this row came from memory. */
  boolean isFromMemory() {
    return current != null;
  }

  @Override
  public Features features() {
    return current == null ? rest.features() : current.features();
  }

  @Override
  public double label() {
    return current == null ? rest.label() : current.label();
  }

  @Override
  public double weight() {
    return current == null ? rest.weight() : current.weight();
  }

  /** The line in the reader; for a row from memory, its number from 1. */
  @Override
  public long line() {
    return current == null ? rest.line() : line;
  }

  @Override
  public void close() throws IOException {
    if (rest != null) {
      rest.close();
    }
  }
}
