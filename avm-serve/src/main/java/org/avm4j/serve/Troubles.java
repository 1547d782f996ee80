package org.avm4j.serve;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The unresolved internal failures of a model; each failure is also a line in the log. */
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

  /** Records a failure of some kind of work. */
  void add(String what, Throwable wrong) {
    failures.incrementAndGet();
    String detail = what + " failed: " + wrong;
    open.put(what, detail);
    log.write("failure", Map.of("model", model.get(), "detail", detail));
  }

  /** Notes that a kind of work has succeeded again. */
  void mended(String what) {
    open.remove(what);
  }

  /** Does work that may fail without harm and is repeated later. */
  void attempt(String what, Runnable work) {
    try {
      work.run();
      mended(what);
    } catch (Throwable wrong) {
      add(what, wrong);
    }
  }

  /** All failures in one sentence; null for none. */
  String sentence() {
    String all = String.join("; ", open.values());
    return all.isEmpty() ? null : all;
  }

  /** The number of failures since the start of the service. */
  int failures() {
    return failures.get();
  }
}
