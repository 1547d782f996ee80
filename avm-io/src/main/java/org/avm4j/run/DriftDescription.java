package org.avm4j.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.avm4j.explain.ChangeStudy;
import org.avm4j.explain.DriftEvent;

/** Describes a rise of the error and what changed in the data, as text and as JSON values. */
public final class DriftDescription {
  /** Maximum number of columns, and of classes, that a sentence names. */
  private static final int MOST_NAMES = 5;

  private DriftDescription() {}

  /** The error before a rise, in it, and later if that is known. */
  public static String error(DriftEvent event, boolean isNumber) {
    String later =
        Double.isNaN(event.errorLater())
            ? ""
            : ", " + figure(event.errorLater(), isNumber) + " later";
    return (isNumber ? "rmse " : "mistakes ")
        + figure(event.errorBefore(), isNumber)
        + ", then "
        + figure(event.errorAfter(), isNumber)
        + later;
  }

  private static String figure(double error, boolean isNumber) {
    return isNumber
        ? String.format(Locale.ROOT, "%.4g", error)
        : String.format(Locale.ROOT, "%.1f %%", 100 * error);
  }

  /** What changed in the data, in a sentence. */
  public static String changes(DriftEvent event) {
    List<String> parts = new ArrayList<>();
    parts.add(
        event.isStudied() ? verdict(event.cause()) : "there are too few rows to find what changed");
    event.effects().stream().limit(MOST_NAMES).forEach(change -> parts.add(effect(change)));
    event.moved().stream().limit(MOST_NAMES).forEach(change -> parts.add(moved(change)));
    if (event.moved().size() > MOST_NAMES) {
      parts.add(event.moved().size() - MOST_NAMES + " more columns moved");
    }
    event.labels().stream().limit(MOST_NAMES).forEach(change -> parts.add(label(change)));
    return String.join("; ", parts);
  }

  private static String verdict(DriftEvent.Cause cause) {
    return switch (cause) {
      case INPUTS -> "the inputs changed, their relation to the labels did not";
      case RULE -> "the relation to the labels changed, the inputs did not";
      case INPUTS_AND_RULE -> "the inputs and their relation to the labels changed";
      case LABELS -> "only the labels changed";
      case UNKNOWN -> "no single column changed";
    };
  }

  private static String effect(ChangeStudy.Changed change) {
    return "the effect of "
        + change.column()
        + " changed, "
        + change.before()
        + ", then "
        + change.after();
  }

  private static String moved(ChangeStudy.Changed change) {
    return change.column() + " moved, " + change.before() + ", then " + change.after();
  }

  /** The change of a class with its shares, or of the numeric label with its medians. */
  private static String label(ChangeStudy.Changed change) {
    if (change.before().startsWith("median")) {
      return moved(change);
    }
    String verb = change.before().equals("0.0 %") ? " appeared, " : " ";
    String word = change.after().equals("0.0 %") ? " vanished, " : verb;
    return "class " + change.column() + word + change.before() + ", then " + change.after();
  }

  /** The values of an event for JSON; shares, and errors of classes, are in percent. */
  public static Map<String, Object> values(DriftEvent event, boolean isNumber) {
    String name = isNumber ? "rmse" : "mistakeRate";
    double unit = isNumber ? 1 : 100;
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("since", event.since());
    values.put("noticed", event.noticed());
    values.put(name + "Before", unit * event.errorBefore());
    values.put(name + "After", unit * event.errorAfter());
    if (!Double.isNaN(event.errorLater())) {
      values.put(name + "Later", unit * event.errorLater());
    }
    values.put("studied", event.isStudied());
    values.put("cause", event.cause().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    values.put("moved", event.moved().stream().map(DriftDescription::values).toList());
    values.put("effects", event.effects().stream().map(ChangeStudy.Changed::column).toList());
    values.put("effectChanges", event.effects().stream().map(DriftDescription::values).toList());
    values.put("labels", event.labels().stream().map(DriftDescription::values).toList());
    return values;
  }

  private static Map<String, Object> values(ChangeStudy.Changed change) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("name", change.column());
    values.put("percent", 100 * change.size());
    values.put("before", change.before());
    values.put("after", change.after());
    return values;
  }
}
