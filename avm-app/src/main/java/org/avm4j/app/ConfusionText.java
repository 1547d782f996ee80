package org.avm4j.app;

import java.util.List;
import java.util.Map;

/** Formats a confusion matrix as text. */
final class ConfusionText {
  private static final int MOST_CLASSES = 10;
  private static final int MOST_LETTERS = 12;

  private ConfusionText() {}

  /** The matrix with a heading; empty if there is none or it would be too wide. */
  static String of(Map<String, Object> figures) {
    if (!(figures.get("confusion") instanceof Map<?, ?> matrix)) {
      return "";
    }
    List<?> labels = (List<?>) matrix.get("labels");
    List<?> counts = (List<?>) matrix.get("counts");
    return labels.size() > MOST_CLASSES ? "" : text(labels, counts);
  }

  private static String text(List<?> labels, List<?> counts) {
    int width = width(labels, counts);
    StringBuilder text = new StringBuilder("\nlabel by row, answer by column\n");
    text.append(" ".repeat(width));
    labels.forEach(label -> text.append(cell(shortened(label), width)));
    text.append('\n');
    for (int i = 0; i < labels.size(); i++) {
      text.append(String.format("%-" + width + "s", shortened(labels.get(i))));
      ((List<?>) counts.get(i)).forEach(count -> text.append(cell(number(count), width)));
      text.append('\n');
    }
    return text.toString();
  }

  private static int width(List<?> labels, List<?> counts) {
    int widest = labels.stream().mapToInt(label -> shortened(label).length()).max().orElse(0);
    for (Object row : counts) {
      for (Object count : (List<?>) row) {
        widest = Math.max(widest, number(count).length());
      }
    }
    return widest;
  }

  private static String cell(String text, int width) {
    return String.format("  %" + width + "s", text);
  }

  private static String number(Object count) {
    return Text.whole((Long) count);
  }

  private static String shortened(Object label) {
    return Text.shortened(label, MOST_LETTERS);
  }
}
