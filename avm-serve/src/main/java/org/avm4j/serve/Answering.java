package org.avm4j.serve;

/** Chooses what answers for a model: the pinned version, or the latest publication. */
final class Answering {
  private final Publisher publisher;
  private volatile Pin pin = new Pin(null);

  /** The pinned version, or none; each change makes a new object. */
  private static final class Pin {
    private final Published version;

    Pin(Published version) {
      this.version = version;
    }
  }

  Answering(Publisher publisher) {
    this.publisher = publisher;
  }

  /** Pins a version, or none for null. */
  void pin(Published version) {
    pin = new Pin(version);
  }

  /**
   * What answers now. If the pin changes during the call, it is read again; otherwise a model
   * published after a pin could answer in spite of it.
   */
  Published now() {
    while (true) {
      Pin current = pin;
      Published latest = publisher.now();
      if (current == pin) {
        return current.version == null ? latest : current.version;
      }
    }
  }
}
