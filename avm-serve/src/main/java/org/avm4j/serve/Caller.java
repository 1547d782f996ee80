package org.avm4j.serve;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who sent a request, and what they may do.
 *
 * @param role what they may do
 * @param name what the log calls them, null where no tokens are asked for
 * @param owner who owns the rows that they leave waiting for a label; empty for nobody
 * @param models the models that they may use; empty for all
 * @param pending rows of theirs that may wait for a label in a model, -1 for what the role allows
 * @param rate how often they may ask, null for any number of times
 */
record Caller(
    Role role, String name, String owner, Set<String> models, int pending, RateLimit rate) {
  /** Everybody, where no tokens are asked for. */
  static final Caller ANYONE = new Caller(Role.ADMIN, null, "", Set.of(), -1, null);

  /** What a page must know of its reader: the role, and the models if they are not all. */
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
   * when its label comes, so that a caller who may not learn has none unless its token says so.
   *
   * @param usual the number for those who may learn
   */
  int quota(int usual) {
    int byRole = role.includes(Role.LEARN) ? usual : 0;
    return pending < 0 ? byRole : Math.min(pending, usual);
  }
}
