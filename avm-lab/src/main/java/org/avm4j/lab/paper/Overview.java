package org.avm4j.lab.paper;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** A study at a glance: a line for each data set, the best of each camp by name. */
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
    Predicate<Comparison> isOurs = row -> row.contender().isOurs();
    Predicate<Comparison> isAvm = row -> row.contender().isAvm();
    List<Comparison> avm = rows.stream().filter(isAvm).filter(isOurs.negate()).toList();
    List<Comparison> others = rows.stream().filter(isAvm.negate()).toList();
    Stream<String> best =
        Stream.of(
            best(others, Overview::paper),
            best(others, Overview::here),
            best(avm, Overview::paper),
            best(avm, Overview::here));
    Stream<String> named =
        ours.stream()
            .map(one -> rows.stream().filter(row -> row.contender() == one).toList())
            .map(row -> row.isEmpty() ? "–" : number(here(row.get(0))));
    lines.add(Stream.of(Stream.of(set.name()), best, named).flatMap(cells -> cells).toList());
  }

  Table table() {
    List<String> header = new ArrayList<>(List.of("data"));
    header.addAll(List.of("others: paper", "others: here", "AVM: paper", "AVM: here"));
    ours.forEach(contender -> header.add("**" + contender.label() + "**"));
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
        .orElse("–");
  }

  private String number(double value) {
    String format = study == Study.REGRESSION ? "%.4f" : "%.2f";
    return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "–";
  }
}
