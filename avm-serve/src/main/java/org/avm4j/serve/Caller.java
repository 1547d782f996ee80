package org.avm4j.serve;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who sent a request, and what they may do.
 *
 * @param role the kinds of requests that they may make
 * @param name the name in the log; null if no tokens are required
 * @param owner the owner of the rows that wait for a label; empty for none
 * @param models the models that they may use; empty for all
 * @param pending the maximum number of the caller's rows that wait for a label in one model; -1 for
 *     the default of the role
 * @param rate the limit on the rate of requests; null for none
 */
record Caller(
    Role role, String name, String owner, Set<String> models, int pending, RateLimit rate) {
  /** The caller if no tokens are required. */
  static final Caller ANYONE = new Caller(Role.ADMIN, null, "", Set.of(), -1, null);

  /** What the web page shows about its user: the role, and the models if these are limited. */
  Map<String, Object> json() {
    return models.isEmpty()
        ? Map.of("role", role.toString())
        : Map.of("role", role.toString(), "models", List.copyOf(new TreeSet<>(models)));
  }

  boolean mayUse(String model) {
    return models.isEmpty() || models.contains(model);
  }

  /**
   * The number of rows of this caller that may wait for a label in a model. Such a row is learned
   * when its label arrives, so a caller who may not learn has none unless the token allows it.
   *
   * @param usual the maximum for any caller, which is also the default for those who may learn
   */
  int quota(int usual) {
    int byRole = role.includes(Role.LEARN) ? usual : 0;
    return pending < 0 ? byRole : Math.min(pending, usual);
  }
}
