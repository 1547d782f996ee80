package org.avm4j.data;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.avm4j.Features;

/**
 * A stream of instances (x_t, y_t), read one by one in bounded memory.
 *
 * <pre>{@code
 * while (reader.next()) {
 *   learner.learn(reader.features(), reader.label());
 * }
 * }</pre>
 */
public interface InstanceReader extends Closeable {
  /**
   * Moves to the next instance.
   *
   * @return whether there is one
   * @throws BadDataException if the input breaks its format; the caller may continue with the next
   *     line
   */
  boolean next() throws IOException;

  /** The x of this instance. The reader reuses the row: a caller that keeps it must copy it. */
  Features features();

  /** The y of this instance; NaN if the input has none. */
  double label();

  /**
   * The label in the data if it is a text that the names do not know, where new names are not
   * learned; else null. Rows that were read ahead do not tell it.
   */
  default String unknownLabel() {
    return null;
  }

  /** The factor on the loss of this instance. */
  default double weight() {
    return 1;
  }

  /** The line this instance started on, counted from 1. */
  long line();

  /** How many rows were left out so far because a value was missing. */
  default long skipped() {
    return 0;
  }

  /**
   * Removes what the {@link Schema} learned from this instance, because the instance was refused.
   * Does nothing if the schema is frozen or rows were read ahead.
   */
  default void undo() {}

  /** Whether columns are described by a {@link Schema}, which reading may extend. */
  default boolean usesSchema() {
    return false;
  }

  /** Notes for people on how the rows were read so far, one sentence each. */
  default List<Note> notes() {
    return List.of();
  }
}
