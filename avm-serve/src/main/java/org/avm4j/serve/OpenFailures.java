package org.avm4j.serve;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The unresolved internal failures of a model; each failure is also a line in the log. */
final class OpenFailures {
  private final Supplier<String> model;
  private final ServeLog log;
  private final AtomicInteger failures = new AtomicInteger();
  private final Map<String, String> open = new ConcurrentSkipListMap<>();

  /**
   * Starts without failures.
   *
   * @param model the name of the model, which changes with a promotion
   */
  OpenFailures(Supplier<String> model, ServeLog log) {
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

  /** Removes the failure of a kind of work that has succeeded again. */
  void resolved(String what) {
    open.remove(what);
  }

  /** Runs work that is repeated later; records whether it failed instead of throwing. */
  void attempt(String what, Runnable work) {
    try {
      work.run();
      resolved(what);
    } catch (Throwable wrong) {
      add(what, wrong);
    }
  }

  /** All unresolved failures in one sentence; null for none. */
  String sentence() {
    String all = String.join("; ", open.values());
    return all.isEmpty() ? null : all;
  }

  /** The number of all failures since the start of the service, resolved or not. */
  int failures() {
    return failures.get();
  }
}
