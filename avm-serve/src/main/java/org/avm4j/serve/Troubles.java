package org.avm4j.serve;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** What has failed inside a model and is not mended yet; each failure is a line of the log. */
final class Troubles {
  private final Supplier<String> model;
  private final ServeLog log;
  private final AtomicInteger failures = new AtomicInteger();
  private final Map<String, String> open = new ConcurrentSkipListMap<>();

  /**
   * No troubles yet.
   *
   * @param model the name of the model, which changes when it is promoted
   */
  Troubles(Supplier<String> model, ServeLog log) {
    this.model = model;
    this.log = log;
  }

  /** A failure of some kind of work. */
  void add(String what, Throwable wrong) {
    failures.incrementAndGet();
    String detail = what + " failed: " + wrong;
    open.put(what, detail);
    log.write("failure", Map.of("model", model.get(), "detail", detail));
  }

  /** A kind of work has succeeded. */
  void mended(String what) {
    open.remove(what);
  }

  /** Does what may fail without harm, and is done again later. */
  void attempt(String what, Runnable work) {
    try {
      work.run();
      mended(what);
    } catch (Throwable wrong) {
      add(what, wrong);
    }
  }

  /** All of them in a sentence, null for none. */
  String sentence() {
    String all = String.join("; ", open.values());
    return all.isEmpty() ? null : all;
  }

  /** The number of failures since the start of the service. */
  int failures() {
    return failures.get();
  }
}
