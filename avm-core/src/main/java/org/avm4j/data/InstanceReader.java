package org.avm4j.data;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.avm4j.Features;

/**
 * A stream of instances (x_t, y_t), read one after the other without growing memory.
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
   * @throws BadDataException if the input breaks its format; the reader then stands before the next
   *     line, so that a caller may go on
   */
  boolean next() throws IOException;

  /** The x of this instance. The reader uses the row again: who keeps it, copies it. */
  Features features();

  /** The y of this instance, NaN where the input has none. */
  double label();

  /**
   * The label in the data if it is a text that the names do not know, where new names are not
   * learned; else null. Rows that were read ahead do not tell it.
   */
  default String unknownLabel() {
    return null;
  }

  /** How much the loss of this instance counts. */
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
   * Takes back what this instance taught the {@link Schema}, because it was refused. Nothing
   * happens where the schema cannot learn, or where rows were read ahead.
   */
  default void undo() {}

  /** Whether a {@link Schema} says what the columns mean, to which reading may add. */
  default boolean usesSchema() {
    return false;
  }

  /** What a person should know about how the rows were read so far, a sentence each. */
  default List<String> notes() {
    return List.of();
  }
}
