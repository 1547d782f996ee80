package org.avm4j.serve;

import java.util.Locale;

/** Admits requests by method, token, role, model and rate. */
final class AccessGate {
  private static final String SCHEME = "bearer ";

  private final Tokens tokens;

  /**
   * A gate.
   *
   * @param tokens null if no tokens are required
   */
  AccessGate(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Rejects a request with any other method. */
  static void only(Exchange exchange, String method) {
    if (!exchange.method.equals(method)) {
      throw wrongMethod(exchange, method);
    }
  }

  static Problem wrongMethod(Exchange exchange, String allowed) {
    exchange.response.getHeaders().put("Allow", allowed);
    return new Problem(405, "expected the method " + allowed);
  }

  /** Admits a caller with a role for the whole service, by one method. */
  void allow(Exchange exchange, String method, Role role) {
    only(exchange, method);
    admit(exchange, role);
    if (!exchange.caller.models().isEmpty()) {
      throw new Problem(403, "this token is restricted to single models");
    }
  }

  /** Admits a caller with a role for a model, by one method. */
  void allow(Exchange exchange, String method, Role role, String model) {
    only(exchange, method);
    allow(exchange, role, model);
  }

  /** Admits a caller with a role for a model. */
  void allow(Exchange exchange, Role role, String model) {
    admit(exchange, role);
    checkModel(exchange, model);
  }

  /** {@link #identify} for a model. */
  void identify(Exchange exchange, Role role, String model) {
    identify(exchange, role);
    checkModel(exchange, model);
  }

  private static void checkModel(Exchange exchange, String model) {
    if (!exchange.caller.mayUse(model)) {
      throw new Problem(403, "this token is restricted to other models");
    }
  }

  /** Admits a caller with a role, whatever models the token is for. */
  void admit(Exchange exchange, Role role) {
    identify(exchange, role);
    RateLimit rate = exchange.caller.rate();
    if (rate != null && !rate.tryTake()) {
      throw Problem.busy(
          "this token may send " + rate.perSecond() + " requests per second; try again later");
    }
  }

  /**
   * Finds the caller by the present tokens, and checks the role. A reply that goes on for long
   * repeats it, because the token may be removed or restricted meanwhile.
   */
  void identify(Exchange exchange, Role role) {
    if (tokens == null) {
      return;
    }
    Caller caller = caller(exchange.header("Authorization"));
    if (caller == null) {
      throw new Problem(401, "expected a token: Authorization: Bearer TOKEN");
    }
    exchange.caller = caller;
    if (!caller.role().includes(role)) {
      throw new Problem(403, "this request needs a token with the role " + role);
    }
  }

  private Caller caller(String header) {
    boolean isBearer = header != null && header.toLowerCase(Locale.ROOT).startsWith(SCHEME);
    return isBearer ? tokens.caller(header.substring(SCHEME.length()).strip()) : null;
  }
}
