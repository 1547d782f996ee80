package org.avm4j.serve;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.avm4j.codec.ModelFile;

/**
 * The routes of the Open Inference Protocol, below {@code /v2}. Health checks are answered by the
 * status: 200 means yes, 400 means no. The reply to a refused request has a message under {@code
 * error}.
 */
final class InferenceRoutes {
  private static final int NO = 400;

  private final Models models;
  private final AccessGate gate;
  private final BodyReader bodies;
  private final Health health;
  private final Executor threads;
  private final VersionCache versions = new VersionCache();

  InferenceRoutes(
      Models models, AccessGate gate, BodyReader bodies, Health health, Executor threads) {
    this.models = models;
    this.gate = gate;
    this.bodies = bodies;
    this.health = health;
    this.threads = threads;
  }

  void route(Exchange exchange, String[] path) {
    int n = path.length > 1 && path[path.length - 1].isEmpty() ? path.length - 1 : path.length;
    String what = String.join("/", List.of(path).subList(0, n));
    if (what.equals("v2")) {
      AccessGate.only(exchange, "GET");
      String version = ModelFile.libraryVersionOfThis();
      exchange.json(200, Map.of("name", "avm", "version", version, "extensions", List.of()));
    } else if (what.equals("v2/health/live")) {
      AccessGate.only(exchange, "GET");
      exchange.json(200, Map.of("live", true));
    } else if (what.equals("v2/health/ready")) {
      AccessGate.only(exchange, "GET");
      exchange.json(health.isReady() ? 200 : NO, Map.of("ready", health.isReady()));
    } else if (n >= 3 && path[1].equals("models")) {
      boolean isVersion = n >= 5 && path[3].equals("versions");
      int rest = isVersion ? 5 : 3;
      String action = n == rest ? "" : n == rest + 1 ? path[rest] : "no such thing";
      model(exchange, path[2], isVersion ? path[4] : null, action);
    } else {
      throw Problem.notFound();
    }
  }

  /** Handles a request about a version of a model; null for the state that answers now. */
  private void model(Exchange exchange, String name, String version, String action) {
    switch (action) {
      case "" -> {
        gate.allow(exchange, "GET", Role.PREDICT, name);
        ServedModel model = models.get(name);
        Published answering = answering(model, version);
        exchange.json(200, Inference.metadata(model, answering, VersionCache.numbers(model)));
      }
      case "ready" -> {
        gate.allow(exchange, "GET", Role.PREDICT, name);
        ServedModel model = models.get(name);
        ready(exchange, model, answering(model, version));
      }
      case "infer" -> {
        gate.allow(exchange, "POST", Role.PREDICT, name);
        exchange.allowQuery(MinSequence.NAME);
        ServedModel model = models.get(name);
        model.checkLoaded();
        bodies.readAfter(
            MinSequence.await(exchange, model, answering(model, version)),
            exchange,
            threads,
            body -> infer(exchange, model, answering(model, version), body));
      }
      default -> throw Problem.notFound();
    }
  }

  private static void infer(
      Exchange exchange, ServedModel model, Published answering, byte[] body) {
    Inference.Reply reply = Inference.infer(model, answering, JsonValues.object(body));
    exchange.json(200, reply.json());
    model.traffic().answered(reply.answers(), exchange.nanos());
  }

  private Published answering(ServedModel model, String version) {
    return version == null ? model.champion() : versions.get(model, version);
  }

  /** Replies whether a model is ready: loaded, and trained on at least one row. */
  private static void ready(Exchange exchange, ServedModel model, Published answering) {
    boolean isReady = model.isLoaded() && answering.check().hasLearned();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", model.name());
    json.put("ready", isReady);
    exchange.json(isReady ? 200 : NO, json);
  }
}
