package org.avm4j.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The replies that the OpenAPI description lists for each operation. */
final class DescribedReplies {
  private static final Map<String, Object> PATHS = paths();

  /** The paths of the description; names in braces stand for a part without a slash. */
  private static Map<String, Object> paths() {
    try (InputStream in = Api.class.getResourceAsStream("openapi.json")) {
      return new TreeMap<>(map(JsonValues.object(in.readAllBytes()).get("paths")));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private DescribedReplies() {}

  /** Whether a status is listed for a request, or there is no such operation. */
  static boolean includes(String method, String path, int status) {
    String plain = path.replaceFirst("\\?.*", "");
    String word = method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT);
    for (Map.Entry<String, Object> each : PATHS.entrySet()) {
      Object operation = map(each.getValue()).get(word);
      if (operation != null && pattern(each.getKey()).matcher(plain).matches()) {
        return map(map(operation).get("responses")).containsKey(Integer.toString(status));
      }
    }
    return true;
  }

  private static Pattern pattern(String path) {
    return Pattern.compile(path.replaceAll("\\{\\w+}", "[^/]+"));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }
}
