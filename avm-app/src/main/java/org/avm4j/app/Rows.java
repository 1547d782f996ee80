package org.avm4j.app;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;

/** Rows from memory, and after them those of a reader, if there is one. */
final class Rows implements InstanceReader {
  private final Iterator<Instance> kept;
  private final InstanceReader rest;
  private final Scaler scaler;
  private Instance current;
  private long line;

  /** Rows as they are. */
  Rows(List<Instance> kept, InstanceReader rest) {
    this(kept, rest, new Scaler(Scaling.NONE));
  }

  /** Rows from memory scaled, and those of the reader as they are. */
  Rows(List<Instance> kept, InstanceReader rest, Scaler scaler) {
    this.kept = kept.iterator();
    this.rest = rest;
    this.scaler = scaler;
  }

  @Override
  public boolean next() throws IOException {
    current = kept.hasNext() ? kept.next() : null;
    line++;
    return current != null || (rest != null && rest.next());
  }

  @Override
  public Features features() {
    return current == null ? rest.features() : scaler.apply(current.features());
  }

  @Override
  public double label() {
    return current == null ? rest.label() : current.label();
  }

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
