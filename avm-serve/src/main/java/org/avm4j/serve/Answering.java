package org.avm4j.serve;

/** What answers for a model: the version that is pinned, or what was published last. */
final class Answering {
  private final Publisher publisher;
  private volatile Pin pin = new Pin(null);

  /** A change of what is pinned; each has an identity of its own. */
  private static final class Pin {
    private final Published version;

    Pin(Published version) {
      this.version = version;
    }
  }

  Answering(Publisher publisher) {
    this.publisher = publisher;
  }

  /** Has a version answer, or for null what is published last. */
  void pin(Published version) {
    pin = new Pin(version);
  }

  /**
   * What answers now. If a pin comes or goes meanwhile, it looks again: otherwise what was
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
