package org.avm4j.serve;

import java.util.LinkedHashMap;
import java.util.Map;

/** The reason why a request is refused; sent as a problem document of RFC 9457. */
final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final transient Map<String, Object> more = new LinkedHashMap<>();

  Problem(int status, String detail) {
    super(detail, null, false, false);
    this.status = status;
  }

  /** The request is malformed. */
  static Problem malformed(String detail) {
    return new Problem(400, detail);
  }

  /** The request is well-formed, but its content is refused. */
  static Problem refused(String detail) {
    return new Problem(422, detail);
  }

  /** There is no such path. */
  static Problem notFound() {
    return new Problem(404, "no such resource; /openapi.json lists all of them");
  }

  /** The service is overloaded; the client may try again. */
  static Problem busy(String detail) {
    return new Problem(429, detail);
  }

  /** Adds a member to the document. */
  Problem with(String name, Object value) {
    more.put(name, value);
    return this;
  }

  /** Adds the number of the row in the request, counted from 1, unless it is set. */
  Problem atRow(int row) {
    more.putIfAbsent("row", row);
    return this;
  }

  int status() {
    return status;
  }

  Map<String, Object> document(String requestId) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("type", "about:blank");
    document.put("title", title(status));
    document.put("status", status);
    document.put("detail", getMessage());
    document.putAll(more);
    document.put("request", requestId);
    return document;
  }

  static String title(int status) {
    return switch (status) {
      case 400 -> "Malformed request";
      case 401 -> "A token is required";
      case 403 -> "Not allowed";
      case 404 -> "Not found";
      case 405 -> "Method not allowed";
      case 408 -> "The request took too long";
      case 409 -> "Conflict";
      case 413 -> "The body is too large";
      case 415 -> "Unsupported content type";
      case 422 -> "Refused";
      case 429 -> "Too many requests";
      case 503 -> "Not ready";
      case 507 -> "No space left";
      default -> status < 500 ? "Bad request" : "Internal error";
    };
  }
}
