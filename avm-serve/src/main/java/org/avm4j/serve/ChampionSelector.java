package org.avm4j.serve;

/** Selects the state of a model that answers: the pinned version, or the latest publication. */
final class ChampionSelector {
  private final Publisher publisher;
  private volatile Pin pin = new Pin(null);

  /** The pinned version, null for none; each change makes a new object, so that it is noticed. */
  private record Pin(Published version) {}

  ChampionSelector(Publisher publisher) {
    this.publisher = publisher;
  }

  /** Pins a version; null removes the pin. */
  void pin(Published version) {
    pin = new Pin(version);
  }

  /**
   * The state that answers now. If the pin changes during the call, both are read again; otherwise
   * a model published after a version was pinned could answer instead of that version.
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
