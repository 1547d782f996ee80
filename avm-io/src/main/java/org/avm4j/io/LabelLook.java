package org.avm4j.io;

import static org.avm4j.data.BadDataException.quote;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Decimal;
import org.avm4j.data.Schema;

/** Whether the labels of a table are numbers or classes, and what is odd about them. */
final class LabelLook {
  /** The most distinct texts that can be classes, if most of them occur only once. */
  private static final int MOST_SINGLE = 50;

  /** Fraction of numeric labels from which the others are taken for mistakes. */
  private static final double MOSTLY_NUMBERS = 0.9;

  /** With fewer distinct numbers, these may be classes, and a text is a further class. */
  private static final int FEWEST_NUMBERS = 20;

  private final ColumnProfile label;
  private final boolean areTexts;

  /**
   * Looks at labels.
   *
   * @param areTexts whether they are read as texts in any case
   */
  LabelLook(ColumnProfile label, boolean areTexts) {
    this.label = label;
    this.areTexts = areTexts;
  }

  /**
   * Declares the labels to a schema: those that are numbers at first and texts later are texts.
   *
   * @return what a person should know, a sentence each
   */
  List<String> declare(Schema schema) {
    if (label.present() == 0) {
      return List.of();
    }
    ColumnKind kind = areTexts ? null : label.numberKind();
    if (kind != null) {
      schema.describe(schema.origin().withLabelKind(kind));
      return List.of();
    }
    if (slip().isPresent()) {
      label.all().stream().filter(Decimal::isNumber).findFirst().ifPresent(schema::label);
      return List.of();
    }
    if ((areTexts || label.isMixed()) && schema.labels().isEmpty()) {
      label.all().forEach(schema::textLabel);
    }
    return similar();
  }

  /** Why labels are probably a mistake: all but a few are numbers, or none occurs twice. */
  Optional<String> problem() {
    boolean isNumber = !areTexts && label.numberKind() != null;
    return slip().or(() -> isNumber ? Optional.empty() : unrepeated());
  }

  private Optional<String> slip() {
    boolean isSlip =
        !areTexts
            && label.isMixed()
            && label.numbers() >= MOSTLY_NUMBERS * label.present()
            && label.all().size() > FEWEST_NUMBERS;
    return isSlip
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "all labels but %,d of %,d are numbers, found %s in column %s; --skip-bad-lines"
                    + " leaves such rows out, --text %s takes all labels as classes",
                label.present() - label.numbers(),
                label.present(),
                quote(firstText()),
                quote(label.name()),
                label.name()))
        : Optional.empty();
  }

  private String firstText() {
    return label.all().stream().filter(text -> !Decimal.isNumber(text)).findFirst().orElse("");
  }

  private Optional<String> unrepeated() {
    boolean isUnrepeated =
        label.different() > MOST_SINGLE && label.different() > label.present() / 2;
    return isUnrepeated
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "the label in column %s has %s different texts in %,d rows, like a name or an id:"
                    + " classes must come again; --label says which column to predict",
                quote(label.name()),
                label.differentText(),
                label.present()))
        : Optional.empty();
  }

  /** Labels that may be meant to be the same. */
  private List<String> similar() {
    Map<String, List<String>> alike = new LinkedHashMap<>();
    label
        .all()
        .forEach(text -> alike.computeIfAbsent(plain(text), t -> new ArrayList<>()).add(text));
    return alike.values().stream()
        .filter(same -> same.size() > 1)
        .map(
            same ->
                "warning: the labels "
                    + same.stream().map(text -> "'" + text + "'").collect(Collectors.joining(", "))
                    + " differ only "
                    + difference(same.get(0), same.get(1))
                    + " and are different classes")
        .toList();
  }

  /** A label without what people do not mind: case, blanks, and a dot at its end. */
  static String plain(String text) {
    return text.replaceAll("[.\\s]+$", "").toLowerCase(Locale.ROOT);
  }

  /** The difference between two labels that look the same to people. */
  static String difference(String one, String other) {
    return one.equalsIgnoreCase(other) ? "by case" : "by a dot or blanks at the end";
  }
}
