package org.avm4j;

/** What happens to an update that would need a new vector when the model is at its size cap. */
public enum Limit {
  /** The nearest vector takes the update. */
  APPROXIMATE,
  /** The update is lost, as in the authors' code; the step still counts. */
  DROP
}
