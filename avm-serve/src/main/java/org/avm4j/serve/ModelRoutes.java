package org.avm4j.serve;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.eclipse.jetty.http.HttpHeader;

/** The routes of one model, below {@code /v1/models/NAME}. */
final class ModelRoutes {
  private final Models models;
  private final AccessGate gate;
  private final BodyReader bodies;
  private final Events events;
  private final Executor threads;
  private final ServeLog log;
  private final PredictRequests predicting;
  private final LearnRequests learning;
  private final VersionRoutes versions;

  ModelRoutes(
      Models models,
      AccessGate gate,
      BodyReader bodies,
      Events events,
      Executor threads,
      ServeLog log) {
    this.models = models;
    this.gate = gate;
    this.bodies = bodies;
    this.events = events;
    this.threads = threads;
    this.log = log;
    predicting = new PredictRequests(models.store(), threads);
    learning = new LearnRequests(models.store().rows(), threads);
    versions = new VersionRoutes(models, gate, bodies, threads, log);
  }

  void model(Exchange exchange, String name) {
    switch (exchange.method) {
      case "GET" -> {
        gate.allow(exchange, Role.PREDICT, name);
        exchange.json(200, ModelView.detail(models.get(name)));
      }
      case "PUT" -> {
        gate.allow(exchange, Role.ADMIN, name);
        ModelSpec.checkedName(name);
        bodies.read(exchange, body -> put(exchange, name, body));
      }
      case "DELETE" -> {
        gate.allow(exchange, Role.ADMIN, name);
        exchange.reply(
            models.delete(name),
            threads,
            done -> {
              audit(log, exchange, "delete", name);
              exchange.noContent();
            });
      }
      default -> throw AccessGate.wrongMethod(exchange, "GET, PUT, DELETE");
    }
  }

  private void put(Exchange exchange, String name, byte[] body) {
    String type = exchange.contentType();
    boolean isFile = type != null && type.startsWith("application/octet-stream");
    CompletableFuture<ServedModel> made =
        isFile ? models.create(name, body) : models.create(name, JsonValues.object(body));
    exchange.reply(
        made,
        threads,
        model -> {
          audit(log, exchange, isFile ? "import" : "create", name);
          exchange.response.getHeaders().put(HttpHeader.LOCATION, "/v1/models/" + name);
          exchange.json(201, ModelView.detail(model));
        });
  }

  /** Logs an action that only admins may take. */
  static void audit(ServeLog log, Exchange exchange, String action, String subject) {
    Map<String, Object> line = new LinkedHashMap<>(exchange.logLine());
    line.keySet().removeAll(List.of("status", "ms"));
    line.put("action", action);
    line.put("model", subject);
    log.write("audit", line);
  }

  void action(Exchange exchange, String name, String action) {
    switch (action) {
      case "predict" -> {
        gate.allow(exchange, "POST", Role.PREDICT, name);
        exchange.allowQuery(MinSequence.NAME, RowParser.LABEL);
        ServedModel model = models.get(name);
        model.checkLoaded();
        predict(exchange, model);
      }
      case "learn" -> learning(exchange, name, learning::learn, RowParser.LABEL);
      case "observe" -> learning(exchange, name, learning::observe, RowParser.LABEL);
      case "labels" -> learning(exchange, name, learning::labels);
      case "events" -> {
        gate.allow(exchange, "GET", Role.PREDICT, name);
        models.get(name);
        events.stream(
            exchange,
            () -> {
              gate.identify(exchange, Role.PREDICT, name);
              return versions.page(name);
            });
      }
      case "file" -> {
        gate.allow(exchange, "GET", Role.ADMIN, name);
        exchange.reply(models.get(name).export(), threads, bytes -> file(exchange, name, bytes));
      }
      default -> versions.action(exchange, name, action);
    }
  }

  private void predict(Exchange exchange, ServedModel model) {
    CompletableFuture<Published> learned = MinSequence.await(exchange, model, model.champion());
    bodies.readAfter(learned, exchange, threads, body -> predicting.predict(exchange, model, body));
  }

  private void file(Exchange exchange, String name, byte[] bytes) {
    audit(log, exchange, "export", name);
    exchange
        .response
        .getHeaders()
        .put("Content-Disposition", "attachment; filename=\"" + name + ".avm\"");
    exchange.send(200, "application/octet-stream", bytes);
  }

  /** Handles a request with rows or labels. */
  private interface RowAction {
    void run(Exchange exchange, ServedModel model, byte[] body);
  }

  private void learning(Exchange exchange, String name, RowAction action, String... query) {
    gate.allow(exchange, "POST", Role.LEARN, name);
    exchange.allowQuery(query);
    ServedModel model = models.get(name);
    model.checkTakesRows();
    bodies.read(exchange, body -> action.run(exchange, model, body));
  }
}
