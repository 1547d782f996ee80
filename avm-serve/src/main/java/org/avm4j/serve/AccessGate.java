package org.avm4j.serve;

import java.util.Locale;

/** Lets requests in: by method, token, role, model and rate. */
final class AccessGate {
  private static final String SCHEME = "bearer ";

  private final Tokens tokens;

  /**
   * A gate.
   *
   * @param tokens null if everybody may do everything
   */
  AccessGate(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Refuses any other method. */
  static void only(Exchange exchange, String method) {
    if (!exchange.method.equals(method)) {
      throw wrongMethod(exchange, method);
    }
  }

  static Problem wrongMethod(Exchange exchange, String allowed) {
    exchange.response.getHeaders().put("Allow", allowed);
    return new Problem(405, "expected the method " + allowed);
  }

  /** Lets in who may do something with the whole service, by one method. */
  void allow(Exchange exchange, String method, Role role) {
    only(exchange, method);
    allow(exchange, role);
  }

  /** Lets in who may do something with the whole service. */
  void allow(Exchange exchange, Role role) {
    admit(exchange, role);
    if (!exchange.caller.models().isEmpty()) {
      throw new Problem(403, "this token is for single models, and not for the whole service");
    }
  }

  /** Lets in who may do something with a model, by one method. */
  void allow(Exchange exchange, String method, Role role, String model) {
    only(exchange, method);
    allow(exchange, role, model);
  }

  /** Lets in who may do something with a model. */
  void allow(Exchange exchange, Role role, String model) {
    admit(exchange, role);
    if (!exchange.caller.mayUse(model)) {
      throw new Problem(403, "this token is for other models");
    }
  }

  /** Lets in who has a role, whatever the models that the token is for. */
  void admit(Exchange exchange, Role role) {
    if (tokens == null) {
      return;
    }
    Caller caller = caller(exchange.header("Authorization"));
    if (caller == null) {
      throw new Problem(401, "a token is expected: Authorization: Bearer TOKEN");
    }
    exchange.caller = caller;
    if (!caller.role().includes(role)) {
      throw new Problem(403, "this needs a token with the role " + role);
    }
    if (caller.rate() != null && !caller.rate().tryTake()) {
      throw Problem.busy(
          "this token may send " + caller.rate().perSecond() + " requests a second; try later");
    }
  }

  private Caller caller(String header) {
    boolean isBearer = header != null && header.toLowerCase(Locale.ROOT).startsWith(SCHEME);
    return isBearer ? tokens.caller(header.substring(SCHEME.length()).strip()) : null;
  }
}
