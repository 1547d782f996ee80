package org.avm4j.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The replies that the OpenAPI description lists for each operation, and their schemas. */
final class DescribedReplies {
  private static final Map<String, Object> DOCUMENT = document();

  /** The paths of the description; names in braces stand for a part without a slash. */
  private static final Map<String, Object> PATHS = new TreeMap<>(map(DOCUMENT.get("paths")));

  private static final SchemaCheck CHECK = new SchemaCheck(DOCUMENT);

  private static Map<String, Object> document() {
    try (InputStream in = Api.class.getResourceAsStream("openapi.json")) {
      return JsonValues.object(in.readAllBytes());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private DescribedReplies() {}

  /** The replies of the operation that a request asks for, by status; null for no operation. */
  private static Map<String, Object> replies(String method, String path) {
    String plain = path.replaceFirst("\\?.*", "");
    String word = method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT);
    for (Map.Entry<String, Object> each : PATHS.entrySet()) {
      Object operation = map(each.getValue()).get(word);
      if (operation != null && pattern(each.getKey()).matcher(plain).matches()) {
        return map(map(operation).get("responses"));
      }
    }
    return null;
  }

  /** Whether a status is listed for a request, or there is no such operation. */
  static boolean includes(String method, String path, int status) {
    Map<String, Object> replies = replies(method, path);
    return replies == null || replies.containsKey(Integer.toString(status));
  }

  /**
   * What of a reply does not fit the description; empty for nothing. Where there is no operation,
   * the reply must be an error as elsewhere.
   */
  static List<String> faults(String method, String path, Service.Reply reply) {
    if (method.equals("HEAD") || reply.status() == 204) {
      return reply.body().isEmpty() ? List.of() : List.of("a body where there can be none");
    }
    Map<String, Object> replies = replies(method, path);
    Map<String, Object> content;
    if (replies != null) {
      content = map(resolved(replies.get(Integer.toString(reply.status()))).get("content"));
    } else if (reply.status() < 400) {
      return List.of();
    } else {
      boolean isInference = path.equals("/v2") || path.startsWith("/v2/");
      String error = isInference ? "InferenceNotFound" : "NotFound";
      content = map(CHECK.resolve("#/components/responses/" + error).get("content"));
    }
    String type = reply.type().replaceFirst(";.*", "");
    if (content == null || !content.containsKey(type)) {
      return List.of("the type " + type + " is not described");
    }
    if (!type.endsWith("json")) {
      return List.of();
    }
    Object body = JsonValues.parse(reply.body().getBytes(StandardCharsets.UTF_8));
    return CHECK.faults(map(content.get(type)).get("schema"), body);
  }

  private static Map<String, Object> resolved(Object reply) {
    Object reference = map(reply).get("$ref");
    return reference == null ? map(reply) : CHECK.resolve(reference);
  }

  private static Pattern pattern(String path) {
    return Pattern.compile(path.replaceAll("\\{\\w+}", "[^/]+"));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }
}
