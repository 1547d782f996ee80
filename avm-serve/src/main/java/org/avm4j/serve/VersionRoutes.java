package org.avm4j.serve;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The routes of a model's versions, champion and challenger, below {@code /v1/models/NAME}. Reading
 * needs the role predict, changing what answers the role admin.
 */
final class VersionRoutes {
  private final Models models;
  private final ModelRoles roles;
  private final AccessGate gate;
  private final BodyReader bodies;
  private final Executor threads;
  private final ServeLog log;

  VersionRoutes(Models models, AccessGate gate, BodyReader bodies, Executor threads, ServeLog log) {
    this.models = models;
    this.gate = gate;
    this.bodies = bodies;
    this.threads = threads;
    this.log = log;
    roles = new ModelRoles(models);
  }

  void action(Exchange exchange, String name, String action) {
    switch (action) {
      case "versions" -> versions(exchange, name);
      case "champion" -> champion(exchange, name);
      case "challenger" -> challenger(exchange, name);
      case "promote" -> {
        gate.allow(exchange, "POST", Role.ADMIN, name);
        change(
            exchange,
            name,
            "promote",
            roles.promote(name),
            promoted -> exchange.json(200, ModelView.detail(promoted)));
      }
      default -> throw Problem.notFound();
    }
  }

  /** All details of a model, with its versions and its challenger. */
  Map<String, Object> page(String name) {
    Map<String, Object> json = ModelView.detail(models.get(name));
    json.putAll(roles.versions(name));
    models
        .findChallenger(name)
        .ifPresent(challenger -> json.put("challenger", ModelView.beside(challenger)));
    return json;
  }

  private void versions(Exchange exchange, String name) {
    switch (exchange.method) {
      case "GET" -> {
        gate.allow(exchange, Role.PREDICT, name);
        exchange.json(200, roles.versions(name));
      }
      case "POST" -> {
        gate.allow(exchange, Role.ADMIN, name);
        change(
            exchange,
            name,
            "version",
            roles.keep(name),
            version -> exchange.json(200, version.json()));
      }
      default -> throw AccessGate.wrongMethod(exchange, "GET, POST");
    }
  }

  private void champion(Exchange exchange, String name) {
    switch (exchange.method) {
      case "PUT" -> {
        gate.allow(exchange, Role.ADMIN, name);
        bodies.read(exchange, body -> pin(exchange, name, body));
      }
      case "DELETE" -> {
        gate.allow(exchange, Role.ADMIN, name);
        change(exchange, name, "unpin", roles.unpin(name), done -> exchange.noContent());
      }
      default -> throw AccessGate.wrongMethod(exchange, "PUT, DELETE");
    }
  }

  private void pin(Exchange exchange, String name, byte[] body) {
    Map<String, Object> wanted = JsonValues.object(body);
    if (wanted.size() != 1 || !(wanted.get("version") instanceof Long version) || version < 1) {
      throw Problem.malformed("expected {\"version\": N}, where N is the number of a version");
    }
    change(
        exchange,
        name,
        "pin",
        roles.pin(name, version),
        pinned -> exchange.json(200, Map.of("version", version, "sequence", pinned.sequence())));
  }

  private void challenger(Exchange exchange, String name) {
    switch (exchange.method) {
      case "GET" -> {
        gate.allow(exchange, Role.PREDICT, name);
        ServedModel challenger = models.challenger(name);
        exchange.json(200, ModelView.challenger(challenger, models.get(name)));
      }
      case "PUT" -> {
        gate.allow(exchange, Role.ADMIN, name);
        bodies.read(exchange, body -> challenge(exchange, name, body));
      }
      case "DELETE" -> {
        gate.allow(exchange, Role.ADMIN, name);
        change(exchange, name, "withdraw", roles.withdraw(name), done -> exchange.noContent());
      }
      default -> throw AccessGate.wrongMethod(exchange, "GET, PUT, DELETE");
    }
  }

  private void challenge(Exchange exchange, String name, byte[] body) {
    change(
        exchange,
        name,
        "challenge",
        roles.challenge(name, JsonValues.object(body)),
        challenger -> exchange.json(201, ModelView.challenger(challenger, models.get(name))));
  }

  private <T> void change(
      Exchange exchange,
      String name,
      String action,
      CompletableFuture<T> change,
      Consumer<T> reply) {
    exchange.reply(
        change,
        threads,
        done -> {
          ModelRoutes.audit(log, exchange, action, name);
          reply.accept(done);
        });
  }
}
