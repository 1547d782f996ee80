package org.avm4j.serve;

import java.util.Locale;

/** What a token may do; each role includes the roles before it. */
public enum Role {
  /** Read the figures of {@code /metrics}, and nothing else. */
  METRICS,
  /** Ask for predictions and look at models. */
  PREDICT,
  /** Send rows and labels to learn from. */
  LEARN,
  /** Create, delete, export and import models, choose which version answers, and take backups. */
  ADMIN;

  /** The role of this name. */
  public static Role of(String word) {
    for (Role role : values()) {
      if (role.toString().equals(word)) {
        return role;
      }
    }
    throw new IllegalArgumentException(
        "a role must be metrics, predict, learn or admin: '" + word + "'");
  }

  /** The name in files and on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean includes(Role other) {
    return compareTo(other) >= 0;
  }
}
