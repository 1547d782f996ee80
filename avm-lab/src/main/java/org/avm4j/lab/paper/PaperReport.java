package org.avm4j.lab.paper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.avm4j.codec.AtomicFile;

/**
 * Writes the tables and figures of all studies with results: {@code README.md} with the figures
 * beside it, the numbers as CSV, and everything in one {@code report.html}.
 */
public final class PaperReport {
  private final Catalogue catalogue;
  private final SettingsTable settings;
  private final Results results;
  private final DataFolder data;
  private final Path folder;
  private final Figures figures;
  private final boolean hasFigures = Chart.canDraw();
  private final Map<String, Map<String, String>> remarks =
      Sections.read(Sections.resource("remarks.ini"));

  /** A report of these results, written to a folder. */
  public PaperReport(
      Catalogue catalogue, SettingsTable settings, Results results, DataFolder data, Path folder) {
    this.catalogue = catalogue;
    this.settings = settings;
    this.results = results;
    this.data = data;
    this.folder = folder;
    figures = new Figures(folder, settings, results);
  }

  /** Whether this machine can draw; without a font the figures are left out. */
  public boolean hasFigures() {
    return hasFigures;
  }

  /** Writes all files. */
  public void write() throws IOException {
    Files.createDirectories(folder);
    Page page = new Page("The paper's experiments, made here");
    introduction(page);
    for (Study study : List.of(Study.ONLINE, Study.BATCH, Study.REGRESSION)) {
      tables(study, page);
    }
    sweeps(page);
    write("README.md", page.markdown());
    write("report.html", page.html(folder));
  }

  private void introduction(Page page) throws IOException {
    Sections.text("introduction.md").lines().filter(l -> !l.isEmpty()).forEach(page::paragraph);
    for (String machine : machines()) {
      page.paragraph("Machine: " + machine + ".");
    }
  }

  private Set<String> machines() throws IOException {
    Set<String> machines = new TreeSet<>();
    for (Study study : List.of(Study.ONLINE, Study.BATCH, Study.REGRESSION)) {
      for (DataSet set : catalogue.all()) {
        for (Comparison row : comparisons(study, set)) {
          row.ours().outcomes().forEach(outcome -> machines.add(outcome.machine()));
        }
      }
    }
    return machines;
  }

  private List<Comparison> comparisons(Study study, DataSet set) throws IOException {
    List<Comparison> rows =
        set.suits(study) ? Comparison.of(study, set, settings, results) : List.of();
    return rows.stream().anyMatch(row -> !row.ours().isEmpty()) ? rows : List.of();
  }

  private void tables(Study study, Page page) throws IOException {
    Map<DataSet, List<Comparison>> all = new LinkedHashMap<>();
    for (DataSet set : catalogue.all()) {
      List<Comparison> rows = comparisons(study, set);
      if (!rows.isEmpty()) {
        all.put(set, rows);
      }
    }
    if (all.isEmpty()) {
      return;
    }
    page.heading(2, study.title());
    overview(study, all, page);
    for (Map.Entry<DataSet, List<Comparison>> entry : all.entrySet()) {
      table(study, entry.getKey(), entry.getValue(), page);
    }
  }

  private void overview(Study study, Map<DataSet, List<Comparison>> all, Page page)
      throws IOException {
    Overview overview = new Overview(study);
    all.forEach(overview::add);
    page.paragraph(
        "At a glance: "
            + study.metric()
            + ", of the other methods and of the paper's AVM the best one; in bold what is ours."
            + " Some models grow with the stream, others stay within a bound. In brackets: data that is"
            + " not the paper's, as below.");
    page.table(overview.table());
    write(study.id() + ".csv", overview.table().csv());
  }

  private void table(Study study, DataSet set, List<Comparison> rows, Page page)
      throws IOException {
    page.heading(3, set.title());
    if (!set.note().isEmpty()) {
      page.paragraph("Mind: " + set.note() + ".");
    }
    Table table = new ComparisonTable(study, set, rows).table();
    page.table(table);
    write(study.id() + "-" + set.name() + ".csv", table.csv());
    remarks(study, set, page);
    if (hasFigures && study != Study.BATCH) {
      page.pictures(figures.curves(study, set, rows));
    }
  }

  /** Adds remarks on why rows differ from the paper. */
  private void remarks(Study study, DataSet set, Page page) {
    remarks
        .getOrDefault(study.id() + " " + set.name(), Map.of())
        .forEach((method, text) -> page.paragraph("**" + method + "**: " + text));
  }

  private void sweeps(Page page) throws IOException {
    if (!hasFigures) {
      return;
    }
    for (Study study : List.of(Study.HYPERPARAMETERS, Study.BUDGET, Study.COVERAGE)) {
      List<Figures.Figure> drawn = new ArrayList<>();
      for (DataSet set : catalogue.of(study)) {
        drawn.addAll(sweep(study, set));
      }
      if (!drawn.isEmpty()) {
        page.heading(2, study.title());
        page.pictures(drawn);
      }
    }
  }

  private List<Figures.Figure> sweep(Study study, DataSet set) throws IOException {
    return switch (study) {
      case HYPERPARAMETERS -> figures.hyperparameters(set);
      case BUDGET -> figures.budget(set);
      default ->
          data.missing(set).isEmpty()
              ? new CoverageFigure(set, data.load(set)).write(folder)
              : List.of();
    };
  }

  private void write(String name, String text) throws IOException {
    AtomicFile.write(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8));
  }
}
