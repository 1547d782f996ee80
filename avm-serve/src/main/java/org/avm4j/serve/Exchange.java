package org.avm4j.serve;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;

/** A request, and the one reply to it. */
final class Exchange {
  final Request request;
  final Response response;
  final Callback callback;
  final String id;
  final String[] path;
  final String method;
  final boolean isHead;
  Caller caller = Caller.ANYONE;
  boolean isCounted;
  private final long start = System.nanoTime();
  private final Consumer<Exchange> done;
  private final UnreadBody unread;
  private int status;
  private String detail;

  Exchange(
      Request request, Response response, Callback callback, String id, Consumer<Exchange> done) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.id = id;
    this.done = done;
    unread = new UnreadBody(request, response, callback::failed);
    isHead = request.getMethod().equals("HEAD");
    method = isHead ? "GET" : request.getMethod();
    String plain = Request.getPathInContext(request);
    path = plain.length() < 2 ? new String[0] : plain.substring(1).split("/", -1);
  }

  String header(String name) {
    return request.getHeaders().get(name);
  }

  /** The host that the client addressed, with its port if given; in HTTP/2 this is not a header. */
  String authority() {
    String host = header("Host");
    return host == null ? request.getHttpURI().getAuthority() : host;
  }

  String contentType() {
    return request.getHeaders().get(HttpHeader.CONTENT_TYPE);
  }

  /** A parameter of the query string; null if absent. */
  String query(String name) {
    return query().getValue(name);
  }

  private Fields query() {
    String query = request.getHttpURI().getQuery();
    boolean isEmpty = query == null || query.isEmpty();
    try {
      return isEmpty ? Fields.EMPTY : Request.extractQueryParameters(request);
    } catch (RuntimeException malformed) {
      throw Problem.malformed("the query string must be percent-encoded UTF-8");
    }
  }

  /** Rejects a request with other parameters in the query string than these, or one twice. */
  void allowQuery(String... names) {
    List<String> allowed = List.of(names);
    for (String name : query().getNames()) {
      if (!allowed.contains(name)) {
        String known = allowed.isEmpty() ? "none is known here" : "known here: " + allowed;
        throw Problem.malformed("unknown query parameter '" + name + "'; " + known);
      }
      if (query().getValues(name).size() > 1) {
        throw Problem.malformed("the query parameter '" + name + "' is given more than once");
      }
    }
  }

  long nanos() {
    return System.nanoTime() - start;
  }

  int status() {
    return status;
  }

  void json(int code, Object value) {
    send(code, "application/json", JsonValues.bytes(value));
  }

  /** Writes the JSON of a reply. */
  interface JsonBody {
    void write(JsonGenerator out) throws IOException;
  }

  void json(int code, int expected, JsonBody body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(expected);
    try (JsonGenerator out = JsonValues.FACTORY.createGenerator(bytes)) {
      body.write(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    send(code, "application/json", bytes.toByteArray());
  }

  void noContent() {
    send(204, "application/json", new byte[0]);
  }

  /** Reports that a reply whose body was written elsewhere is complete. */
  void sent() {
    done.accept(this);
  }

  void send(int code, String type, byte[] body) {
    unread.drop(
        () -> {
          head(code, type);
          response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
          response.write(true, ByteBuffer.wrap(body), callback);
          done.accept(this);
        });
  }

  /** Sets status and type of a reply; the caller writes its body. */
  void begin(int code, String type) {
    unread.dropOrEnd();
    head(code, type);
  }

  private void head(int code, String type) {
    status = code;
    response.setStatus(code);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
  }

  /** Replies with an error, without internal details. */
  void fail(Throwable wrong) {
    Throwable cause =
        wrong instanceof CompletionException && wrong.getCause() != null ? wrong.getCause() : wrong;
    Problem problem =
        cause instanceof Problem known
            ? known
            : new Problem(500, "internal error; see the log of the service");
    if (response.isCommitted()) {
      callback.failed(cause);
      done.accept(this);
      return;
    }
    detail = cause instanceof Problem ? problem.getMessage() : cause.toString();
    if (problem.status() == 429 || problem.status() == 503) {
      response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
    }
    if (problem.status() == 401) {
      response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
    }
    if (problem.status() == 408) {
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
    }
    if (path.length > 0 && path[0].equals("v2")) {
      json(problem.status(), Map.of("error", problem.getMessage()));
    } else {
      send(problem.status(), "application/problem+json", JsonValues.bytes(problem.document(id)));
    }
  }

  /** Replies on a thread of the server once a result is available. */
  <T> void reply(CompletableFuture<T> result, Executor threads, Consumer<T> reply) {
    result.whenCompleteAsync(
        (value, failed) -> {
          try {
            if (failed != null) {
              fail(failed);
            } else {
              reply.accept(value);
            }
          } catch (RuntimeException | Error wrong) {
            fail(wrong);
          }
        },
        threads);
  }

  Map<String, Object> logLine() {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("request", id);
    String trace = TraceContext.traceId(header("traceparent"));
    if (trace != null) {
      line.put("trace", trace);
    }
    line.put("client", Request.getRemoteAddr(request));
    line.put("method", request.getMethod());
    line.put("path", Request.getPathInContext(request));
    if (path.length > 2 && path[1].equals("models")) {
      line.put("model", path[2]);
    }
    line.put("status", status);
    line.put("ms", Math.round(nanos() / 1e4) / 100.0);
    if (caller.name() != null) {
      line.put("caller", caller.name());
    }
    if (detail != null) {
      line.put("detail", detail);
    }
    return line;
  }
}
