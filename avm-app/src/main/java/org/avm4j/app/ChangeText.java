package org.avm4j.app;

import java.util.Map;
import org.avm4j.Status;

/** Describes how automatic mode adapts to a changing stream, as text and as JSON values. */
final class ChangeText {
  private ChangeText() {}

  static Map<String, Object> values(Status.Change change) {
    return Json.members(
        "holder", change.holder(),
        "memory", change.memory(),
        "usesLatestLabel", change.usesLatestLabel(),
        "rises", change.rises(),
        "frozen", change.frozen(),
        "runs", change.runs());
  }

  static String text(Status.Change change) {
    return Text.format(
        "most weight: %s; memory %,.0f instances%s%s",
        change.holder(),
        change.memory(),
        change.usesLatestLabel() ? ", with the latest label" : "",
        change.rises() > 0 ? Text.format("; the error rose %,d×", change.rises()) : "");
  }
}
