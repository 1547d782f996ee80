package org.avm4j.lab.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Formats the {@link Comparison}s of one data set as a table. */
final class ComparisonTable {
  static final String NOTHING = "–";

  private final Study study;
  private final DataSet set;
  private final List<Comparison> rows;
  private final int decimals;
  private final Optional<Comparison> reference;

  ComparisonTable(Study study, DataSet set, List<Comparison> rows) {
    this.study = study;
    this.set = set;
    this.rows = rows;
    decimals = study.decimals();
    Contender against = study == Study.REGRESSION ? Contender.AVM_EPSILON : Contender.AVM_HINGE;
    reference = rows.stream().filter(row -> row.contender() == against).findFirst();
  }

  Table table() {
    boolean isBatch = study == Study.BATCH;
    String against = study == Study.REGRESSION ? "AVM-ε" : "AVM-Hinge";
    List<String> header =
        new ArrayList<>(
            List.of(
                "method",
                "paper: " + study.metric(),
                "here",
                "difference",
                "verdict",
                "paper: size",
                "here: size",
                isBatch ? "paper: train s" : "paper: s",
                isBatch ? "here: train s" : "here: s",
                "paper: time / " + against,
                "here: time / " + against));
    if (isBatch) {
      header.addAll(List.of("paper: test s", "here: test s"));
    }
    header.add("runs");
    return new Table(header, rows.stream().map(this::cells).toList());
  }

  private List<String> cells(Comparison row) {
    List<String> cells = new ArrayList<>();
    cells.add(row.contender().isOurs() ? "**" + row.label() + "**" : row.label());
    cells.add(paperValue(row));
    cells.add(ourValue(row));
    cells.add(signed(row.difference(), decimals));
    cells.add(verdict(row));
    cells.add(row.paper().map(PaperTables.Row::size).filter(s -> !s.isEmpty()).orElse(NOTHING));
    cells.add(size(row));
    cells.add(row.paper().map(p -> seconds(p.seconds())).orElse(NOTHING));
    cells.add(row.ours().isDone() ? seconds(row.ours().mean(Outcome::seconds)) : NOTHING);
    cells.add(ratio(paperSeconds(row), reference.map(this::paperSeconds).orElse(Double.NaN)));
    cells.add(ratio(ourSeconds(row), reference.map(this::ourSeconds).orElse(Double.NaN)));
    if (study == Study.BATCH) {
      cells.add(row.paper().map(p -> seconds(p.testSeconds())).orElse(NOTHING));
      cells.add(row.ours().isDone() ? seconds(row.ours().mean(Outcome::testSeconds)) : NOTHING);
    }
    cells.add(Integer.toString(row.ours().outcomes().size()));
    return cells;
  }

  private String paperValue(Comparison row) {
    return row.paper()
        .filter(PaperTables.Row::hasValue)
        .map(p -> p.value() + (p.deviation().isEmpty() ? "" : " ± " + p.deviation()))
        .orElse(NOTHING);
  }

  private String ourValue(Comparison row) {
    if (row.ours().isEmpty()) {
      return NOTHING;
    }
    return switch (row.ours().status()) {
      case DONE -> {
        String mean = fixed(row.ours().metric(), decimals);
        yield row.ours().outcomes().size() < 2
            ? mean
            : mean + " ± " + fixed(row.ours().deviation(), decimals);
      }
      case TIME -> String.format(Locale.ROOT, "over %.0f s", row.ours().outcomes().get(0).limit());
      case MEMORY -> "too little memory";
    };
  }

  /** The verdict, in brackets if the data is not that of the paper. */
  private String verdict(Comparison row) {
    String word = row.verdict().word();
    return set.isComplete() || word.isEmpty() ? word : "(" + word + ")";
  }

  private String size(Comparison row) {
    if (!row.ours().isDone()) {
      return NOTHING;
    }
    String size = String.format(Locale.ROOT, "%.0f", row.ours().mean(Outcome::size));
    double difference = row.sizeDifference();
    return Double.isNaN(difference) || row.contender().isOurs()
        ? size
        : size + String.format(Locale.ROOT, " (%+.1f %%)", difference);
  }

  private double paperSeconds(Comparison row) {
    return row.paper()
        .filter(p -> !p.seconds().isEmpty())
        .map(p -> Double.parseDouble(p.seconds()))
        .orElse(Double.NaN);
  }

  private double ourSeconds(Comparison row) {
    return row.ours().isDone() ? row.ours().mean(Outcome::seconds) : Double.NaN;
  }

  private static String ratio(double seconds, double against) {
    double ratio = seconds / against;
    return Double.isNaN(ratio)
        ? NOTHING
        : String.format(Locale.ROOT, ratio < 10 ? "%.2f" : "%.0f", ratio);
  }

  private static String seconds(String text) {
    return text.isEmpty() ? NOTHING : text;
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.2f", seconds);
  }

  private static String signed(double value, int decimals) {
    return Double.isNaN(value)
        ? NOTHING
        : String.format(Locale.ROOT, "%+." + decimals + "f", value);
  }

  private static String fixed(double value, int decimals) {
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, "%." + decimals + "f", value)
        : "diverged";
  }
}
