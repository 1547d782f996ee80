package org.avm4j.io;

import static org.avm4j.data.BadDataException.quote;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Decimal;
import org.avm4j.data.Note;
import org.avm4j.data.Schema;

/** Decides whether the labels of a table are numbers or classes, and finds likely mistakes. */
final class LabelProfile {
  /** Maximum number of distinct labels if most of them occur only once. */
  private static final int MOST_SINGLE = 50;

  /** If at least this fraction of labels are numbers, the others are taken for mistakes. */
  private static final double MOSTLY_NUMBERS = 0.9;

  /** Up to this number of distinct labels, numbers may be classes, and a text one more class. */
  private static final int FEWEST_NUMBERS = 20;

  private final ColumnProfile label;
  private final boolean areTexts;

  /**
   * Examines labels.
   *
   * @param areTexts whether the user wants them to be read as texts
   */
  LabelProfile(ColumnProfile label, boolean areTexts) {
    this.label = label;
    this.areTexts = areTexts;
  }

  /**
   * Declares the labels in a schema. Labels of which some are numbers and some texts are texts.
   *
   * @return warnings for users
   */
  List<Note> declare(Schema schema) {
    if (label.present() == 0) {
      return List.of();
    }
    ColumnKind kind = areTexts ? null : label.numberKind();
    if (kind != null) {
      schema.describe(schema.origin().withLabelKind(kind));
      return label.numbers().hasThousands()
          ? List.of(
              Note.of(
                  "the label '"
                      + label.name()
                      + "' has points between thousands, because other columns have decimal"
                      + " commas"))
          : List.of();
    }
    if (strayTexts().isPresent()) {
      label.counts().texts().stream()
          .filter(Decimal::isNumber)
          .findFirst()
          .ifPresent(schema::label);
      return List.of();
    }
    if ((areTexts || label.isMixed()) && schema.labels().isEmpty()) {
      label.counts().texts().forEach(schema::textLabel);
    }
    return similar();
  }

  /**
   * Why the labels are probably a mistake: a few texts among numbers, quantities that are read as
   * texts, or mostly unique texts.
   */
  Optional<String> problem() {
    boolean isNumber = !areTexts && label.numberKind() != null;
    return isNumber ? Optional.empty() : strayTexts().or(this::quantities).or(this::unrepeated);
  }

  private Optional<String> quantities() {
    boolean isQuantity =
        !areTexts && label.units().isPresent() && label.counts().texts().size() > FEWEST_NUMBERS;
    return isQuantity
        ? Optional.of(
            "the labels in column %1$s are numbers with units, such as %2$s, and would be read as"
                    .formatted(quote(label.name()), quote(label.counts().texts().iterator().next()))
                + " %1$s classes; leave the unit out of its cells, write durations as seconds, or"
                    .formatted(label.counts().differentText())
                + " use --text %s if they are classes".formatted(label.name()))
        : Optional.empty();
  }

  private Optional<String> strayTexts() {
    boolean hasStrays =
        !areTexts
            && label.isMixed()
            && label.numbers().plain() >= MOSTLY_NUMBERS * label.present()
            && label.counts().texts().size() > FEWEST_NUMBERS;
    return hasStrays
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "all but %,d of %,d labels are numbers, found %s in column %s; use"
                    + " --skip-bad-lines to skip such rows, or --text %s to treat all labels as"
                    + " classes",
                label.present() - label.numbers().plain(),
                label.present(),
                quote(firstText()),
                quote(label.name()),
                label.name()))
        : Optional.empty();
  }

  private String firstText() {
    return label.counts().texts().stream()
        .filter(text -> !Decimal.isNumber(text))
        .findFirst()
        .orElse("");
  }

  private Optional<String> unrepeated() {
    int different = label.counts().different();
    boolean isUnrepeated = different > MOST_SINGLE && different > label.present() / 2;
    return isUnrepeated
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "the label in column %s has %s different texts in %,d rows, like a name or an id,"
                    + " but classes must repeat; use --label to choose the column to predict",
                quote(label.name()),
                label.counts().differentText(),
                label.present()))
        : Optional.empty();
  }

  /** Warnings on labels that are probably meant to be the same. */
  private List<Note> similar() {
    Map<String, List<String>> alike = new LinkedHashMap<>();
    label
        .counts()
        .texts()
        .forEach(text -> alike.computeIfAbsent(plain(text), t -> new ArrayList<>()).add(text));
    return alike.values().stream()
        .filter(same -> same.size() > 1)
        .map(
            same ->
                Note.warning(
                    "the labels '"
                        + String.join("', '", same)
                        + "' differ only "
                        + difference(same)
                        + " and are different classes"))
        .toList();
  }

  /** A label in lower case, without dots and blanks at its end. */
  static String plain(String text) {
    return text.replaceAll("[.\\s]+$", "").toLowerCase(Locale.ROOT);
  }

  /** How labels with the same {@link #plain} text differ, for a message. */
  static String difference(List<String> same) {
    String first = same.get(0);
    boolean isByCase = same.stream().anyMatch(text -> !bare(text).equals(bare(first)));
    boolean isByEnd = same.stream().anyMatch(text -> !text.equalsIgnoreCase(first));
    String end = "a dot or blanks at the end";
    return "in " + (isByCase && isByEnd ? "case and in " + end : isByCase ? "case" : end);
  }

  private static String bare(String text) {
    return text.replaceAll("[.\\s]+$", "");
  }
}
