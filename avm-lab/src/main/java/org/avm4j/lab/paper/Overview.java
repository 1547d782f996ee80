package org.avm4j.lab.paper;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** An overview of a study: a row for each data set, with the best method of each group. */
final class Overview {
  private final Study study;
  private final List<Contender> ours;
  private final List<List<String>> lines = new ArrayList<>();

  Overview(Study study) {
    this.study = study;
    ours =
        Arrays.stream(Contender.values())
            .filter(Contender::isOurs)
            .filter(contender -> contender.studies().contains(study.id()))
            .toList();
  }

  void add(DataSet set, List<Comparison> rows) {
    List<Comparison> others = of(rows, Predicate.not(Contender::isAvm));
    List<Comparison> avm = of(rows, contender -> contender.isAvm() && !contender.isOurs());
    List<String> line = new ArrayList<>();
    line.add(set.isComplete() ? set.name() : "(" + set.name() + ")");
    line.add(best(others, Overview::paper));
    line.add(best(of(others, Predicate.not(Contender::isBounded)), Overview::here));
    line.add(best(of(others, Contender::isBounded), Overview::here));
    line.add(best(avm, Overview::paper));
    line.add(best(avm, Overview::here));
    ours.forEach(one -> line.add(value(of(rows, contender -> contender == one))));
    lines.add(line);
  }

  private static List<Comparison> of(List<Comparison> rows, Predicate<Contender> which) {
    return rows.stream().filter(row -> which.test(row.contender())).toList();
  }

  private String value(List<Comparison> row) {
    double value = row.isEmpty() ? Double.NaN : here(row.get(0));
    return Double.isFinite(value) ? "**" + number(value) + "**" : ComparisonTable.NOTHING;
  }

  Table table() {
    List<String> header = new ArrayList<>(List.of("data", "paper: others"));
    header.addAll(List.of("here: others without bound", "here: others with a bound"));
    header.addAll(List.of("paper: AVM", "here: AVM"));
    ours.forEach(contender -> header.add(contender.label()));
    return new Table(header, lines);
  }

  private static double paper(Comparison row) {
    return row.paper()
        .filter(PaperTables.Row::hasValue)
        .map(PaperTables.Row::number)
        .orElse(Double.NaN);
  }

  private static double here(Comparison row) {
    return row.ours().isDone() ? row.ours().metric() : Double.NaN;
  }

  private String best(List<Comparison> rows, ToDoubleFunction<Comparison> value) {
    Comparator<Comparison> order = Comparator.comparingDouble(value);
    return rows.stream()
        .filter(row -> Double.isFinite(value.applyAsDouble(row)))
        .min(study.higherIsBetter() ? order.reversed() : order)
        .map(row -> number(value.applyAsDouble(row)) + " " + row.label())
        .orElse(ComparisonTable.NOTHING);
  }

  private String number(double value) {
    return String.format(Locale.ROOT, "%." + study.decimals() + "f", value);
  }
}
